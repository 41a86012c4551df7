import assert from 'node:assert/strict';
import { leafText, parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { fieldAt, toOwnTask } from '../../../../src/service/response/field';
import type { FieldName } from '../../../../src/service/response/usualNames';
import { choiceText, valueChoices } from '../../../../src/service/response/valueChoices';
import { fc } from '../../seededFastCheck';

function choices(text: string, field: FieldName, task?: typeof ownTask) {
  return valueChoices(field, parseJson(text), task);
}
const pointers = (text: string, field: FieldName) => choices(text, field).map(({ pointer }) => pointer);
const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);

describe('The values offered for a field', () => {
  it('start with the likely values, followed by the least nested ones, and leave out Booleans for task IDs', () => {
    const text = '{"b":{"x":"1","list":["p","q"]},"a":true,"receiptNo":"R1","deep":{"ref":"R2"},"z":0}';
    assert.deepEqual(pointers(text, 'taskId'), ['/receiptNo', '/deep/ref', '/z', '/b/x', '/b/list/0', '/b/list/1']);
  });

  it('keep all digits of numbers, and their JSON Pointers are escaped', () => {
    const text = '{"a/b":{"~":9007199254740993123},"":"empty","__proto__":"p"}';
    assert.deepEqual(
      choices(text, 'taskId').map((field) => [field.pointer, choiceText(field)]),
      [
        ['/a~1b/~0', '9007199254740993123'],
        ['/', 'empty'],
        ['/__proto__', 'p'],
      ],
    );
  });

  it("don't include null or empty values", () => {
    assert.deepEqual(pointers('{"a":null,"b":"","c":[],"d":{},"e":[[],[null]]}', 'status'), []);
  });

  it("don't include values that belong to other tasks", () => {
    const data = '{"tasks":[{"id":"t-0","st":"A"},{"id":"t-1","st":"B"}],"old":{"taskId":"t-7","st":"C"}}';
    const found = choices(data, 'status', ownTask).map(({ pointer }) => pointer);
    assert.deepEqual(found, ['/tasks/${taskId}/st', '/tasks/${taskId}/id']);
  });

  const likely: readonly (readonly [field: FieldName, text: string, first: string])[] = [
    ['taskId', '{"a":"x","n":"3f2504e0-4f89-11d3-9a0c-0305e82c3301"}', '/n'],
    ['taskId', '{"a":"x","n":9007199254740993123}', '/n'],
    ['status', '{"a":"x","currentStage":4}', '/currentStage'],
    ['status', '{"id":"T1","phase":{"name":"INDEXING_2"}}', '/phase/name'],
    ['status', '{"a":"x","lamp":"RUNNING"}', '/lamp'],
    ['progress', '{"a":"x","linesPercent":4}', '/linesPercent'],
    ['message', '{"receiptNo":"R-1","step":"TORN","x":"page 3 is torn"}', '/x'],
  ];
  for (const [field, text, first] of likely) {
    it(`start with the value at ${first} if the field is ${field} and the data is ${text}`, () =>
      assert.equal(pointers(text, field)[0], first));
  }

  it('can all be read back from arbitrary JSON using their JSON Pointers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const data = parseJson(JSON.stringify(value));
        for (const field of valueChoices('status', data, undefined))
          assert.equal(leafText(fieldAt(data, field.pointer, undefined)?.value), choiceText(field));
      }),
      { seed: 3 },
    );
  });

  it('are limited to 200, but include a likely value even if it comes after a long list', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `"row ${index}"`);
    const many = Array.from({ length: 90 }, () => '["a","b","c"]');
    const found = choices(`{"list":[${rows}],"more":[${many}],"state":"INDEXING_2"}`, 'status');
    assert.ok(found.length <= 200);
    assert.equal(found[0]?.pointer, '/state');
  });
});
