import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StateRule } from '../../../../src/service/contract/stateRules';
import { type Json, parseJson } from '../../../../src/service/json/json';
import { jsonPointer } from '../../../../src/service/json/jsonPointer';
import { allLeaves } from '../../../../src/service/proposing/leaves';
import { proposedStates, proposedStatesWith } from '../../../../src/service/proposing/proposedStates';
import { stateByRules } from '../../../../src/service/response/stateByRules';

type Meaning = StateRule['is'];

const leavesOf = (data: Json) => allLeaves({ data, ownTask: undefined });

/** What the first proposed rules for a response tell of others. */
function tells(from: Json, ...others: Json[]): Meaning[] {
  const [rules = []] = proposedStates(leavesOf(from));
  assert.ok(rules.length > 0, JSON.stringify(from));
  return others.map((data) => stateByRules(rules, data, undefined)?.held?.is ?? 'running');
}

describe('The rules that are proposed for a response', () => {
  const shapes: readonly (readonly [what: string, running: Json, succeeded: Json, failed: Json])[] = [
    [
      'two flags',
      { finished: false, success: false },
      { finished: true, success: true },
      { finished: true, success: false },
    ],
    [
      'a flag, and one that is null until then',
      { isDone: false, ok: null },
      { isDone: true, ok: true },
      { isDone: true, ok: false },
    ],
    [
      'a flag and an error',
      { done: false, error: null },
      { done: true, error: null },
      { done: true, error: 'bad line 7' },
    ],
    [
      'a time and a list of errors',
      { finishedAt: null, errors: [{ text: 'line 3' }] },
      { finishedAt: '2030-01-01T00:00:00Z', errors: [] },
      { finishedAt: '2030-01-01T00:00:00Z', errors: [{ text: 'line 3' }, { text: 'line 4' }] },
    ],
    [
      'a flag for each',
      { is_success: false, is_failed: false },
      { is_success: true, is_failed: false },
      { is_success: false, is_failed: true },
    ],
    [
      'times',
      { id: 'T1', finishedAt: null, failedAt: null },
      { id: 'T1', finishedAt: '2030-01-01T00:00:00Z', failedAt: null },
      { id: 'T1', finishedAt: null, failedAt: '2030-01-01T00:00:00Z' },
    ],
    [
      'a time, and a reason',
      { end_time: '', fail_reason: '' },
      { end_time: 1893499200, fail_reason: '' },
      { end_time: 1893499200, fail_reason: 'no space' },
    ],
    [
      'counters',
      { pending: 0, failed: 0, total: 0 },
      { pending: 0, failed: 0, total: 12 },
      { pending: 0, failed: 3, total: 12 },
    ],
    ['percent, and an error', { percent: 40, err: null }, { percent: 100, err: null }, { percent: 40, err: 'no' }],
    [
      'a time, and a reason without an end',
      { endedAt: null, failReason: null },
      { endedAt: '2030-01-01', failReason: null },
      { endedAt: null, failReason: 'no space' },
    ],
    [
      'a time, and a code of errors',
      { endedAt: null, errorCode: '' },
      { endedAt: '2030-01-01', errorCode: '' },
      { endedAt: null, errorCode: 'E7' },
    ],
    ['a flag alone', { done: false }, { done: true }, { done: true, error: { code: 5 } }],
    [
      'a flag, and an error that is an object',
      { done: false, failure: null },
      { done: true, failure: {} },
      { done: true, failure: { line: 7 } },
    ],
    [
      'counters, and a flag for the failure',
      { pending: 3, total: 9, failed: false },
      { pending: 0, total: 9, failed: false },
      { pending: 3, total: 9, failed: true },
    ],
    [
      'counters, and a reason',
      { remaining: 3, total: 9, errorMsg: null },
      { remaining: 0, total: 9, errorMsg: null },
      { remaining: 3, total: 9, errorMsg: 'no' },
    ],
    ['progress that is negative where it failed', { progress: 40 }, { progress: 100 }, { progress: -1 }],
  ];
  for (const [what, running, succeeded, failed] of shapes) {
    it(`tell the state from ${what}, whichever response they were made from`, () => {
      const states = [running, succeeded, failed, { data: 'other' }];
      for (const from of [running, succeeded, failed])
        for (const inside of [(data: Json) => data, (data: Json) => ({ task: data }), (data: Json) => [data]]) {
          assert.deepEqual(tells(inside(from), ...states.map(inside)), ['running', 'succeeded', 'failed', 'running']);
        }
    });
  }

  it('are none where no name speaks for a state', () => {
    for (const data of ['{"id":"T1","name":"a.txt","size":12}', '{"x":{"y":null}}', '[]', '"a"']) {
      assert.deepEqual(proposedStates(leavesOf(parseJson(data))), []);
    }
  });

  it('for a value look at it and what is beside it, by whatever names', () => {
    const leaves = leavesOf({ fin: false, okay2: null, u: { fin: true } });
    const [fin] = leaves;
    const sentences = proposedStatesWith(fin ?? assert.fail(), leaves).map((rules) => JSON.stringify(rules));
    assert.deepEqual(
      sentences[0],
      JSON.stringify([
        { when: { '/fin': { equals: 'true' }, '/okay2': { equals: 'false' } }, is: 'failed' },
        { when: { '/fin': { equals: 'true' }, '/okay2': { equals: 'true' } }, is: 'succeeded' },
      ]),
    );
    assert.ok(sentences.every((sentence) => sentence.includes('"/fin"') && !sentence.includes('/u/fin')));
  });

  it('for a value never take the name of a failure for a success, or the other way round', () => {
    const leaves = leavesOf({ finishedAt: null, failedAt: null, other: null });
    const sentences = leaves.flatMap((leaf) => proposedStatesWith(leaf, leaves)).map((rules) => JSON.stringify(rules));
    const ofBoth = sentences.filter((each) => each.includes('"is":"failed"') && each.includes('"is":"succeeded"'));
    for (const rules of ofBoth) {
      assert.doesNotMatch(rules, /"\/failedAt":"present"\},"is":"succeeded"|"\/finishedAt":"present"\},"is":"failed"/);
    }
    assert.ok(ofBoth.filter((sentence) => sentence.includes('/other')).length >= 2);
  });

  it('for a flag by any name have a failed end too, by what is null beside it or by an error that is yet to come', () => {
    const first = (data: Json) => {
      const leaves = leavesOf(data);
      return proposedStatesWith(leaves[0] ?? assert.fail(), leaves);
    };
    const end = (reason: string) => [
      { when: { '/x/fin': { equals: 'true' }, [reason]: 'present' }, is: 'failed' },
      { when: { '/x/fin': { equals: 'true' }, [reason]: 'absent' }, is: 'succeeded' },
    ];
    assert.deepEqual(first({ x: { fin: false } })[0], end('/x/error'));
    assert.ok(
      first({ x: { fin: false, fehler: null } }).some(
        (rules) => JSON.stringify(rules) === JSON.stringify(end('/x/fehler')),
      ),
    );
  });

  it('look at what is in the response alone, and at an error beside it, and tell failures first, whatever is in it', () => {
    const name = fc.constantFrom(
      'finished',
      'success',
      'failedAt',
      'finishedAt',
      'error',
      'pending',
      'total',
      'percent',
      'x',
    );
    const value = fc.constantFrom<Json>(null, '', false, true, 0, 7, 0.5, '40%', 'text', '2030-01-01', {}, []);
    const response = fc.oneof(
      fc.dictionary(name, value, { noNullPrototype: true }),
      fc.dictionary(name, fc.dictionary(name, value, { noNullPrototype: true }), { noNullPrototype: true }),
    );
    fc.assert(
      fc.property(response, (data) => {
        const leaves = leavesOf(data);
        const pointers = new Set(leaves.map(({ pointer }) => pointer));
        for (const rules of [
          proposedStates(leaves),
          ...leaves.map((leaf) => proposedStatesWith(leaf, leaves)),
        ].flat()) {
          assert.ok(rules.length > 0);
          for (const { when } of rules)
            for (const at of Object.keys(when)) assert.ok(pointers.has(at) || at.endsWith('/error'), at);
          const order = rules.map(({ is }) => is);
          assert.ok(!order.includes('failed') || order[0] === 'failed', order.join());
        }
      }),
    );
  });

  it('have names that the settings take', () => {
    const [rules] = proposedStates(leavesOf({ 'a/b': { done: false, ok: false } }));
    assert.deepEqual(Object.keys(rules?.[0]?.when ?? {}), [jsonPointer('a/b', 'done'), jsonPointer('a/b', 'ok')]);
  });
});
