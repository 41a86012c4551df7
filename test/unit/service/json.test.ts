import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isExactNumber, type Json, leafText, parseJson, stringifyJson } from '../../../src/service/json';
import { KnownKeys } from '../../../src/service/knownKeys';

describe('JSON that is read and written again', () => {
  const texts = [
    '9223372036854775807',
    '-9223372036854775808',
    '1.0',
    '1e400',
    '-0',
    '0.1',
    '1E+2',
    '123456789012345678901234567890.0',
    '{"id":9007199254740993,"list":[1.50,"1.50",null,true]}',
    '{"__proto__":{"a":1},"constructor":2}',
    '"\\ud800"',
    '"\u2028"',
  ];
  for (const text of texts) {
    it(`${text} is the same text`, () => {
      assert.equal(stringifyJson(parseJson(text)), text);
    });
  }

  it('is the same value, whatever it is', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const value = parseJson(text);
        assert.deepEqual(parseJson(stringifyJson(value)), value);
        assert.deepEqual(JSON.parse(stringifyJson(value)), JSON.parse(text));
      }),
    );
  });

  it('keeps every digit of every integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (id) => {
        const value = parseJson(`[${id}]`);
        assert.equal(stringifyJson(value), `[${id}]`);
        assert.equal(leafText((value as readonly Json[])[0]), String(id));
      }),
    );
  });

  it('is never read half: it is nested too deep to write, or can be read, masked and written', () => {
    const keys = new KnownKeys();
    keys.add('my-secret-key');
    for (const depth of [100, 500, 1000, 2000, 4000, 8000, 100_000]) {
      const text = '{"a":['.repeat(depth) + ']}'.repeat(depth);
      let value: Json;
      try {
        value = keys.maskJson(parseJson(text));
        stringifyJson(value);
      } catch (error) {
        assert.ok(error instanceof RangeError);
        continue;
      }
      assert.equal(stringifyJson(value), text);
    }
  });

  it('may have a byte order mark before it, and nothing else that is not JSON', () => {
    assert.equal(parseJson('\uFEFF1'), 1);
    for (const text of ['', '\uFEFF', '\uFEFF\uFEFF1', '{"a":1,}', '01', 'NaN', "'a'", '1 2']) {
      assert.throws(() => parseJson(text), SyntaxError);
    }
  });
});

describe('A leaf of JSON', () => {
  it('reads as its text, a number by its digits', () => {
    const leaves = parseJson('["a","",7,1.50,true,null,{},[]]') as readonly Json[];
    assert.deepEqual(leaves.map(leafText), ['a', '', '7', '1.50', 'true', undefined, undefined, undefined]);
    assert.equal(isExactNumber(leaves[3]), true);
    assert.equal(isExactNumber(leaves[2]), false);
    assert.equal(isExactNumber({ rawJSON: '1.50' }), false);
  });
});
