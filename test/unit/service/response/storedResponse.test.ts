import assert from 'node:assert/strict';
import { type Json, parseJson } from '../../../../src/service/json/json';
import { storedResponse } from '../../../../src/service/response/outcome';

const MAX_BYTES = 64 * 1024;

function storedText(data: Json): string {
  const response = { envelope: { code: '0', message: null, data }, deviations: [] };
  return storedResponse({ kind: 'accepted', response, value: undefined }) ?? assert.fail();
}

describe('A service response', () => {
  it('of up to 64 KiB is stored in full, including all digits of its numbers', () => {
    const data = '{"id":9007199254740993123,"n":1.0}';
    assert.equal(storedText(parseJson(data)), `{"code":"0","message":null,"data":${data}}`);
    const frame = Buffer.byteLength(storedText(''));
    assert.equal(Buffer.byteLength(storedText('x'.repeat(MAX_BYTES - frame))), MAX_BYTES);
  });

  for (const [what, data] of [
    ['many multibyte characters', '任务😀'.repeat(20_000)],
    ['many members', Array.from({ length: 50_000 }, (_, index) => ({ id: `t-${index}` }))],
  ] as const) {
    it(`with too ${what} is truncated when stored, so it is no longer valid JSON`, () => {
      const text = storedText(data);
      assert.ok(Buffer.byteLength(text) <= MAX_BYTES);
      assert.ok(text.startsWith('{"code":"0","message":null,"data":') && text.endsWith('…'));
      assert.ok(!text.includes('\uFFFD'));
      assert.throws(() => parseJson(text));
    });
  }

  it('is not stored if it has no envelope', () => {
    const rejection = { by: 'status', status: 404, excerpt: 'no' } as const;
    assert.equal(storedResponse({ kind: 'rejected', rejection, badKey: false, tryLater: false }), undefined);
  });
});
