import assert from 'node:assert/strict';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { couldBeNumber, taskIdOf, taskIdText, typedTaskId } from '../../../../src/service/json/taskId';

describe('A task ID', () => {
  it('that is a number differs from a string with the same digits, but both are shown without quotes', () => {
    const ids = ['9223372036854775807', '"9223372036854775807"'].map((literal) => taskIdOf(parseJson(literal)));
    assert.notEqual(ids[0], ids[1]);
    for (const id of ids) assert.equal(taskIdText(id ?? assert.fail()), '9223372036854775807');
  });

  for (const literal of ['null', 'true', '""', '"  "', '{}', '[1]']) {
    it(`can't be ${literal}`, () => {
      assert.equal(taskIdOf(parseJson(literal)), undefined);
    });
  }

  it('can have at most 2,000 characters', () => {
    for (const [quote, digit] of [
      ['"', 'a'],
      ['', '7'],
    ] as const) {
      const literal = (length: number) => quote + digit.repeat(length) + quote;
      assert.equal(taskIdOf(parseJson(literal(2000))), literal(2000));
      assert.equal(taskIdOf(parseJson(literal(2001))), undefined);
    }
  });

  it('typed by the user is trimmed and converted to the requested type, a string or a number', () => {
    assert.equal(stringifyJson(parseJson(typedTaskId(' 0123 ', 'string'))), '"0123"');
    assert.equal(stringifyJson(parseJson(typedTaskId(' 9223372036854775807\n', 'number'))), '9223372036854775807');
    assert.equal(stringifyJson(parseJson(typedTaskId('a"b', 'string'))), '"a\\"b"');
  });

  it('typed by the user can be a number only if it consists of digits without a leading zero', () => {
    assert.deepEqual(['0', '12', ' 12 ', '9223372036854775807'].filter(couldBeNumber).length, 4);
    assert.deepEqual(['', '012', '-1', '1.0', '1e3', '0x1', '१२', 'T1'].filter(couldBeNumber), []);
  });
});
