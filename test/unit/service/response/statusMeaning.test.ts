import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { statusMeaning } from '../../../../src/service/response/usualNames';

describe('The meaning of a status', () => {
  const meanings = {
    running: ['RUNNING', 'In Progress', 'in_progress', 'IN-PROGRESS', 'Pending', '处理中'],
    succeeded: ['SUCCESS', 'Succeeded', 'done', 'COMPLETED', 'finished', '成功', '已完成'],
    failed: ['FAILED', 'error', 'Cancelled', 'canceled', '失败', '已取消'],
    unknown: ['', '3', 'INDEXING_2', 'not done', 'done of 3', 'success?', '未成功', 'constructor', '__proto__'],
  };
  for (const [meaning, words] of Object.entries(meanings)) {
    it(`is ${meaning} if the status is one of these: ${words.map((word) => `"${word}"`).join(', ')}`, () => {
      for (const word of words) assert.equal(statusMeaning(word, {}), meaning);
    });
  }

  it('comes from the contract if the status is listed there with the same capitalization, even if it is the name of an inherited property', () => {
    const contract = { done: 'failed', '3': 'succeeded' } as const;
    assert.equal(statusMeaning('done', contract), 'failed');
    assert.equal(statusMeaning('DONE', contract), 'succeeded');
    assert.equal(statusMeaning('3', contract), 'succeeded');
    const inherited = parseJson('{"__proto__":"failed","constructor":"succeeded"}') as unknown as typeof contract;
    assert.equal(statusMeaning('__proto__', inherited), 'failed');
    assert.equal(statusMeaning('constructor', inherited), 'succeeded');
    assert.equal(statusMeaning('toString', inherited), 'unknown');
  });
});
