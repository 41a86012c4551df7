import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Json, leafText, parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/places/whose';
import { isByNumber, valueChoices } from '../../../../src/service/proposing/leaves';
import type { ResponseField } from '../../../../src/service/response/recognition';

import { valueAt } from '../json/valueAt';

const choices = (data: Json, field: ResponseField) => valueChoices(field, { data, ownTask: undefined });
const pointers = (text: string, field: ResponseField) => choices(parseJson(text), field).map(({ pointer }) => pointer);

describe('The leaves of an answer', () => {
  it('has a status among the likely ones by the name of what it is in, too', () => {
    const data = parseJson('{"importTask":{"id":"T1","phase":{"name":"INDEXING_2"}}}');
    assert.equal(choices(data, 'status')[0]?.pointer, '/importTask/phase/name');
  });

  it('are the likely ones first, then the less deeply nested, else as they stand in the answer', () => {
    const text = '{"b":{"x":"1","list":["p","q"]},"a":true,"receiptNo":"R1","deep":{"ref":"R2"},"z":0}';
    assert.deepEqual(
      choices(parseJson(text), 'taskId').map(({ pointer, text, isLikely, element }) => [
        ...[pointer, text, isLikely],
        ...(element === undefined ? [] : [element.number, element.count]),
      ]),
      [
        ['/receiptNo', 'R1', true],
        ['/deep/ref', 'R2', true],
        ['/a', 'true', false],
        ['/z', '0', false],
        ['/b/x', '1', false],
        ['/b/list/${last}', 'q', false, 2, 2],
        ['/b/list/0', 'p', false, 1, 2],
        ['/b/list/1', 'q', false, 2, 2],
      ],
    );
  });

  it('have their pointers escaped, and their numbers to the digit', () => {
    const text = '{"a/b":{"~":9007199254740993123},"":"empty","__proto__":"p"}';
    assert.deepEqual(
      choices(parseJson(text), 'taskId').map(({ pointer, text }) => [pointer, text]),
      [
        ['/a~1b/~0', '9007199254740993123'],
        ['/', 'empty'],
        ['/__proto__', 'p'],
      ],
    );
  });

  it('are none of null, empty texts, empty lists and empty objects', () => {
    assert.deepEqual(pointers('{"a":null,"b":"","c":[],"d":{},"e":[[],[null]]}', 'status'), []);
    assert.deepEqual(pointers('null', 'status'), []);
  });

  it('are `data` itself where it is one', () => {
    const whole = { pointer: '', name: '', value: 'T1', text: 'T1', isLikely: false };
    assert.deepEqual(choices('T1', 'message'), [whole]);
  });

  const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);

  it('are the value of the last element and that at its place, where none is known to be ours', () => {
    const data = parseJson('{"log":[{"st":"A","at":"2026-02-01"},{"st":"B","at":"2026-01-01"}]}');
    const offered = valueChoices('status', { data, ownTask }).filter(({ isLikely }) => isLikely);
    assert.deepEqual(
      offered.map(({ pointer, text, element }) => [pointer, text, element?.is, element?.number]),
      [
        ['/log/${last}/st', 'B', 'last', 2],
        ['/log/0/st', 'A', 'this', 1],
        ['/log/1/st', 'B', 'this', 2],
      ],
    );
  });

  it('are nothing of another task', () => {
    const data = parseJson('{"tasks":[{"id":"t-0","st":"A"},{"id":"t-1","st":"B"}],"old":{"taskId":"t-7","st":"C"}}');
    const offered = valueChoices('status', { data, ownTask });
    assert.deepEqual(
      offered.map(({ pointer }) => pointer),
      ['/tasks/${taskId}/st', '/tasks/${taskId}/id'],
    );
  });

  const likely: readonly (readonly [field: ResponseField, text: string, first: string])[] = [
    ['taskId', '{"a":"x","n":"3f2504e0-4f89-11d3-9a0c-0305e82c3301"}', '/n'],
    ['taskId', '{"a":"x","n":"123456"}', '/n'],
    ['taskId', '{"a":"x","n":9007199254740993123}', '/n'],
    ['taskId', '{"a":"x","UUID":"y"}', '/UUID'],
    ['taskId', '{"a":"x","ids":{"taskId":["y"]}}', '/ids/taskId/0'],
    ['status', '{"a":"x","currentStage":4}', '/currentStage'],
    ['status', '{"a":"x","Task State":"y"}', '/Task State'],
    ['status', '{"state_count":4,"stage":"x9","lamp":"RUNNING"}', '/lamp'],
    ['status', '{"state_count":4,"stage":"x9"}', '/stage'],
    ['progress', '{"a":"x","linesDone":4}', '/linesDone'],
    ['progress', '{"a":"x","doneBy":"Ann","pct":"4%"}', '/pct'],
    ['message', '{"a":"x","failReason":"y"}', '/failReason'],
    ['message', '{"receiptNo":"R-1","step":"TORN","x":"page 3 is torn"}', '/x'],
  ];
  for (const [field, text, first] of likely) {
    it(`begin with ${first} where the ${field} of ${text} is looked for`, () => {
      const [leaf] = choices(parseJson(text), field);
      assert.deepEqual([leaf?.pointer, leaf?.isLikely], [first, true]);
    });
  }

  it('that are words come before numbers and times where a status is looked for', () => {
    const text = '{"n":4,"at":"2030-01-01T00:00:00Z","lamp":"green","ok":true,"flag":"DONE"}';
    assert.deepEqual(pointers(text, 'status'), ['/flag', '/lamp', '/ok', '/n', '/at']);
  });

  it('are each at its pointer, and all there are', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom<ResponseField>('taskId', 'status', 'progress', 'message'),
        (value, field) => {
          const data = parseJson(JSON.stringify(value));
          const leaves = choices(data, field).filter(({ pointer }) => !pointer.includes('${last}'));
          for (const { pointer, text } of leaves) assert.equal(leafText(valueAt(data, pointer)), text);
          assert.equal(new Set(leaves.map(({ pointer }) => pointer)).size, leaves.length);
          assert.equal(leaves.length, countLeaves(data));
        },
      ),
    );
  });

  it('are at most 500, the first ones and the last of a list, and what is beside a long list is among them', () => {
    const data = { list: Array.from({ length: 5000 }, (_, index) => `row ${index}`), state: 'INDEXING_2' };
    const leaves = choices(data, 'status');
    assert.equal(leaves.length, 500);
    const [state, last, first] = leaves;
    assert.deepEqual([state?.pointer, state?.isLikely, last?.pointer], ['/state', true, '/list/${last}']);
    assert.deepEqual([first?.pointer, leaves.at(-1)?.pointer], ['/list/0', '/list/497']);
    assert.equal(leaves.filter(isByNumber).length, 498);
  });

  it('of answers nested as deeply as they are read are found, and those that are nested deeper are none', () => {
    const nested = (depth: number) => parseJson(`${'{"a":['.repeat(depth)}"T1"${']}'.repeat(depth)}`);
    assert.deepEqual(
      choices(nested(100), 'status').map(({ pointer }) => pointer),
      ['/a/0'.repeat(100)],
    );
    assert.deepEqual(choices(nested(1000), 'status'), []);
  });

  const large: Readonly<Record<string, string>> = {
    'of empty lists': `[${Array(499)
      .fill(`[${Array(499).fill('[]').join()}]`)
      .join()},{"id":"T1"}]`,
    'of one long text': `{"id":"${'x'.repeat(1024 * 1024)}"}`,
    'of small numbers': `{"id":"T1","n":[${Array(500_000).fill('1').join()}]}`,
  };
  for (const [what, text] of Object.entries(large)) {
    it(`of a large answer, ${what}, are found without delay`, () => {
      const data = parseJson(text);
      const [first] = choices(data, 'taskId');
      assert.match(first?.pointer ?? '', /\/id$/);
    });
  }
});

function countLeaves(value: Json): number {
  if (value === null || value === '') return 0;
  return typeof value === 'object' && leafText(value) === undefined
    ? Object.values(value).reduce((sum, item) => sum + countLeaves(item as Json), 0)
    : 1;
}
