import assert from 'node:assert/strict';
import { fillTemplate, fillText, placeholdersIn } from '../../../../src/service/contract/template';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';

describe('A template', () => {
  const values = { id: parseJson('9223372036854775807'), name: 'a$&"b', no: null };
  const filled: readonly (readonly [template: string, json: string])[] = [
    ['"${id}"', '9223372036854775807'],
    ['"id ${id}"', '"id 9223372036854775807"'],
    ['"${id}${id}"', '"92233720368547758079223372036854775807"'],
    ['{"a":["${name}",1.0,null,true]}', '{"a":["a$&\\"b",1.0,null,true]}'],
    ['"${unknown} ${name}"', '"${unknown} a$&\\"b"'],
    ['"${unknown}"', '"${unknown}"'],
    ['"${constructor}"', '"${constructor}"'],
    ['"${__proto__}"', '"${__proto__}"'],
    ['"${id"', '"${id"'],
    ['{"${id}":1}', '{"${id}":1}'],
  ];
  for (const [template, json] of filled) {
    it(`${template} becomes ${json}`, () => {
      assert.equal(stringifyJson(fillTemplate(parseJson(template), values)), json);
    });
  }

  it('does not fill what was filled in', () => {
    assert.equal(fillText('${name}', { name: '${id}', id: '7' }), '${id}');
  });

  it('names its placeholders', () => {
    assert.deepEqual(placeholdersIn(parseJson('{"a":"${x} ${y}","b":["${z}"]}')), ['x', 'y', 'z']);
    assert.deepEqual(placeholdersIn('no $x {y} ${}'), []);
  });
});
