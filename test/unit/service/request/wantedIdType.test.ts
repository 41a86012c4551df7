import assert from 'node:assert/strict';
import { wantedIdType } from '../../../../src/service/request/wantedIdType';

describe('The type that a rejection wants an id to have', () => {
  for (const [words, type] of [
    ['taskId must be a number', 'number'],
    ['taskId: Input should be a valid integer', 'number'],
    ['Task id is not a number', 'number'],
    ['taskId 必须是整数', 'number'],
    ['taskId must be a string, got number', 'text'],
    ['expected string, received number', 'text'],
    ['参数 taskId 应为字符串', 'text'],
    ['task not found', undefined],
    ['bad request', undefined],
    ['unknown task number 7', undefined],
    ['The service must be restarted', undefined],
  ] as const) {
    it(`is ${type ?? 'not told'} in: ${words}`, () => assert.equal(wantedIdType([words]), type));
  }
});
