import assert from 'node:assert/strict';
import { fillTemplate, fillText, placeholdersIn } from '../../../../src/service/contract/template';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { fc } from '../../seededFastCheck';
import { HOSTILE_NAMES } from '../hostileNames';

describe('A template', () => {
  const values = { id: parseJson('9223372036854775807'), name: 'a$&"b', no: null, 'id:text': '9223372036854775807' };
  const filled: readonly (readonly [template: string, json: string])[] = [
    ['"${id}"', '9223372036854775807'],
    ['"id ${id}"', '"id 9223372036854775807"'],
    ['"${id}${id}"', '"92233720368547758079223372036854775807"'],
    ['{"a":["${name}",1.0,null,true]}', '{"a":["a$&\\"b",1.0,null,true]}'],
    ['"${unknown} ${name}"', '"${unknown} a$&\\"b"'],
    ['"${__proto__}"', '"${__proto__}"'],
    ['"${id"', '"${id"'],
    ['{"${id}":1}', '{"${id}":1}'],
    ['"${id:text}"', '"9223372036854775807"'],
    ['"${id:other} ${name}"', '"${id:other} a$&\\"b"'],
  ];
  for (const [template, json] of filled) {
    it(`such as ${template} is filled in as ${json}`, () => {
      assert.equal(stringifyJson(fillTemplate(parseJson(template), values)), json);
    });
  }

  it('does not fill in placeholders in the values that it inserts', () => {
    assert.equal(fillText('${name}', { name: '${id}', id: '7' }), '${id}');
  });

  const inText: readonly (readonly [template: string, text: string])[] = [
    ['${name}', 'a$&"b'],
    ['{ "a" : "é\\u00e9 ${name}" }', '{ "a" : "é\\u00e9 a$&\\"b" }'],
    ['\n["${name}", "${id}" ]\r\n', '\n["a$&\\"b", "9223372036854775807" ]\r\n'],
    ['{"${name}": ${id}}', '{"a$&\\"b": 9223372036854775807}'],
    ['{"a": ${name}, "b": "${no} ${unknown}"}', '{"a": "a$&\\"b", "b": "${no} ${unknown}"}'],
    ['{"a": "\\u0024{name} \\\\${name}"}', '{"a": "\\u0024{name} \\\\a$&\\"b"}'],
    // The templates below aren't JSON.
    ['[${name}]', '[a$&"b]'],
    ['{${name}}', '{a$&"b}'],
    ['"${name}"', '"a$&"b"'],
    ['{"a": "\\${name}"}', '{"a": "\\a$&"b"}'],
    ['{"a": "${name}"} and more', '{"a": "a$&"b"} and more'],
  ];
  for (const [template, text] of inText) {
    it(`such as ${JSON.stringify(template)} in a form field is filled in as ${JSON.stringify(text)}`, () => {
      assert.equal(fillText(template, values), text);
    });
  }

  it('for a JSON document yields valid JSON, even if the inserted file name contains special characters', () => {
    const texts = fc.oneof(fc.constantFrom(...Object.values(HOSTILE_NAMES)), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(texts, (fileName) => {
        // Lone surrogates can't be encoded as UTF-8.
        fc.pre(fileName.isWellFormed());
        const template = '{"name": "<${fileName}>", "bare": ${fileName}}';
        const filled = `{"name": ${JSON.stringify(`<${fileName}>`)}, "bare": ${JSON.stringify(fileName)}}`;
        assert.equal(fillText(template, { fileName }), filled);
        assert.deepEqual(fillTemplate({ inner: template }, { fileName }), { inner: filled });
      }),
    );
  });

  it('can be searched for the names of its placeholders', () => {
    assert.deepEqual(placeholdersIn(parseJson('{"a":"${x} ${y}","b":["${z}"]}')), ['x', 'y', 'z']);
    assert.deepEqual(placeholdersIn('no $x {y} ${} ${a:}'), []);
    assert.deepEqual(placeholdersIn('${a:b}'), ['a:b']);
  });
});
