import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { Utf8Check } from '../../../../src/sandbox/http/utf8Check';
import { fc } from '../../seededFastCheck';

function check(...chunks: number[][]) {
  const utf8 = new Utf8Check();
  for (const chunk of chunks) utf8.add(Buffer.from(chunk));
  return utf8.end();
}

describe('the check for UTF-8', () => {
  it('takes a character of three bytes however it is split across chunks', () => {
    assert.equal(check([0xe2, 0x82, 0xac]), undefined);
    assert.equal(check([0xe2], [0x82, 0xac]), undefined);
    assert.equal(check([0xe2, 0x82], [0xac]), undefined);
    assert.equal(check([0xe2], [0x82], [], [0xac]), undefined);
  });

  it('takes a BOM as text', () => {
    assert.equal(check([0xef, 0xbb], [0xbf, 0x61]), undefined);
    assert.deepEqual(check([0xef, 0xbb, 0xbf, 0x61, 0xff]), { offset: 4, value: 0xff });
  });

  it('names the byte with which a broken character begins, also where the break is in the next chunk', () => {
    assert.deepEqual(check([0x61, 0xe2, 0x82, 0x61]), { offset: 1, value: 0xe2 });
    assert.deepEqual(check([0x61, 0xe2], [0x82], [0x61]), { offset: 1, value: 0xe2 });
  });

  it('names a character that the end cuts off', () => {
    assert.deepEqual(check([0x61], [0xf0, 0x9f], [0x98]), { offset: 1, value: 0xf0 });
  });

  it('keeps to the first fault', () => {
    assert.deepEqual(check([0x61, 0xfc], [0xff], [0xfe]), { offset: 1, value: 0xfc });
  });

  it('agrees with the platform on any bytes, however they are cut', () => {
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0xe2, 0x82, 0xac, 0xef, 0xbb, 0xbf, 0xf0, 0x9f),
    );
    fc.assert(
      fc.property(fc.array(fc.array(byte, { maxLength: 6 }), { maxLength: 6 }), (chunks) => {
        const bytes = Buffer.from(chunks.flat());
        const invalid = check(...chunks);
        assert.equal(invalid === undefined, isUtf8(bytes));
        if (invalid) {
          assert.ok(isUtf8(bytes.subarray(0, invalid.offset)));
          assert.equal(bytes[invalid.offset], invalid.value);
        }
      }),
      { seed: 7, numRuns: 3000 },
    );
  });
});
