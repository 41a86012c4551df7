import assert from 'node:assert/strict';
import { backoffMs } from '../../../../src/tasks/timing/backoff';
import { fc } from '../../seededFastCheck';

const attempt = fc.integer({ min: 1, max: 10_000 });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('backoffMs', () => {
  it('is a whole number between half a second and a minute', () => {
    fc.assert(
      fc.property(attempt, chance, (count, random) => {
        const ms = backoffMs(count, () => random);
        assert.ok(ms >= 500 && ms <= 60_000 && Number.isInteger(ms), `${ms} ms`);
      }),
    );
  });

  it('is never shorter after a further failure, given the same random number', () => {
    fc.assert(
      fc.property(attempt, chance, (count, random) => {
        assert.ok(backoffMs(count + 1, () => random) >= backoffMs(count, () => random));
      }),
    );
  });

  it('doubles from 500 ms up to the maximum', () => {
    const shortest = [1, 2, 3, 4, 7, 8].map((count) => backoffMs(count, () => 0));
    assert.deepEqual(shortest, [500, 1000, 2000, 4000, 30_000, 30_000]);
  });

  it('is random between half of its step and the whole step', () => {
    const almostOne = 1 - Number.EPSILON;
    for (const count of [1, 2, 3, 4]) {
      const half = backoffMs(count, () => 0);
      assert.equal(
        backoffMs(count, () => 0.5),
        half * 1.5,
      );
      assert.equal(
        backoffMs(count, () => almostOne),
        half * 2,
      );
    }
  });
});
