import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import type { Condition, StateRule } from '../../../../src/service/contract/stateRules';
import { jsonPointer } from '../../../../src/service/json/jsonPointer';

const read = (states: unknown) => readContract({ queryTask: { states } });

describe('The rules that tell a state', () => {
  it('are read in their order, a value alone as one to be equal to', () => {
    const when = {
      '/a': 'present',
      '/b': true,
      '/c': 3,
      '/d': 'done',
      '/e': { equals: 'present' },
      '/f': { atLeast: 1 },
    };
    const { contract, faults } = read([
      { when, is: 'succeeded' },
      { when: { '': { atMost: 0.5 } }, is: 'running' },
    ]);
    assert.deepEqual(faults, []);
    assert.deepEqual(contract.queryTask.states, [
      {
        when: {
          '/a': 'present',
          '/b': { equals: 'true' },
          '/c': { equals: '3' },
          '/d': { equals: 'done' },
          '/e': { equals: 'present' },
          '/f': { atLeast: 1 },
        },
        is: 'succeeded',
      },
      { when: { '': { atMost: 0.5 } }, is: 'running' },
    ]);
  });

  it('are not used at all where one of them has a fault, as the others would tell another state', () => {
    const good = { when: { '/a': 'present' }, is: 'failed' };
    for (const [bad, at] of [
      [{ when: { '/a': 'present', b: 'present' }, is: 'succeeded' }, 'when.b'],
      [{ when: { '/a': { atLeast: '3' } }, is: 'succeeded' }, 'when./a'],
      [{ when: { '/a': { atLeast: 3, atMost: 5 } }, is: 'succeeded' }, 'when./a'],
      [{ when: { '/a': { atLeast: 3, most: 5 } }, is: 'succeeded' }, 'when./a'],
      [{ when: {}, is: 'succeeded' }, 'when'],
      [{ when: { '/a': 'present' }, is: 'unknown' }, 'is'],
      [{ when: { '/a': 'present' } }, 'is'],
    ] as const) {
      const { contract, faults } = read([good, bad]);
      assert.deepEqual(contract.queryTask.states, []);
      assert.deepEqual(
        faults.map((fault) => fault.at),
        [`queryTask.states.1.${at}`],
      );
    }
  });

  it('come back from the settings as they were written there', () => {
    const plain = fc.oneof(
      fc.string(),
      fc.constantFrom('present', 'absent', 'true', 'false', '0', '1.0', '9007199254740993123'),
    );
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const condition: fc.Arbitrary<Condition> = fc.oneof(
      fc.constantFrom<Condition>('present', 'absent'),
      fc.record({ equals: plain }),
      fc.record({ atLeast: number }),
      fc.record({ atMost: number }),
    );
    // A placeholder in a pointer is checked, and has tests of its own.
    const name = fc.string().filter((text) => !text.includes('${'));
    const pointer = fc.array(name, { maxLength: 3 }).map((names) => jsonPointer(...names));
    const rule: fc.Arbitrary<StateRule> = fc.record({
      when: fc.dictionary(pointer, condition, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      is: fc.constantFrom('running', 'succeeded', 'failed'),
    });
    // Records of fast-check have no prototype, which JSON does not keep.
    const asWritten = <Written>(value: Written): Written => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), (rules) => {
        const { contract, faults } = read(asWritten(rules));
        assert.deepEqual([contract.queryTask.states, faults], [asWritten(rules), []]);
      }),
    );
  });
});
