import assert from 'node:assert/strict';
import { oneLine, plainLines, plainText, visibleText } from '../../../../src/editor/platform/outsideText';
import { hostileTexts } from '../../hostileTexts';

const unseenCharacters = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  '\u00ad',
  '\u061c',
  '\u180e',
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  '\ufeff',
  ...range(0xfff9, 0xfffb),
  ...range(0xe0001, 0xe007f),
];

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

describe('Untrusted text', () => {
  it('never becomes a link or an icon in a message', () => {
    for (const text of hostileTexts) assert.doesNotMatch(plainText(text), /\]\(|\$\(/);
  });

  it('is shown with its control, invisible and bidirectional characters escaped', () => {
    for (const unseen of unseenCharacters) {
      for (const show of [visibleText, oneLine, plainText, plainLines]) {
        const shown = show(`a${unseen}b`);
        assert.ok(!shown.includes(unseen), `${show.name} of ${unseen.codePointAt(0)?.toString(16)}`);
        assert.match(shown, unseen === '\r' ? /a(?:\\|&#92;)rb/ : /a(?:\\|&#92;)u[0-9a-f]+b/);
      }
    }
    assert.equal(oneLine('annual\u202egpj.txt'), 'annual\\u202egpj.txt');
  });

  it('is shown on a single line in rows, messages and the log, but keeps its line breaks in documents', () => {
    const text = 'a\n2026-01-31 12:00:00.000 [error]\tb\r\nc';
    assert.equal(oneLine(text), 'a\\n2026-01-31 12:00:00.000 [error]\\tb\\r\\nc');
    assert.equal(plainText(text), oneLine(text));
    for (const show of [visibleText, plainLines]) assert.equal(show(text), text.replace('\r', '\\r'));
  });

  it('keeps emoji, and the letters and joiners of every script', () => {
    for (const text of ['数据 集导入.txt', 'می\u200cخواهم', 'क्\u200dष', '👩‍👩‍👧 👍🏽 ❤️', 'Gru\u0308ße', 'a\u00a0b'])
      for (const show of [visibleText, oneLine, plainText, plainLines]) assert.equal(show(text), text);
  });
});
