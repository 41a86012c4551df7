import assert from 'node:assert/strict';
import { isExactNumber, type Json, leafText, parseJson, stringifyJson } from '../../../../src/service/json/json';
import { fc } from '../../seededFastCheck';

describe('JSON that is parsed and serialized again', () => {
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
    '{"1":1.50,"2":2.0,"__proto__":-0.0,"a\\":1.0,":[-0,"-0","\\\\",1e5],"b":"1.0"}',
    '[-5e-324,1.0,-1e-323,5e-324,-1e-400]',
    '"\\ud800"',
    '"\u2028"',
  ];
  for (const text of texts) {
    it(`is identical to the original: ${text}`, () => {
      assert.equal(stringifyJson(parseJson(text)), text);
    });
  }

  it('has the same value as before, no matter what it contains', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const value = parseJson(text);
        assert.deepEqual(parseJson(stringifyJson(value)), value);
        assert.deepEqual(JSON.parse(stringifyJson(value)), JSON.parse(text));
      }),
    );
  });

  it('keeps long numbers if it is serialized with indentation, even if a string resembles our internal number format', () => {
    const text = '{"id":9007199254740993,"text":"{\\"\u0080\\":\\"7\\"}"}';
    assert.equal(
      stringifyJson(parseJson(text), 1),
      text.replace('{"id":', '{\n "id": ').replace(',"text":', ',\n "text": ').replace(/}$/, '\n}'),
    );
  });

  it('stays the same if it is nested 200 levels deep', () => {
    const text = '{"a":['.repeat(100) + ']}'.repeat(100);
    assert.equal(stringifyJson(parseJson(text)), text);
  });

  for (const depth of [201, 500, 6000, 100_000, 500_000]) {
    it(`loses everything below level 200 if it is ${depth} levels deep`, () => {
      for (const inner of ['', '1', '"]}"', '"\\"[{"', '1.0', '{"a":[]},[]']) {
        const text = `{"id":9007199254740993,"deep":${'['.repeat(depth - 1)}${inner}${']'.repeat(depth - 1)},"after":[1.0]}`;
        const value = parseJson(text);
        const kept = `{"id":9007199254740993,"deep":${'['.repeat(199)}"…"${']'.repeat(199)},"after":[1.0]}`;
        assert.equal(stringifyJson(value), kept);
        assert.equal(JSON.stringify(value, undefined, 2), JSON.stringify(parseJson(kept), undefined, 2));
      }
    });
  }

  it('is rejected if it is invalid, even if the syntax error is nested below the depth limit', () => {
    const around = (inner: string) => '['.repeat(300) + inner + ']'.repeat(300);
    for (const inner of ['nonsense', '{]', '[}', '01', '"', '"\\"', '}{', ']['])
      assert.throws(() => parseJson(around(inner)), SyntaxError, inner);
    for (const text of [
      '['.repeat(500_000),
      ']'.repeat(500_000),
      `"${'\\"'.repeat(500_000)}`,
      `${around('')}]`,
      around('').slice(1),
    ])
      assert.throws(() => parseJson(text), SyntaxError);
  });

  it('loses only the parts that are nested too deeply', () => {
    const deep = '[{"a":[]}]';
    const text = `${'['.repeat(200)}${deep},1,${deep},"[",${deep}${']'.repeat(200)}`;
    const kept = `${'['.repeat(200)}"…",1,"…","[","…"${']'.repeat(200)}`;
    assert.equal(stringifyJson(parseJson(text)), kept);
  });

  it('may begin with one byte order mark, but must otherwise be valid', () => {
    assert.equal(parseJson('\uFEFF1'), 1);
    for (const text of [
      '',
      '\uFEFF',
      '\uFEFF\uFEFF1',
      '{"a":1,}',
      '01',
      '[012345678901234567890]',
      '[1-12345678901234567]',
      'NaN',
      "'a'",
      '1 2',
    ]) {
      assert.throws(() => parseJson(text), SyntaxError);
    }
  });
});

describe('A JSON leaf', () => {
  it('is shown as plain text: a string without quotes, a number with its original digits', () => {
    const leaves = parseJson('["a","",7,1.50,true,null,{},[]]') as readonly Json[];
    assert.deepEqual(leaves.map(leafText), ['a', '', '7', '1.50', 'true', undefined, undefined, undefined]);
    assert.equal(isExactNumber(leaves[3]), true);
    assert.equal(isExactNumber(leaves[2]), false);
  });
});
