import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import type { Condition, StateRule } from '../../../../src/service/contract/stateRules';
import { type Json, parseJson, stringifyJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/places/whose';
import { allLeaves } from '../../../../src/service/proposing/leaves';
import { proposedStates } from '../../../../src/service/proposing/proposedStates';
import { isSo, stateByRules } from '../../../../src/service/response/stateByRules';
import { readTaskReport } from '../../../../src/service/response/taskReport';

describe('A condition of a rule', () => {
  const holds: readonly (readonly [condition: Condition, values: readonly string[], not: readonly string[]])[] = [
    ['present', ['false', '0', '"x"', '[0]', '{"a":null}'], ['null', '""', '[]', '{}']],
    ['absent', ['null', '""', '[]', '{}'], ['false', '0', '"x"']],
    [{ equals: 'true' }, ['true', '"true"'], ['false', '1', '"True"', 'null']],
    [{ equals: '0' }, ['0', '"0"'], ['0.0', 'false', 'null', '""', '[0]']],
    [{ equals: '9007199254740993123' }, ['9007199254740993123'], ['9007199254740993124']],
    [{ atLeast: 10 }, ['10', '10.5', '"10"', '"11 %"', '1e3'], ['9', '-11', '"ten"', 'null', '"10 of 12"', 'true']],
    [{ atMost: 0 }, ['0', '-1', '"0%"'], ['1', 'null', '""', 'false']],
  ];
  for (const [condition, values, not] of holds) {
    it(`${JSON.stringify(condition)} holds for ${values.join(', ')} and not for ${not.join(', ')}`, () => {
      for (const value of values) assert.ok(isSo(condition, parseJson(value)), value);
      for (const value of not) assert.ok(!isSo(condition, parseJson(value)), value);
      assert.equal(isSo(condition, undefined), condition === 'absent');
    });
  }

  it('of what is called as errors are is that there is one, and not that something is written there', () => {
    for (const none of ['0', '"0000"', 'false', '"none"', '"OK"', '{"code":0,"text":null}', '[null]'])
      for (const at of ['/error', '/x/errorCode', '/failed'])
        assert.deepEqual([isSo('present', parseJson(none), at), isSo('absent', parseJson(none), at)], [false, true]);
    for (const error of ['1', '-1', 'true', '"no space"', '{"code":5}', '[{"row":3}]'])
      assert.deepEqual(
        [isSo('present', parseJson(error), '/error'), isSo('absent', parseJson(error), '/error')],
        [true, false],
      );
    assert.ok(isSo('present', 0, '/finishedAt') && isSo({ equals: '0' }, 0, '/error'));
  });

  it('is one of several that must all hold, in the first rule that does', () => {
    const rules = [
      { when: { '/a': 'present', '/b': 'present' }, is: 'failed' },
      { when: { '/a': 'present' }, is: 'succeeded' },
      { when: { '/c': 'absent' }, is: 'running' },
    ] as const;
    const stateOf = (...there: string[]) =>
      stateByRules(rules, Object.fromEntries(there.map((name) => [name, 1])), undefined);
    assert.deepEqual(stateOf('a', 'b', 'c'), { held: rules[0], at: ['/a', '/b', '/c'] });
    assert.equal(stateOf('a')?.held, rules[1]);
    assert.equal(stateOf('b')?.held, rules[2]);
    assert.equal(stateOf('c')?.held, undefined);
  });
});

describe('Rules about one task of several', () => {
  const ownTask = toOwnTask(typedTaskId('t-7', 'string'), undefined);
  const times = ['null', '"2030-01-01T00:00:00Z"'] as const;
  const decoys = fc.uniqueArray(
    fc.record({
      id: fc.nat({ max: 6 }).map((n) => `t-${n}`),
      end: fc.constantFrom(...times),
      failure: fc.constantFrom(...times),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
  );
  const write = (id: string, end: string, failure: string) =>
    `{"taskId":"${id}","finishedAt":${end},"failedAt":${failure}}`;
  const nestings: Readonly<Record<string, (elements: readonly string[], names: readonly string[]) => string>> = {
    list: (elements) => `[${elements.join(',')}]`,
    page: (elements) => `{"total":3,"records":[${elements.join(',')}]}`,
    map: (elements, names) =>
      `{"tasks":{${elements.map((element, index) => `"${names[index]}":${element}`).join(',')}}}`,
    text: (elements) => `{"result":${JSON.stringify(`[${elements.join(',')}]`)}}`,
  };
  const tell = (data: Json, states: readonly StateRule[]) =>
    readTaskReport(data, { ...DEFAULT_CONTRACT.queryTask, states }, ownTask);

  for (const [nesting, nest] of Object.entries(nestings)) {
    it(`are made from our element and read there, wherever it is, and nothing of another is read: ${nesting}`, () => {
      const response = (others: readonly { id: string; end: string; failure: string }[], own: string, at: number) => {
        const all = others.map(({ id, end, failure }) => [id, write(id, end, failure)] as const);
        const shown = all.toSpliced(at % (all.length + 1), 0, ['t-7', own]);
        return parseJson(
          nest(
            shown.map(([, element]) => element),
            shown.map(([id]) => id),
          ),
        );
      };
      const position = fc.nat({ max: 5 });
      fc.assert(
        fc.property(decoys, decoys, position, position, (before, after, at, later) => {
          const first = response(before, write('t-7', 'null', 'null'), at);
          const [rules = []] = proposedStates(allLeaves({ data: first, ownTask }));
          assert.ok(
            rules.length > 0 && rules.every(({ when }) => stringifyJson({ ...when } as Json).includes('${taskId}')),
          );
          assert.equal(tell(first, rules).meaning, 'running');
          const [, time] = times;
          for (const [own, meaning] of [
            [write('t-7', 'null', 'null'), 'running'],
            [write('t-7', time, 'null'), 'succeeded'],
            [write('t-7', 'null', time), 'failed'],
          ] as const)
            assert.equal(tell(response(after, own, later), rules).meaning, meaning);
        }),
        { numRuns: 60 },
      );
    });
  }

  it('tell nothing where our element is not there, not even that a value is absent', () => {
    const rules = [
      { when: { '/jobs/${taskId}/failedAt': 'present' }, is: 'failed' },
      { when: { '/jobs/${taskId}/error': 'absent' }, is: 'succeeded' },
      { when: { '/jobs/0/error': 'absent' }, is: 'succeeded' },
    ] as const;
    const others = parseJson('{"jobs":[{"taskId":"t-1","failedAt":1},{"taskId":"t-2","error":null}]}');
    const { meaning, byRules, elements } = tell(others, rules);
    assert.deepEqual([meaning, byRules, elements], ['unknown', undefined, 'severalNoneOwn']);
    assert.equal(tell(parseJson('{"jobs":[]}'), rules).meaning, 'unknown');
    const itself = parseJson('{"taskId":"t-1","pending":0}');
    assert.equal(tell(itself, [{ when: { '/error': 'absent' }, is: 'succeeded' }]).meaning, 'unknown');
  });

  it('say that an error is absent where the list of errors is empty', () => {
    const rules = [{ when: { '/finishedAt': 'present', '/errors/0/text': 'absent' }, is: 'succeeded' }] as const;
    const meaning = (errors: string) =>
      tell(parseJson(`{"finishedAt":"2030-01-01","errors":${errors}}`), rules).meaning;
    assert.deepEqual([meaning('[]'), meaning('[{"text":"line 3"}]')], ['succeeded', 'running']);
  });

  it('find our element in another list, and there a value that is null', () => {
    const rules = [{ when: { '/running/${taskId}/error': 'absent' }, is: 'succeeded' }] as const;
    const moved = parseJson('{"running":[],"done":[{"taskId":"t-7","error":null},{"taskId":"t-8","error":"x"}]}');
    assert.equal(tell(moved, rules).meaning, 'succeeded');
  });

  it('read the last element of a list of events where that was picked, and propose no element by its number', () => {
    const events = parseJson('[{"finishedAt":null,"failedAt":null},{"finishedAt":"2030-01-01","failedAt":null}]');
    const proposed = proposedStates(allLeaves({ data: events, ownTask }));
    assert.deepEqual(
      proposed.flatMap((rules) => rules.flatMap(({ when }) => Object.keys(when))),
      ['/${last}/failedAt', '/${last}/finishedAt'],
    );
    assert.equal(tell(events, proposed[0] ?? []).meaning, 'succeeded');
  });
});
