import assert from 'node:assert/strict';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { mistakeIn, stateByExpression, testedNumbers } from '../../../../src/service/contract/stateExpression';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/response/field';
import { startExpression } from '../../../../src/service/response/stateStarters';

const FLAGS = "finished && (error && 'failed' || 'succeeded') || 'running'";

describe('The state expression', () => {
  const states: readonly (readonly [expression: string, data: string, state: string])[] = [
    [FLAGS, '{"finished":false,"error":"timeout, trying again"}', 'running'],
    [FLAGS, '{"finished":true,"error":null}', 'succeeded'],
    [FLAGS, '{"finished":true,"error":{"line":7}}', 'failed'],
    ["pending == `0` && total > `0` && 'succeeded' || 'running'", '{"pending":0,"total":9}', 'succeeded'],
    [
      "events[-1].what == 'done' && 'succeeded' || 'running'",
      '{"events":[{"what":"begun"},{"what":"done"}]}',
      'succeeded',
    ],
    ['state', '{"state":"failed"}', 'failed'],
    ["done == `1` && percent >= `100` && 'succeeded' || 'running'", '{"done":1.0,"percent":1e2}', 'succeeded'],
  ];
  for (const [expression, data, meaning] of states) {
    it(`${expression} yields ${meaning} for ${data}`, () => {
      assert.deepEqual(stateByExpression(expression, parseJson(data), 't-1'), { meaning });
    });
  }

  it("leaves the state unknown if its result isn't a valid state", () => {
    const yielded = (expression: string) => stateByExpression(expression, { a: ['x', 1] }, 't-1');
    assert.deepEqual(yielded('a'), { meaning: 'unknown', yielded: '["x",1]' });
    assert.deepEqual(yielded('b'), { meaning: 'unknown', yielded: 'null' });
    assert.deepEqual(yielded("'done'"), { meaning: 'unknown', yielded: '"done"' });
    const [long, wrongType] = [stateByExpression('@', 'x'.repeat(5000), 't-1'), yielded('length(`1`)')];
    assert.ok('yielded' in long && long.yielded.length <= 201);
    assert.ok('yielded' in wrongType && /length\(\)/.test(wrongType.yielded), JSON.stringify(wrongType));
  });

  const ids = ['t-1', "it's", 'a`b', 'a\\b', '"quoted"', "x' || 'succeeded", '任务\n1', '${taskId}', '$&'];
  for (const id of ids) {
    it(`finds the task with the ID ${JSON.stringify(id)}, no matter how the placeholder is quoted`, () => {
      const data = {
        list: [
          { id: 'other', s: 'failed' },
          { id, s: 'succeeded' },
        ],
        map: { [id]: { s: 'succeeded' } },
      };
      const found = (expression: string) => stateByExpression(expression, data, id);
      assert.deepEqual(found('list[?id == ${taskId}].s | [0]'), { meaning: 'succeeded' });
      assert.deepEqual(found("list[?id == '${taskId}'].s | [0]"), { meaning: 'succeeded' });
      assert.deepEqual(found('map."${taskId}".s'), { meaning: 'succeeded' });
    });
  }

  it('compares all digits of a 19-digit ID', () => {
    const data = parseJson('[{"id":3385447386504440881,"s":"failed"},{"id":3385447386504440882,"s":"succeeded"}]');
    const state = stateByExpression('[?id == ${taskId}].s | [0]', data, '3385447386504440882');
    assert.deepEqual(state, { meaning: 'succeeded' });
  });

  const data = { p: 0, q: 3, list: [], flag: false, inner: { n: 1, 'x y': 2 }, word: 'x' };
  const tests: readonly (readonly [expression: string, ...numbers: string[]])[] = [
    ["p && 'failed' || 'running'", 'p'],
    ["flag && (q && 'failed' || 'succeeded') || 'running'", 'q'],
    ["!p && 'succeeded' || 'running'", 'p'],
    ["(flag || inner.n) && 'failed'", 'inner.n'],
    ['inner."x y" && word', 'inner."x y"'],
    ["length(list) && 'failed' || 'running'", 'length(list)'],
    ["p == `0` && length(list) > `0` && 'failed' || 'running'"],
    ["word == q && 'failed' || flag && 'succeeded' || 'p' && word"],
  ];
  for (const [expression, ...numbers] of tests) {
    it(`${expression} uses ${numbers.length > 0 ? `the number ${numbers.join()}` : 'no number'} as a condition`, () => {
      assert.deepEqual(testedNumbers(expression, data, 't-1'), numbers);
    });
  }

  const mistakes: readonly (readonly [expression: string, position: number])[] = [
    ['a.[', 4],
    ["t[?id == '${taskId}'", 21],
    ["a ? 'x' : 'y'", 3],
    ['a = b', 3],
    ['', 1],
  ];
  for (const [expression, position] of mistakes) {
    it(`${JSON.stringify(expression)} has a syntax error at character ${position}`, () => {
      assert.equal(mistakeIn(expression), position);
      assert.deepEqual(readContract({ queryTask: { state: expression } }).faults, ['queryTask.state']);
      assert.equal(stateByExpression(expression, { a: 'succeeded' }, 't-1').meaning, 'unknown');
    });
  }
});

describe('A state expression generated from a picked field', () => {
  const task = toOwnTask(typedTaskId('701', 'number'), undefined);
  const start = (starter: 'flag' | 'error', json: string, pointer: string, before?: string) =>
    startExpression(starter, before, { data: parseJson(json), pointer, task });
  const stateOf = (expression: string, json: string) => stateByExpression(expression, parseJson(json), '701').meaning;

  it('compares a flag with true and an error count with 0', () => {
    const flag = start('flag', '{"done":false,"errors":0}', '/done');
    assert.equal(flag, "done == `true` && 'succeeded' || 'running'");
    const both = start('error', '{"done":false,"errors":0}', '/errors', flag);
    assert.equal(both, "done == `true` && (to_string(errors || `0`) != '0' && 'failed' || 'succeeded') || 'running'");
    const error = start('error', '{"done":false,"errors":0}', '/errors');
    assert.equal(start('error', '{"errors":0.0}', '/errors'), error);
    assert.equal(start('flag', '{"done":false,"errors":0}', '/done', error), both);
    const states = ['{"done":false,"errors":0}', '{"done":true,"errors":0}', '{"done":true,"errors":-2}'];
    assert.equal(states.map((json) => stateOf(both, json)).join(), 'running,succeeded,failed');
    assert.deepEqual(testedNumbers(both, { done: true, errors: 0 }, '701'), []);
  });

  it('finds a task whose UUID the service returns in upper case', () => {
    const data = parseJson('[{"id":"3F2504E0-4F89-11D3-9A0C-0305E82C3301","done":true},{"id":"x","done":false}]');
    const lower = typedTaskId('3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'string');
    const own = toOwnTask(lower, undefined, undefined, data);
    const state = startExpression('flag', undefined, { data, pointer: '/${taskId}/done', task: own });
    assert.equal(stateByExpression(state, data, own.id).meaning, 'succeeded');
  });

  it('compares a value with 0 or true if a later value may be false', () => {
    const flag = start('flag', '{"done":"false"}', '/done');
    assert.equal(['"false"', '"true"'].map((done) => stateOf(flag, `{"done":${done}}`)).join(), 'running,succeeded');
    for (const picked of ['null', '"0"', '0', '-3']) {
      const error = start('error', `{"error":${picked}}`, '/error');
      const meaning = (value: string) => stateOf(error, `{"error":${value}}`);
      assert.deepEqual(['null', '0', '"0"', '""'].map(meaning), Array(4).fill('running'), error);
      assert.deepEqual(['-3', '"-3"', '"boom"', '{"line":7}'].map(meaning), Array(4).fill('failed'), error);
    }
  });

  it('finds our task, whether its ID is a number or a string, even in an object with another ID', () => {
    const json = '{"rows":[{"jobNo":"7011","a b":{"error":"x"}},{"jobNo":701,"a b":{"error":null}}]}';
    const expression = start('error', json, '/rows/${taskId}/a b/error');
    assert.equal(stateOf(expression, json), 'running');
    const failed = '{"rows":[{"jobNo":"701","a b":{"error":"x"}},{"jobNo":7011,"a b":{"error":null}}]}';
    assert.equal(stateOf(expression, failed), 'failed');
    for (const [others, ours] of [
      ['"taskId":7011,"percent":701,"parent":701', '"taskId":701'],
      ['"a task":{"id":7011}', '"a task":{"id":701}'],
    ]) {
      const list = `{"jobId":7,"tasks":[{${others},"done":false},{${ours},"done":true}]}`;
      assert.equal(stateOf(start('flag', list, '/tasks/${taskId}/done'), list), 'succeeded');
    }
    const map = start('flag', '{"tasks":{"701":{"end":null}}}', '/tasks/${taskId}/end');
    assert.equal(stateOf(map, '{"tasks":{"701":{"end":"2030-01-01"},"7":{"end":null}}}'), 'succeeded');
  });
});
