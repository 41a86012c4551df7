import assert from 'node:assert/strict';
import { leafText, parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { ResponseField } from '../../../../src/service/response/fields';
import { readPlace, toOwnTask } from '../../../../src/service/response/ownTask';
import { valueChoices } from '../../../../src/service/response/valueChoices';
import { fc } from '../../seededFastCheck';

const choices = (text: string, field: ResponseField) =>
  valueChoices(field, { data: parseJson(text), ownTask: undefined });
const pointers = (text: string, field: ResponseField) => choices(text, field).map(({ pointer }) => pointer);
const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);

describe('The values that can be chosen as a field', () => {
  it('are the likely ones first, then the less deeply nested', () => {
    const text = '{"b":{"x":"1","list":["p","q"]},"a":true,"receiptNo":"R1","deep":{"ref":"R2"},"z":0}';
    assert.deepEqual(pointers(text, 'taskId'), [
      ...['/receiptNo', '/deep/ref', '/a', '/z', '/b/x'],
      ...['/b/list/0', '/b/list/1'],
    ]);
  });

  it('are shown to the digit, with escaped pointers', () => {
    const text = '{"a/b":{"~":9007199254740993123},"":"empty","__proto__":"p"}';
    assert.deepEqual(
      choices(text, 'taskId').map(({ pointer, text }) => [pointer, text]),
      [
        ['/a~1b/~0', '9007199254740993123'],
        ['/', 'empty'],
        ['/__proto__', 'p'],
      ],
    );
  });

  it('leave out null and empty values', () => {
    assert.deepEqual(pointers('{"a":null,"b":"","c":[],"d":{},"e":[[],[null]]}', 'status'), []);
  });

  it('are none of another task', () => {
    const data = parseJson('{"tasks":[{"id":"t-0","st":"A"},{"id":"t-1","st":"B"}],"old":{"taskId":"t-7","st":"C"}}');
    assert.deepEqual(
      valueChoices('status', { data, ownTask }).map(({ pointer }) => pointer),
      ['/tasks/${taskId}/st', '/tasks/${taskId}/id'],
    );
  });

  const likely: readonly (readonly [field: ResponseField, text: string, first: string])[] = [
    ['taskId', '{"a":"x","n":"3f2504e0-4f89-11d3-9a0c-0305e82c3301"}', '/n'],
    ['taskId', '{"a":"x","n":9007199254740993123}', '/n'],
    ['status', '{"a":"x","currentStage":4}', '/currentStage'],
    ['status', '{"id":"T1","phase":{"name":"INDEXING_2"}}', '/phase/name'],
    ['status', '{"a":"x","lamp":"RUNNING"}', '/lamp'],
    ['progress', '{"a":"x","linesPercent":4}', '/linesPercent'],
    ['message', '{"a":"x","failReason":"y"}', '/failReason'],
    ['message', '{"receiptNo":"R-1","step":"TORN","x":"page 3 is torn"}', '/x'],
  ];
  for (const [field, text, first] of likely) {
    it(`begin with ${first} for the ${field} in ${text}`, () => {
      const [choice] = choices(text, field);
      assert.deepEqual([choice?.pointer, choice?.isLikely], [first, true]);
    });
  }

  it('are each at its pointer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const data = parseJson(JSON.stringify(value));
        for (const { pointer, text } of valueChoices('status', { data, ownTask: undefined }))
          assert.equal(leafText(readPlace(data, pointer, undefined)), text);
      }),
      { seed: 3 },
    );
  });

  it('are at most 200, and what is beside a long list is among them', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `"row ${index}"`);
    const many = Array.from({ length: 90 }, () => '["a","b","c"]');
    const found = choices(`{"list":[${rows}],"more":[${many}],"state":"INDEXING_2"}`, 'status');
    assert.ok(found.length <= 200);
    assert.equal(found[0]?.pointer, '/state');
  });
});
