import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { pointerToAll, readTaskIds } from '../../../../src/service/response/taskIds';

function idsIn(data: string, taskId?: string): readonly [ids: readonly string[], pointer: string | undefined] {
  const { ids, pointer } = readTaskIds(parseJson(data), { ...DEFAULT_CONTRACT.fileTask, taskId });
  return [ids, pointer];
}

describe('An import response', () => {
  const recognized: readonly (readonly [data: string, id: string, pointer: string])[] = [
    ['{"taskId":"T1"}', '"T1"', '/taskId'],
    ['{"TASK-ID":9007199254740993123}', '9007199254740993123', '/TASK-ID'],
    ['{"result":{"taskId":"T1"}}', '"T1"', '/result/taskId'],
    ['{"datasetId":"d","taskId":"T1"}', '"T1"', '/taskId'],
    ['{"id":"D1","result":{"taskId":"T1"}}', '"T1"', '/result/taskId'],
    ['{"id":"T1"}', '"T1"', '/id'],
    ['{"task":{"id":1}}', '1', '/task/id'],
    ['{"task":{"id":1},"file":{"id":2}}', '1', '/task/id'],
    ['{"tasks":[{"id":"T1"}]}', '"T1"', '/tasks/0/id'],
    ['[{"taskId":"T1"}]', '"T1"', '/0/taskId'],
    ['{"taskId":9,"files":[{"id":1},{"id":2}]}', '9', '/taskId'],
  ];
  for (const [data, taskId, pointer] of recognized) {
    it(`yields the task ID ${taskId} if its data is ${data}`, () => {
      assert.deepEqual(idsIn(data), [[taskId], pointer]);
    });
  }

  const several: readonly (readonly [data: string, ids: readonly string[], pointer: string])[] = [
    ['{"taskIds":["T1","T2"]}', ['"T1"', '"T2"'], '/taskIds/${each}'],
    ['{"result":{"jobIds":[9007199254740993123,2]}}', ['9007199254740993123', '2'], '/result/jobIds/${each}'],
    ['{"tasks":[{"id":1},{"id":2}]}', ['1', '2'], '/tasks/${each}/id'],
    ['{"items":[{"taskId":1},{"taskId":2},{"taskId":1}]}', ['1', '2'], '/items/${each}/taskId'],
    ['[{"taskId":"A"},{"taskId":"B"}]', ['"A"', '"B"'], '/${each}/taskId'],
    ['{"taskId":1,"taskIds":[1,2]}', ['1', '2'], '/taskIds/${each}'],
    ['{"taskIds":[1,2],"tasks":[{"id":1},{"id":2}]}', ['1', '2'], '/taskIds/${each}'],
  ];
  for (const [data, ids, pointer] of several) {
    it(`yields ${ids.length} task IDs if its data is ${data}`, () => {
      assert.deepEqual(idsIn(data), [ids, pointer]);
    });
  }

  for (const data of [
    '{"datasetId":"d","id":"ds-1"}',
    '{"id":1,"fileId":"f-2"}',
    '{"id":"ds","task":{"id":"t"}}',
    '{"file":{"id":"F1"}}',
    '{"files":[{"id":1},{"id":2}]}',
    '{"a":{"taskId":"T1"},"b":{"taskId":"T2"}}',
    '{"a":{"b":{"taskId":"T1"}}}',
    '{"taskId":9,"taskIds":[1,2]}',
    '{"taskIds":[1,2],"jobIds":[3,4]}',
    '[{"taskId":1},{"error":"too large"},{"taskId":2}]',
    '{"taskId":true}',
    '{"__proto__":"P1","constructor":"C1"}',
    '"T1"',
    'null',
  ]) {
    it(`yields no task ID if its data is ${data}`, () => assert.deepEqual(idsIn(data), [[], undefined]));
  }

  it("yields only the task IDs that the contract's JSON Pointer selects, if the contract has one", () => {
    const rows: readonly (readonly [data: string, pointer: string, ids: readonly string[]])[] = [
      ['"T1"', '', ['"T1"']],
      ['{"taskId":"T1","receipt":7.0}', '/receipt', ['7.0']],
      ['{"taskId":"T1"}', '/receipt', []],
      ['{"items":[{"id":1},{"id":2},{"id":1}]}', '/items/${each}/id', ['1', '2']],
      ['{"items":[{"id":1},{"error":"too long"}]}', '/items/${each}/id', []],
      ['{"items":[]}', '/items/${each}/id', []],
      ['{"items":{"a":{"id":1}}}', '/items/${each}/id', []],
      ['{"items":[{"id":1},{"id":2}]}', '/items/1/id', ['2']],
    ];
    for (const [data, pointer, ids] of rows)
      assert.deepEqual(idsIn(data, pointer), [ids, ids.length === 0 ? undefined : pointer], data);
  });

  it('yields up to 1000 task IDs, and none if there are more', () => {
    const count = (length: number) =>
      idsIn(stringifyJson({ taskIds: Array.from({ length }, (_, at) => at) }))[0].length;
    assert.deepEqual([count(1000), count(1001)], [1000, 0]);
  });
});

describe('A JSON Pointer to a task ID', () => {
  it('can be generalized to select the ID in every element of its list', () => {
    const all = (data: string, pointer: string) => pointerToAll(parseJson(data), pointer);
    assert.equal(all('{"items":[{"id":1},{"id":2}]}', '/items/1/id'), '/items/${each}/id');
    assert.equal(all('{"id":1,"no":2}', '/id'), undefined);
  });
});
