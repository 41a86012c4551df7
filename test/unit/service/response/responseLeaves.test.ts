import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Json, leafText, parseJson } from '../../../../src/service/json/json';
import type { ResponseField } from '../../../../src/service/response/recognition';
import { responseLeaves } from '../../../../src/service/response/responseLeaves';
import { valueAt } from '../json/valueAt';

const pointers = (text: string, field: ResponseField) =>
  responseLeaves(parseJson(text), field).map(({ pointer }) => pointer);

describe('The leaves of an answer', () => {
  it('has a status among the likely ones by the name of what it is in, too', () => {
    const data = parseJson('{"importTask":{"id":"T1","phase":{"name":"INDEXING_2"}}}');
    assert.equal(responseLeaves(data, 'status')[0]?.pointer, '/importTask/phase/name');
  });

  it('are the likely ones first, then the less deeply nested, else as they stand in the answer', () => {
    const text = '{"b":{"x":"1","list":["p","q"]},"a":true,"receiptNo":"R1","deep":{"ref":"R2"},"z":0}';
    assert.deepEqual(responseLeaves(parseJson(text), 'taskId'), [
      { pointer: '/receiptNo', text: 'R1', isLikely: true },
      { pointer: '/deep/ref', text: 'R2', isLikely: true },
      { pointer: '/a', text: 'true', isLikely: false },
      { pointer: '/z', text: '0', isLikely: false },
      { pointer: '/b/x', text: '1', isLikely: false },
      {
        ...{ pointer: '/b/list/0', text: 'p', isLikely: false },
        element: { number: 1, count: 2, last: undefined, newest: undefined },
      },
      {
        ...{ pointer: '/b/list/1', text: 'q', isLikely: false },
        element: { number: 2, count: 2, last: '/b/list/${last}', newest: undefined },
      },
    ]);
  });

  it('have their pointers escaped, and their numbers to the digit', () => {
    const text = '{"a/b":{"~":9007199254740993123},"":"empty","__proto__":"p"}';
    assert.deepEqual(
      responseLeaves(parseJson(text), 'taskId').map(({ pointer, text }) => [pointer, text]),
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
    assert.deepEqual(responseLeaves('T1', 'message'), [{ pointer: '', text: 'T1', isLikely: false }]);
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
      const [leaf] = responseLeaves(parseJson(text), field);
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
          const leaves = responseLeaves(data, field);
          for (const { pointer, text } of leaves) assert.equal(leafText(valueAt(data, pointer)), text);
          assert.equal(new Set(leaves.map(({ pointer }) => pointer)).size, leaves.length);
          assert.equal(leaves.length, countLeaves(data));
        },
      ),
    );
  });

  it('are at most 500, the first ones and the last of a list, and what is beside a long list is among them', () => {
    const data = { list: Array.from({ length: 5000 }, (_, index) => `row ${index}`), state: 'INDEXING_2' };
    const leaves = responseLeaves(data, 'status');
    assert.equal(leaves.length, 500);
    assert.deepEqual(leaves[0], { pointer: '/state', text: 'INDEXING_2', isLikely: true });
    assert.deepEqual([leaves[1]?.pointer, leaves.at(-1)?.pointer], ['/list/4999', '/list/497']);
  });

  it('of answers nested as deeply as they are read are found, and those that are nested deeper are none', () => {
    const nested = (depth: number) => parseJson(`${'{"a":['.repeat(depth)}"T1"${']}'.repeat(depth)}`);
    const leaf = { pointer: '/a/0'.repeat(100), text: 'T1', isLikely: false };
    assert.deepEqual(responseLeaves(nested(100), 'status'), [leaf]);
    assert.deepEqual(responseLeaves(nested(1000), 'status'), []);
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
      const [first] = responseLeaves(data, 'taskId');
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
