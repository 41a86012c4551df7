import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { rootSpot, spotsIn } from '../../../../src/service/places/spots';
import { isAlike, toOwnTask, type Whose } from '../../../../src/service/places/whose';

describe('Whose an object is', () => {
  const rows: readonly (readonly [data: string, id: string, at: string, whose: Whose, pointer?: string])[] = [
    ['{"taskId":"t-1"}', 't-1', '', 'own'],
    ['{"taskId":"t-0"}', 't-1', '', 'other'],
    ['{"TASK_ID":9007199254740993123}', '9007199254740993123', '', 'own'],
    ['{"taskId":9007199254740993124}', '9007199254740993123', '', 'other'],
    ['{"id":88,"taskId":"t-1"}', 't-1', '', 'own'],
    ['{"id":"t-1","taskNo":"N7"}', 't-1', '', 'own'],
    ['{"id":"t-0"}', 't-1', '', 'other'],
    ['{"jobId":"J-77"}', 't-1', '', 'otherKind'],
    ['{"jobId":"J-77","result":{}}', 't-1', 'result', 'otherKind'],
    ['{"jobId":"t-77"}', 't-1', '', 'other'],
    ['{"jobId":"J-77","taskId":"late"}', 't-1', '', 'other'],
    ['{"taskId":"alpha"}', 'beta', '', 'other'],
    ['{"previous":{"jobId":"J-77"}}', 't-1', 'previous', 'other'],
    ['[{"jobId":"J-77"}]', 't-1', '0', 'other'],
    ['{"id":88}', 't-1', '', undefined],
    ['{"id":5,"taskId":7}', '5', '', 'other'],
    ['{"user":{"id":"t-1"}}', 't-1', 'user', 'own'],
    ['{"user":{"id":5}}', '5', 'user', undefined],
    ['{"user":{"id":6}}', '5', 'user', undefined],
    ['{"task":{"id":5}}', '5', 'task', 'own'],
    ['{"task":{"id":6}}', '5', 'task', 'other'],
    ['{"latest":{"id":"t-0"}}', 't-1', 'latest', 'other'],
    ['{"taskId":"t-1","file":{"id":"t-0"}}', 't-1', 'file', 'own'],
    ['{"taskId":"t-0","x":{}}', 't-1', 'x', 'other'],
    ['{"taskId":"t-0","x":{"taskId":"t-1"}}', 't-1', 'x', 'own'],
    ['{"x":{"ref":"r-2"}}', 'r-1', 'x', 'other', '/ticket/ref'],
    ['{"x":{"ref":"r-1"}}', 'r-1', 'x', 'own', '/ticket/ref'],
    ['[{"id":6},{"id":5}]', '5', '0', 'other'],
    ['{"uploads":[{"id":"t-0"},{"id":"t-1"}]}', 't-1', 'uploads/0', 'other'],
    ['{"users":[{"id":5}]}', '12', 'users/0', 'other'],
    ['{"files":[{"id":"f-9"}]}', 't-1', 'files/0', undefined],
    ['[{"meta":{"taskId":"t-0"},"state":"X"}]', 't-1', '0', 'other'],
    ['[{"meta":{"taskId":"t-1"},"state":"X"}]', 't-1', '0', 'own'],
    ['[{"parent":{"taskId":"t-1"},"task":{"id":"t-0"}}]', 't-1', '0', 'other'],
    ['[{"n":"t-0","p":"x"},{"n":"t-1","p":"x"}]', 't-1', '1', 'own'],
    ['[{"n":"t-0","p":"x"},{"n":"t-1","p":"x"}]', 't-1', '0', 'other'],
    ['[{"id":1,"n":"t-0"},{"id":2,"n":"t-1"}]', 't-1', '1', 'own'],
    ['[{"n":"t-0"},{"n":"t-1","parent":"t-0"}]', 't-0', '1', 'other'],
    ['[{"x":1,"retryOf":"t-1"},{"x":2}]', 't-1', '0', undefined],
    ['[{"n":"t-1","p":"a"},{"n":"b","p":"t-1"}]', 't-1', '0', undefined],
    ['[{"taskId":"t-0","ref":"t-1"},{"taskId":"t-2","ref":"t-3"}]', 't-1', '0', 'other'],
    ['[{"line":5},{"line":6}]', '5', '0', undefined],
    ['{"t-1":{},"t-0":{}}', 't-1', 't-1', 'own'],
    ['{"t-1":{},"t-0":{}}', 't-1', 't-0', 'other'],
    ['{"t-0":{}}', 't-1', 't-0', 'other'],
    ['{"task":{}}', '88b', 'task', undefined],
    ['{"list":[{"no":"{\\"taskId\\":\\"t-0\\"}"}]}', 't-1', 'list/0', 'other'],
  ];
  for (const [data, id, at, whose, pointer] of rows) {
    it(`at '${at}' of ${data} is ${whose ?? 'not recognized'} for task ${id}`, () => {
      const ownTask = toOwnTask(typedTaskId(id, 'string'), pointer);
      const spots = spotsIn(rootSpot(parseJson(data), ownTask), ownTask);
      assert.equal(spots.find(({ names }) => names.join('/') === at)?.whose, whose);
    });
  }

  it('is told by an id that is written as ours is', () => {
    const id = '3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34';
    const alike = [
      ['t-1', 't-20'],
      ['1', '9007199254740993123'],
      ['88b', '91c'],
      [id, id.replace('3f2', 'a00')],
    ];
    const unlike = [
      ['t-1', 'f-1'],
      ['88', 't-1'],
      ['step2', '88b2c'],
      ['task', '88b'],
      ['alpha', 'beta'],
      [id, '7'],
    ];
    for (const [one = '', other = ''] of alike) assert.ok(isAlike(one, other) && isAlike(other, one), one);
    for (const [one = '', other = ''] of unlike) assert.ok(!isAlike(one, other) && !isAlike(other, one), one);
  });
});
