import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../../../src/sandbox/http/exactJson';
import { postJson } from '../exchange';
import { runSandbox } from '../runSandbox';

describe('exact JSON', () => {
  it('reads a number of up to 19 digits to the digit and writes it back, anywhere in a value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), fc.jsonValue(), (number, value) => {
        const json = `{"a":[${number}],"b":${JSON.stringify(value)}}`;
        assert.equal(stringifyJson(parseJson(json) as object), json);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  it('keeps numbers that JavaScript can hold, strings of digits and numbers beyond all ids as JSON.parse gives them', () => {
    const json = '[9007199254740991,-9007199254740991,"3385447386504440885",1.5,1e3]';
    assert.deepEqual(parseJson(json), JSON.parse(json));
    assert.equal(parseJson('9'.repeat(50)), 1e50);
  });

  it('is refused by the sandbox where it is nested too deeply, as a body that is wrong', () =>
    runSandbox({}, async (sandbox) => {
      const nested = '['.repeat(400_000) + ']'.repeat(400_000);
      const { status, envelope } = await postJson(sandbox, 'query-task', nested);
      assert.equal(status, 400);
      assert.equal(envelope.message, 'The body is not JSON: it is nested too deeply.');
    }));
});
