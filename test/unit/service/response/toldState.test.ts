import assert from 'node:assert/strict';
import type { Condition } from '../../../../src/service/contract/stateRules';
import { parseJson } from '../../../../src/service/json/json';
import { isSo, toldState } from '../../../../src/service/response/toldState';

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

  it('is one of several that must all hold, in the first rule that does', () => {
    const rules = [
      { when: { '/a': 'present', '/b': 'present' }, is: 'failed' },
      { when: { '/a': 'present' }, is: 'succeeded' },
      { when: { '/c': 'absent' }, is: 'running' },
    ] as const;
    const told = (...there: string[]) => toldState(rules, (at) => (there.includes(at) ? 1 : undefined));
    assert.deepEqual(told('/a', '/b', '/c'), { held: rules[0], at: ['/a', '/b', '/c'] });
    assert.equal(told('/a').held, rules[1]);
    assert.equal(told('/b').held, rules[2]);
    assert.equal(told('/c').held, undefined);
  });
});
