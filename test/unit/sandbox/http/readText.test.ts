import assert from 'node:assert/strict';
import { readText } from '../../../../src/sandbox/http/readText';

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function linesOf(...texts: string[]): Promise<number> {
  return (await readText(chunks(...texts))).lines;
}

describe('reading a text', () => {
  it('counts a last line that has no end, and none after the last end', async () => {
    assert.equal(await linesOf(), 0);
    assert.equal(await linesOf('', ''), 0);
    assert.equal(await linesOf('a'), 1);
    assert.equal(await linesOf('a\n'), 1);
    assert.equal(await linesOf('a\nb'), 2);
    assert.equal(await linesOf('\n\n'), 2);
  });

  it('counts CRLF once, also where it is split across chunks', async () => {
    assert.equal(await linesOf('a\r', '\nb\r', '\n', ''), 2);
  });

  it('shows five lines at most', async () => {
    assert.equal((await readText(chunks('1\n2\n3\n4\n', '5\n6\n7'))).firstLines, '1\n2\n3\n4\n5');
  });

  it('shows three hundred bytes at most, and no half of a character', async () => {
    const { firstLines } = await readText(chunks('x'.repeat(298), '€'));
    assert.equal(firstLines, 'x'.repeat(298));
  });

  it('shows a BOM and replaces what is not UTF-8', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]);
    const { firstLines } = await readText(
      (async function* () {
        yield bytes;
      })(),
    );
    assert.equal(firstLines, '\ufeffa\ufffd');
  });
});
