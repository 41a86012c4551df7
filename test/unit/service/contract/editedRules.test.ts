import assert from 'node:assert/strict';
import { withMovedUp, withRules } from '../../../../src/service/contract/editedRules';
import type { StateRule } from '../../../../src/service/contract/stateRules';

const done: StateRule = { when: { '/done': 'present' }, is: 'succeeded' };
const failed: StateRule = { when: { '/error': 'present' }, is: 'failed' };
const doneInPart: StateRule = { when: { '/done': 'present', '/left': { atLeast: 1 } }, is: 'running' };

describe('A rule that is added to others', () => {
  it('comes last, but before those that would hold wherever it does, and before all ends that are no failure', () => {
    assert.deepEqual(withRules([], [done, failed]), [failed, done]);
    assert.deepEqual(withRules([failed, done], [doneInPart]), [failed, doneInPart, done]);
    assert.deepEqual(withRules([done], [{ ...failed, is: 'running' }]), [done, { ...failed, is: 'running' }]);
  });

  it('replaces the one with the same conditions', () => {
    const other: StateRule = { when: { '/left': { atLeast: 1 }, '/done': 'present' }, is: 'failed' };
    assert.deepEqual(withRules([failed, doneInPart, done], [other]), [failed, other, done]);
  });

  it('can be moved up, as far as there is something above', () => {
    assert.deepEqual(withMovedUp([failed, done], 1), [done, failed]);
    assert.deepEqual(withMovedUp([failed, done], 0), [failed, done]);
    assert.deepEqual(withMovedUp([failed, done], 2), [failed, done]);
  });
});
