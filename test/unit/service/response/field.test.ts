import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { fieldAt, toOwnTask } from '../../../../src/service/response/field';

const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);

describe('A JSON Pointer', () => {
  const rows: readonly (readonly [data: string, pointer: string, value: unknown])[] = [
    ['{"s":"A"}', '/s', 'A'],
    ['"A"', '', 'A'],
    ['[{"taskId":"t-0","s":"A"},{"taskId":"t-1","s":"B"}]', '/${taskId}/s', 'B'],
    ['{"t-0":{"s":"A"},"t-1":{"s":"B"}}', '/${taskId}/s', 'B'],
    ['{"t-1":"B"}', '/${taskId}', 'B'],
    ['[{"s":"B"}]', '/${taskId}/s', 'B'],
    ['[{"taskId":"t-0","s":"A"}]', '/${taskId}/s', undefined],
    ['[{"s":"A"},{"s":"B"}]', '/${taskId}/s', undefined],
    ['[{"taskId":"t-1","s":"A"},{"taskId":"t-1","s":"B"}]', '/${taskId}/s', undefined],
    ['{"running":[],"done":[{"id":"t-1","s":"B"}]}', '/running/${taskId}/s', undefined],
    ['[{"task":{"id":"t-0"},"s":"A"},{"task":{"id":"t-1"},"s":"B"}]', '/${taskId}/s', 'B'],
    ['[{"taskId":"t-0","ref":"t-1","s":"A"},{"taskId":"t-2","s":"B"}]', '/${taskId}/s', undefined],
    ['{"taskId":"t-0","s":"A"}', '/s', undefined],
    ['{"t-0":{"s":"A"}}', '/t-0/s', undefined],
    ['{"taskId":"t-0","sub":{"x":{"s":"A"}}}', '/sub/x/s', undefined],
    ['{"jobId":"J-77","s":"A"}', '/s', 'A'],
    ['{"jobId":"t-77","s":"A"}', '/s', undefined],
    ['{"jobId":"J-77","taskId":"late","s":"A"}', '/s', undefined],
    ['{"previous":{"taskId":"t-0","s":"A"}}', '/previous/s', undefined],
    ['[{"id":"t-0","s":"A"}]', '/0/s', undefined],
    ['[{"id":88,"s":"A"}]', '/0/s', 'A'],
    ['{"steps":[{"id":7,"s":"A"},{"id":8,"s":"B"}]}', '/steps/1/s', 'B'],
    ['{"job":"{\\"s\\":\\"A\\"}"}', '/job/s', undefined],
    ['{"a":1}', '/__proto__', undefined],
    ['["a"]', '/length', undefined],
  ];
  for (const [data, pointer, value] of rows) {
    it(`such as ${JSON.stringify(pointer)} finds ${String(value ?? 'nothing')} for task t-1 in ${data}`, () => {
      assert.equal(fieldAt(parseJson(data), pointer, ownTask)?.value, value);
    });
  }

  it('with ${taskId} matches an ID in upper case only if the ID is a UUID', () => {
    for (const [id, value] of [
      ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'A'],
      ['job-a', undefined],
    ] as const) {
      const upper = id.toUpperCase();
      for (const json of [`[{"taskId":"${upper}","s":"A"},{}]`, `{"taskId":"${id}","${upper}":{"s":"A"}}`]) {
        const data = parseJson(json);
        const task = toOwnTask(typedTaskId(id, 'string'), undefined, undefined, data);
        assert.equal(fieldAt(data, '/${taskId}/s', task)?.value, value);
      }
    }
  });

  it('with ${taskId} matches a short numeric ID only in members whose names suggest an ID', () => {
    const five = toOwnTask(typedTaskId('5', 'number'), undefined);
    assert.equal(fieldAt(parseJson('[{"line":5,"s":"A"},{"line":6,"s":"B"}]'), '/${taskId}/s', five)?.value, undefined);
    assert.equal(fieldAt(parseJson('[{"id":"5","s":"A"},{"id":6,"s":"B"}]'), '/${taskId}/s', five)?.value, 'A');
    const asked = toOwnTask(typedTaskId('5', 'number'), undefined, { id: '${taskId}' });
    const withJob = parseJson('[{"id":5,"jobId":3,"s":"A"},{"id":6,"jobId":3,"s":"B"}]');
    assert.equal(fieldAt(withJob, '/${taskId}/s', asked)?.value, 'A');
    const chosen = toOwnTask(typedTaskId('5', 'number'), '/parts/${each}/no');
    assert.equal(fieldAt(parseJson('[{"no":5,"s":"A"},{"no":6,"s":"B"}]'), '/${taskId}/s', chosen)?.value, 'A');
  });
});
