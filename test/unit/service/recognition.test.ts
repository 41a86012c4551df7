import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonObject, parseJson } from '../../../src/service/json';
import { valueAt } from '../../../src/service/jsonPointer';
import { type Fact, findFact, progressFraction, statusMeaning } from '../../../src/service/recognition';

const data = (text: string) => parseJson(text) as JsonObject;

describe('A fact in an answer', () => {
  const found: readonly (readonly [fact: Fact, data: string, pointer: string | undefined])[] = [
    ['taskId', '{"taskId":"T1"}', '/taskId'],
    ['taskId', '{"task_id":1}', '/task_id'],
    ['taskId', '{"TASK-ID":1}', '/TASK-ID'],
    ['taskId', '{"id":"D1","taskId":"T1"}', '/taskId'],
    ['taskId', '{"id":"T1"}', '/id'],
    ['taskId', '{"task":{"id":"T1"}}', '/task/id'],
    ['taskId', '{"importJob":{"id":"T1"}}', '/importJob/id'],
    ['taskId', '{"result":{"taskId":"T1"}}', '/result/taskId'],
    ['taskId', '{"a/b":{"taskId":"T1"}}', '/a~1b/taskId'],
    ['taskId', '{"dataset":{"id":"D1"}}', undefined],
    ['taskId', '{"a":{"b":{"taskId":"T1"}}}', undefined],
    ['taskId', '{"list":[{"taskId":"T1"}]}', undefined],
    ['taskId', '{"taskId":"","id":"T1"}', '/id'],
    ['taskId', '{"taskId":null}', undefined],
    ['taskId', '{"taskId":{"value":1}}', undefined],
    ['taskId', '{}', undefined],
    ['status', '{"state":"done"}', '/state'],
    ['status', '{"task":{"task_status":3}}', '/task/task_status'],
    ['progress', '{"percent":37}', '/percent'],
    ['message', '{"errorMsg":"no"}', '/errorMsg'],
  ];
  for (const [fact, text, pointer] of found) {
    it(`the ${fact} in ${text} is at ${pointer ?? 'no place'}`, () => {
      assert.equal(findFact(fact, data(text), undefined)?.pointer, pointer);
    });
  }

  it('is at the pointer of the contract and nowhere else', () => {
    const answer = data('{"taskId":"T1","no":9223372036854775807,"none":null,"deep":{"x":["y"]}}');
    assert.deepEqual(findFact('taskId', answer, '/deep/x/0'), { pointer: '/deep/x/0', value: 'y' });
    for (const pointer of ['/missing', '/none', '/deep', '', '/__proto__']) {
      assert.equal(findFact('taskId', answer, pointer), undefined);
    }
  });

  it('is at the place that is told, in any answer', () => {
    const names = fc.oneof(
      fc.constantFrom('taskId', 'id', 'task', 'status', 'state', 'a/b', '~', '__proto__'),
      fc.string(),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.jsonValue({ maxDepth: 0 }), fc.dictionary(names, tie('tree'))),
    }));
    fc.assert(
      fc.property(fc.dictionary(names, tree), fc.constantFrom<Fact>('taskId', 'status'), (value, fact) => {
        const answer = data(JSON.stringify(value));
        const fact1 = findFact(fact, answer, undefined);
        if (fact1 !== undefined) assert.deepEqual(valueAt(answer, fact1.pointer), fact1.value);
      }),
    );
  });
});

describe('What a status means', () => {
  const meanings = {
    running: ['RUNNING', 'In Progress', 'in_progress', 'IN-PROGRESS', 'queued', 'Pending', 'processing'],
    succeeded: ['SUCCESS', 'Succeeded', 'done', 'COMPLETED', 'finished'],
    failed: ['FAILED', 'error', 'Cancelled', 'canceled'],
    unknown: ['', '0', '3', 'INDEXING_2', 'not done', 'unfinished', 'success?', 'constructor', '__proto__'],
  };
  for (const [meaning, words] of Object.entries(meanings)) {
    it(`${words.map((word) => `"${word}"`).join(', ')}: ${meaning}`, () => {
      for (const word of words) assert.equal(statusMeaning(word, {}), meaning);
    });
  }

  it('is first what the contract says, to the letter', () => {
    const contract = { done: 'failed', '3': 'succeeded' } as const;
    assert.equal(statusMeaning('done', contract), 'failed');
    assert.equal(statusMeaning('DONE', contract), 'succeeded');
    assert.equal(statusMeaning('3', contract), 'succeeded');
  });
});

describe('Progress', () => {
  const fractions: readonly (readonly [json: string, fraction: number | undefined])[] = [
    ['0', 0],
    ['0.37', 0.37],
    ['37', 0.37],
    ['"37%"', 0.37],
    ['"37 %"', 0.37],
    ['"0.5%"', 0.005],
    ['1.0', 1],
    ['100', 1],
    ['"100%"', 1],
    ['101', undefined],
    ['-1', undefined],
    ['1e400', undefined],
    ['"3/7"', undefined],
    ['"half"', undefined],
    ['""', undefined],
    ['null', undefined],
    ['true', undefined],
    ['{}', undefined],
  ];
  for (const [json, fraction] of fractions) {
    it(`${json} is ${fraction ?? 'not known'}`, () => {
      assert.equal(progressFraction(parseJson(json)), fraction);
    });
  }
});
