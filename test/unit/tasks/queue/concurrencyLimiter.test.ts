import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ConcurrencyLimiter, pauseMsAfter } from '../../../../src/tasks/queue/concurrencyLimiter';
import { HandClock } from '../handClock';

const HOUR_MS = 60 * 60_000;

describe('The pace of a dataset', () => {
  it('is all that the user allows at first, and at least one', () => {
    const limiter = new ConcurrencyLimiter(new HandClock());
    assert.deepEqual([limiter.limit(7), limiter.limit(1), limiter.limit(0), limiter.pauseMs], [7, 1, 1, 0]);
  });

  it('is halved when the service pushes back, and grows by one with each round that goes well', () => {
    const clock = new HandClock();
    const limiter = new ConcurrencyLimiter(clock);
    limiter.throttled(1, 8, undefined);
    const limits = [limiter.limit(8)];
    for (let well = 0; well < 4 + 5 + 6 + 7 + 8; well++) {
      limiter.succeeded(8);
      if (limiter.limit(8) !== limits.at(-1)) limits.push(limiter.limit(8));
    }
    assert.deepEqual(limits, [4, 5, 6, 7, 8]);
  });

  it('pauses longer with each failure in a row, up to 20 s', () => {
    const clock = new HandClock(() => 1);
    const limiter = new ConcurrencyLimiter(clock);
    const pauses = [1, 2, 3, 4, 5, 1].map((failures) => {
      limiter.throttled(failures, 1, undefined);
      const { pauseMs } = limiter;
      clock.advance(pauseMs);
      return pauseMs;
    });
    assert.deepEqual(pauses, [1000, 4000, 16_000, 20_000, 20_000, 1000]);
  });

  it('takes the longest pause that was asked for, also by what was under way, but no more than an hour', () => {
    const limiter = new ConcurrencyLimiter(new HandClock());
    limiter.throttled(1, 4, 5000);
    limiter.extendPause(1, 60_000);
    limiter.extendPause(1, 1000);
    assert.equal(limiter.pauseMs, 60_000);
    limiter.extendPause(1, 10 * HOUR_MS);
    assert.equal(limiter.pauseMs, HOUR_MS);
  });

  it('pauses no shorter than by itself, however little is asked for', () => {
    for (const askedMs of [0, -1000, 1, undefined]) {
      assert.deepEqual([pauseMsAfter(1, askedMs, () => 0), pauseMsAfter(4, askedMs, () => 0)], [500, 10_000]);
    }
    assert.equal(
      pauseMsAfter(2, 1.5, () => 0),
      2000,
    );
    assert.equal(
      pauseMsAfter(1, Number.POSITIVE_INFINITY, () => 0),
      HOUR_MS,
    );
  });

  it('pauses as long as was meant, whatever becomes of the wall clock', () => {
    const clock = new HandClock();
    const limiter = new ConcurrencyLimiter(clock);
    limiter.throttled(1, 4, 2000);
    for (const ms of [-HOUR_MS, 2 * HOUR_MS]) {
      clock.jump(ms);
      assert.equal(limiter.pauseMs, 2000);
    }
    clock.advance(2000);
    assert.equal(limiter.pauseMs, 0);
  });

  it('is hurried out of a pause of its own; out of one that was asked for only where it is another service', () => {
    const limiter = new ConcurrencyLimiter(new HandClock());
    limiter.throttled(1, 4, undefined);
    limiter.clearBackoff();
    assert.equal(limiter.pauseMs, 0);
    limiter.throttled(1, 4, 7000);
    limiter.clearBackoff();
    assert.equal(limiter.pauseMs, 7000);
    limiter.reset();
    assert.deepEqual([limiter.pauseMs, limiter.limit(4)], [0, 4]);
  });

  it('whatever happens, is never above what is allowed nor below one, and every pause ends and is kept', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('well' as const) }),
      fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(30_000) }),
      fc.record({
        kind: fc.constant('back' as const),
        failures: fc.integer({ min: 1, max: 20 }),
        running: fc.nat(20),
        askedMs: fc.option(fc.nat(2 * HOUR_MS), { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 1, max: 16 }), (events, allowed) => {
        const clock = new HandClock();
        const limiter = new ConcurrencyLimiter(clock);
        for (const it of events) {
          const untilMs = limiter.pausedUntilMs;
          if (it.kind === 'advance') clock.advance(it.ms);
          if (it.kind === 'well') limiter.succeeded(allowed);
          if (it.kind === 'back') {
            limiter.throttled(it.failures, it.running, it.askedMs);
            const leastMs = Math.max(500, Math.min(it.askedMs ?? 0, HOUR_MS));
            assert.ok(limiter.pauseMs >= leastMs, 'what was asked for is kept, and our own back-off');
          }
          const limit = limiter.limit(allowed);
          assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= allowed, `${limit} of ${allowed}`);
          assert.ok(limiter.pausedUntilMs >= untilMs, 'nothing shortens a pause');
          assert.ok(limiter.pauseMs <= HOUR_MS);
        }
        clock.advance(HOUR_MS);
        assert.equal(limiter.pauseMs, 0);
        for (let round = 0; round < allowed * allowed; round++) limiter.succeeded(allowed);
        assert.equal(limiter.limit(allowed), allowed, 'it comes back to what is allowed');
      }),
    );
  });
});
