import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainMarkdown, plainText } from '../../src/editor/outsideText';
import { hostileTexts } from './generatedTasks';

describe('Text from outside', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('[', ']', '(', ')', '$', 'a', 'command:b', '\\'), { maxLength: 12 })
      .map((all) => all.join('')),
  );

  it('makes neither a link nor an icon in a message', () => {
    for (const text of hostileTexts) assert.doesNotMatch(plainText(text), /\]\(|\$\(/);
    fc.assert(fc.property(texts, (text) => assert.doesNotMatch(plainText(text), /\]\(|\$\(/)));
  });

  it('is read the same in a message', () => {
    fc.assert(fc.property(texts, (text) => assert.equal(plainText(text).replaceAll('\u2060', ''), text)));
  });

  it('has no sign in Markdown that means anything there but its own entities', () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.doesNotMatch(plainMarkdown(text).replaceAll(/&(?:#\d+|nbsp);/g, ''), /[!-/:-@[-`{-~]/);
      }),
    );
  });
});
