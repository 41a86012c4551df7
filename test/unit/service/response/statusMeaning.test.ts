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

  it('comes from the contract if the status is listed there with the same capitalization', () => {
    const contract = { done: 'failed', '3': 'succeeded' } as const;
    assert.equal(statusMeaning('done', contract), 'failed');
    assert.equal(statusMeaning('DONE', contract), 'succeeded');
    assert.equal(statusMeaning('3', contract), 'succeeded');
  });

  it('can come from the contract even for a status that has the same name as an inherited property, such as constructor', () => {
    const contract = parseJson('{"__proto__":"failed","constructor":"succeeded"}') as Parameters<
      typeof statusMeaning
    >[1];
    assert.equal(statusMeaning('__proto__', contract), 'failed');
    assert.equal(statusMeaning('constructor', contract), 'succeeded');
    assert.equal(statusMeaning('toString', contract), 'unknown');
  });
});
