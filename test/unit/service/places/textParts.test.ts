import assert from 'node:assert/strict';
import fc from 'fast-check';
import { steadyName, textPart, textParts } from '../../../../src/service/places/textParts';

describe('The parts of a text', () => {
  it('are the segments and query values of a path or URL', () => {
    const parts = [
      { name: '${segment:1}', text: 'jobs' },
      { name: '${segment:2}', text: '88 b' },
      { name: '${query:x}', text: '1/2' },
    ];
    for (const text of [
      '/jobs/88%20b?x=1%2F2&y=',
      'https://a.example/jobs//88%20b/?x=1/2#z',
      's3://bucket/jobs/88%20b?x=1/2',
    ]) {
      assert.deepEqual(textParts(text), parts, text);
    }
  });

  it('are none of any other text', () => {
    for (const text of [
      '',
      'a/b',
      'DONE',
      '/',
      '//a/b',
      'see /a/b',
      '/a b',
      'https://',
      'mailto:a@b',
      `/${'x'.repeat(3000)}`,
    ])
      assert.deepEqual(textParts(text), [], text);
  });

  it('are each found by its name, in any text', () => {
    const urls = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.webPath(), fc.string());
    fc.assert(
      fc.property(urls, (text) => {
        for (const part of textParts(text)) assert.equal(textPart(text, part.name), part.text);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });

  it('are counted from the end by negative numbers, and nowhere beyond the text', () => {
    const text = '/a/b/c';
    const names = [
      '${segment:-1}',
      '${segment:-3}',
      '${segment:-4}',
      '${segment:4}',
      '${segment:0}',
      '${query:x}',
      'a',
    ];
    assert.deepEqual(
      names.map((name) => textPart(text, name)),
      ['c', 'a', ...Array(5).fill(undefined)],
    );
  });

  it('keep their number where it leads to the same place in other texts, and else are counted from the end', () => {
    const part = { name: '${segment:2}', text: '88b' };
    assert.equal(steadyName(part, '/jobs/88b', ['/jobs/91c/view', '/jobs/93d']), '${segment:2}');
    assert.equal(steadyName(part, '/jobs/88b', ['/v2/jobs/91c', '/jobs/93d']), '${segment:-1}');
    assert.equal(steadyName(part, '/jobs/88b', ['/jobs/91c/view', '/v2/jobs/93d']), '${segment:2}');
    assert.equal(steadyName({ name: '${query:x}', text: '1' }, '/a?x=1', []), '${query:x}');
  });
});
