import assert from 'node:assert/strict';
import { backoffMs } from '../../../../src/tasks/timing/backoff';

describe('The backoff', () => {
  it('doubles after each failure from 1 second up to 1 minute, and is randomly shortened by up to half', () => {
    const failures = [1, 2, 3, 4, 6, 7, 8, 10_000];
    const longest = [1000, 2000, 4000, 8000, 32_000, 60_000, 60_000, 60_000];
    for (const [random, factor] of [
      [0, 0.5],
      [0.5, 0.75],
      [1, 1],
    ] as const) {
      const delays = failures.map((count) => backoffMs(count, () => random));
      assert.deepEqual(
        delays,
        longest.map((ms) => ms * factor),
      );
    }
  });
});
