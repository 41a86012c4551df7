import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/response/field';
import { readTaskReport } from '../../../../src/service/response/taskReport';
import { USUAL_NAMES } from '../../../../src/service/response/usualNames';

const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);
const statusOf = (data: string, task = ownTask) => {
  const { status, pointers } = readTaskReport(parseJson(data), DEFAULT_CONTRACT.queryTask, task);
  return [status, pointers.status];
};

describe("A task's status", () => {
  const rows: readonly (readonly [data: string, status?: string, pointer?: string])[] = [
    ['{"status":"A"}', 'A', '/status'],
    ['{"task":{"task_status":3}}', '3', '/task/task_status'],
    ['{"a/b":{"State":"A"}}', 'A', '/a~1b/State'],
    ['{"status":"A","task":{"status":"B"}}', 'A', '/status'],
    ['{"parse":{"status":"A"},"index":{"status":"B"}}'],
    ['{"a":{"b":{"status":"A"}}}'],
    ['[{"status":"A"}]', 'A', '/0/status'],
    ['{"events":[{"status":"A"}]}', 'A', '/events/0/status'],
    ['[{"status":"A"},{"status":"B"}]'],
    [
      '{"page":{"records":[{"id":"t-0","status":"A"},{"id":"t-1","status":"B"}]}}',
      'B',
      '/page/records/${taskId}/status',
    ],
    ['{"tasks":{"t-0":{"status":"A"},"t-1":{"status":"B"}}}', 'B', '/tasks/${taskId}/status'],
    [
      '{"total":2,"stage":"x","rows":[{"taskId":"t-0"},{"taskId":"t-1","result":{"status":"B"}}]}',
      'B',
      '/rows/${taskId}/result/status',
    ],
    ['{"taskId":"t-1","inner":{"status":"A"},"last":{"taskId":"t-0","status":"B"}}', 'A', '/inner/status'],
    [
      '{"request":{"taskId":"t-1"},"result":{"status":"A"},"last":{"taskId":"t-0","status":"B"}}',
      'A',
      '/result/status',
    ],
    ['{"taskId":"t-0","status":"A"}'],
    ['{"t-0":{"status":"A"}}'],
    ['{"jobId":"t-77","status":"A"}'],
    ['{"jobId":"J-77","status":"A"}', 'A', '/status'],
    ['{"user":{"id":"t-9","status":"A"},"status":"B"}', 'B', '/status'],
    ['{"__proto__":{"status":"A"}}', 'A', '/__proto__/status'],
    ['"A"'],
  ];
  for (const [data, status, pointer] of rows) {
    it(`${status === undefined ? 'is not recognized' : `is recognized as ${status}`} in ${data}`, () =>
      assert.deepEqual(statusOf(data), [status, pointer]));
  }

  it("is recognized regardless of case, spaces, underscores and hyphens in the member's name", () => {
    for (const name of USUAL_NAMES.status)
      for (const written of [name.toUpperCase(), [...name].join('_'), [...name].join('-'), [...name].join(' ')])
        assert.deepEqual(statusOf(`{"${written}":"A"}`), ['A', `/${written}`]);
  });

  it('is recognized only among the first members of a very large object', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `"k${index}":{"a":""}`).join();
    assert.deepEqual(statusOf(`{"status":"A",${many}}`), ['A', '/status']);
    assert.deepEqual(statusOf(`{${many},"status":"A"}`), [undefined, undefined]);
  });

  it('is recognized in a list of 5,000 tasks with 19-digit IDs', () => {
    const tasks = Array.from(
      { length: 5000 },
      (_, index) => `{"id":7${String(index).padStart(18, '0')},"status":"S${index}"}`,
    );
    const task = toOwnTask(typedTaskId('7000000000000003500', 'number'), undefined);
    assert.deepEqual(statusOf(`{"tasks":[${tasks}]}`, task), ['S3500', '/tasks/${taskId}/status']);
  });
});
