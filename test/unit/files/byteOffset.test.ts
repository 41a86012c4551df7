import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { positionOfByte } from '../../../src/files/byteOffset';

describe('A byte of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-offset-'));
  const path = join(folder, 'a.txt');

  after(() => rmSync(folder, { recursive: true }));

  const cases: readonly (readonly [why: string, text: string, offset: number, line: number, character: number])[] = [
    ['is where it is in its line', 'one\ntwo\n', 5, 1, 1],
    ['is the first of all', 'one', 0, 0, 0],
    ['is the line break that ends its line', 'one\ntwo', 3, 0, 3],
    ['begins the line after it', 'one\r\ntwo', 5, 1, 0],
    ['comes after characters of several bytes', 'é读😀x', 9, 0, 4],
    ['is inside of a character, which is shown as a whole', 'a读b', 2, 0, 1],
    ['comes after a byte order mark, which editors do not show', '\ufeffone', 5, 0, 2],
    ['is past the end, and taken for the end', 'one\ntwo', 999_999_999_999_999, 1, 3],
    ['is far in a file that is read in parts', `${'é'.repeat(99_999)}\n`.repeat(3), 2 * 199_999 + 7, 2, 3],
    ['is in a line that is longer than a part', 'é'.repeat(200_000), 300_001, 0, 150_000],
  ];
  for (const [why, text, offset, line, character] of cases)
    it(why, async () => {
      writeFileSync(path, text);
      assert.deepEqual(await positionOfByte(path, offset), { line, character });
    });
});
