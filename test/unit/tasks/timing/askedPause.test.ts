import assert from 'node:assert/strict';
import { askedPauseMs } from '../../../../src/tasks/timing/askedPause';

describe('A pause that a service asks for', () => {
  it('is kept where it is longer than our own back-off', () => {
    assert.equal(askedPauseMs(30_000, 700), 30_000);
  });

  it('is never shorter than our own back-off', () => {
    for (const askedMs of [0, 1, 699]) assert.equal(askedPauseMs(askedMs, 700), 700);
  });

  it('is never longer than an hour', () => {
    for (const askedMs of [3_600_001, 1e24, Number.POSITIVE_INFINITY]) {
      assert.equal(askedPauseMs(askedMs, 700), 3_600_000);
    }
  });
});
