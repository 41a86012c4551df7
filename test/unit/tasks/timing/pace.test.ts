import assert from 'node:assert/strict';
import { Pace } from '../../../../src/tasks/timing/pace';

describe('A pace', () => {
  it('estimates the time left after a while, and not before', () => {
    const pace = new Pace();
    pace.note(0, 0);
    pace.note(10, 2000);
    assert.equal(pace.timeLeftMs(90, 4000), undefined);
    pace.note(20, 4000);
    assert.equal(pace.timeLeftMs(80, 4000), undefined);
    assert.equal(pace.timeLeftMs(80, 5000), 20_000);
  });

  it('is the recent one, and slows if nothing gets done', () => {
    const pace = new Pace();
    pace.note(0, 0);
    for (let second = 1; second <= 30; second++) pace.note(1000 + second, 1_000_000 + second * 1000);
    assert.equal(pace.timeLeftMs(10, 1_030_000), 10_000);
    assert.equal(pace.timeLeftMs(10, 1_049_000), 20_000);
  });

  it('starts over if less is done than before', () => {
    const pace = new Pace();
    for (let second = 0; second <= 10; second++) pace.note(second, second * 1000);
    assert.equal(pace.timeLeftMs(1, 10_000), 1000);
    pace.note(3, 11_000);
    assert.equal(pace.timeLeftMs(1, 20_000), undefined);
  });
});
