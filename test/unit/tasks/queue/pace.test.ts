import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Pace, pauseMsAfter } from '../../../../src/tasks/queue/pace';
import { HandClock } from '../handClock';

const HOUR_MS = 60 * 60_000;

describe('The pace of a dataset', () => {
  it('is all that the user allows at first, and at least one', () => {
    const pace = new Pace(new HandClock());
    assert.deepEqual([pace.limit(7), pace.limit(1), pace.limit(0), pace.pauseMs], [7, 1, 1, 0]);
  });

  it('is halved when the service pushes back, and grows by one with each round that goes well', () => {
    const clock = new HandClock();
    const pace = new Pace(clock);
    pace.pushedBack(1, 8, undefined);
    const limits = [pace.limit(8)];
    for (let well = 0; well < 4 + 5 + 6 + 7 + 8; well++) {
      pace.wentWell(8);
      if (pace.limit(8) !== limits.at(-1)) limits.push(pace.limit(8));
    }
    assert.deepEqual(limits, [4, 5, 6, 7, 8]);
  });

  it('pauses longer with each failure in a row, up to 20 s', () => {
    const clock = new HandClock(() => 1);
    const pace = new Pace(clock);
    const pauses = [1, 2, 3, 4, 5, 1].map((failures) => {
      pace.pushedBack(failures, 1, undefined);
      const { pauseMs } = pace;
      clock.advance(pauseMs);
      return pauseMs;
    });
    assert.deepEqual(pauses, [1000, 4000, 16_000, 20_000, 20_000, 1000]);
  });

  it('takes the longest pause that was asked for, also by what was under way, but no more than an hour', () => {
    const pace = new Pace(new HandClock());
    pace.pushedBack(1, 4, 5000);
    pace.askedToWait(1, 60_000);
    pace.askedToWait(1, 1000);
    assert.equal(pace.pauseMs, 60_000);
    pace.askedToWait(1, 10 * HOUR_MS);
    assert.equal(pace.pauseMs, HOUR_MS);
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
    const pace = new Pace(clock);
    pace.pushedBack(1, 4, 2000);
    for (const ms of [-HOUR_MS, 2 * HOUR_MS]) {
      clock.jump(ms);
      assert.equal(pace.pauseMs, 2000);
    }
    clock.advance(2000);
    assert.equal(pace.pauseMs, 0);
  });

  it('is hurried out of a pause of its own; out of one that was asked for only where it is another service', () => {
    const pace = new Pace(new HandClock());
    pace.pushedBack(1, 4, undefined);
    pace.hurry();
    assert.equal(pace.pauseMs, 0);
    pace.pushedBack(1, 4, 7000);
    pace.hurry();
    assert.equal(pace.pauseMs, 7000);
    pace.beginAnew();
    assert.deepEqual([pace.pauseMs, pace.limit(4)], [0, 4]);
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
        const pace = new Pace(clock);
        for (const it of events) {
          const untilMs = pace.pausedUntilMs;
          if (it.kind === 'advance') clock.advance(it.ms);
          if (it.kind === 'well') pace.wentWell(allowed);
          if (it.kind === 'back') {
            pace.pushedBack(it.failures, it.running, it.askedMs);
            const leastMs = Math.max(500, Math.min(it.askedMs ?? 0, HOUR_MS));
            assert.ok(pace.pauseMs >= leastMs, 'what was asked for is kept, and our own back-off');
          }
          const limit = pace.limit(allowed);
          assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= allowed, `${limit} of ${allowed}`);
          assert.ok(pace.pausedUntilMs >= untilMs, 'nothing shortens a pause');
          assert.ok(pace.pauseMs <= HOUR_MS);
        }
        clock.advance(HOUR_MS);
        assert.equal(pace.pauseMs, 0);
        for (let round = 0; round < allowed * allowed; round++) pace.wentWell(allowed);
        assert.equal(pace.limit(allowed), allowed, 'it comes back to what is allowed');
      }),
    );
  });
});
