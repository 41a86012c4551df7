import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { type TaskId, taskIdOf } from '../../../../src/service/json/taskId';
import { unknownTaskId } from '../../../../src/tasks/following/unknownTaskId';

const uuid = '3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34';

describe('An ID that no task has', () => {
  for (const [seen, made] of [
    [[], `"${uuid}"`],
    [['"job-7"'], `"${uuid}"`],
    [['"job-7"', '17'], `"${uuid}"`],
    [['17'], '811111111'],
    [['17', '"job-7"'], '811111111'],
    [['9007199254740993123'], '8111111111111111111'],
    [['"17"'], '"811111111"'],
    [['"1234567890123"'], '"8111111111111"'],
    [['811111111'], '811111112'],
  ] as const) {
    it(`is ${made} where the latest are ${seen.join(', ') || 'none'}`, () => {
      const digits = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
      let at = 0;
      const digit = () => digits[seen.some((id) => id === '811111111') ? at++ : 0] ?? 1;
      const ids = seen.map((id): TaskId => taskIdOf(parseJson(id)) ?? assert.fail());
      assert.equal(
        unknownTaskId(ids, () => uuid, digit),
        made,
      );
    });
  }
});
