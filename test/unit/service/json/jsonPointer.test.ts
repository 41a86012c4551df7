import assert from 'node:assert/strict';
import { type Json, parseJson } from '../../../../src/service/json/json';
import { isJsonPointer, jsonPointer } from '../../../../src/service/json/jsonPointer';
import { valueAt } from './valueAt';

const rfc6901 = parseJson(
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
);

describe('A JSON Pointer', () => {
  const examples: readonly (readonly [pointer: string, value: Json | undefined])[] = [
    ['', rfc6901],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['//x', undefined],
  ];
  for (const [pointer, value] of examples) {
    it(`"${pointer}" points to ${JSON.stringify(value)} in the RFC 6901 example`, () => {
      assert.ok(isJsonPointer(pointer));
      assert.deepEqual(valueAt(rfc6901, pointer), value);
    });
  }

  it('with the escape sequence ~01 points to the member ~1, not to the member /', () => {
    assert.equal(valueAt({ '~1': 'a', '/': 'b' }, '/~01'), 'a');
  });

  for (const text of ['foo', 'foo/bar', '#/foo', '/~', '/~2', '/a~', ' /a']) {
    it(`can't be "${text}"`, () => {
      assert.equal(isJsonPointer(text), false);
    });
  }

  it('built from names escapes tildes and slashes', () => {
    assert.equal(jsonPointer('a/b', '', 'm~1', '0'), '/a~1b//m~01/0');
  });
});
