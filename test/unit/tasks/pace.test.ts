import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Pace } from '../../../src/tasks/pace';
import { HandClock } from './handClock';

const HOUR_MS = 60 * 60_000;

describe('The pace of a dataset', () => {
  it('is all that the user allows at first, and at least one', () => {
    const pace = new Pace(new HandClock());
    assert.deepEqual([pace.limit(7), pace.limit(1), pace.limit(0), pace.pauseMs], [7, 1, 1, 0]);
  });

  it('is halved when the service pushes back, and grows by one with each round that goes well', () => {
    const clock = new HandClock();
    const pace = new Pace(clock);
    pace.pushedBack(clock.now(), 8, undefined);
    const limits = [pace.limit(8)];
    for (let well = 0; well < 4 + 5 + 6 + 7 + 8; well++) {
      pace.wentWell(8);
      if (pace.limit(8) !== limits.at(-1)) limits.push(pace.limit(8));
    }
    assert.deepEqual(limits, [4, 5, 6, 7, 8]);
  });

  it('takes all that was under way when the service pushed back for one push', () => {
    const clock = new HandClock();
    const pace = new Pace(clock);
    const beganMs = clock.now();
    clock.advance(10);
    for (let count = 0; count < 8; count++) pace.pushedBack(beganMs, 8 - count, undefined);
    assert.deepEqual([pace.limit(8), pace.pauseMs], [4, 750]);
  });

  it('pauses longer each time, up to 20 s, until something goes well', () => {
    const clock = new HandClock(() => 1);
    const pace = new Pace(clock);
    const pauses: number[] = [];
    const push = () => {
      pace.pushedBack(clock.now(), 1, undefined);
      pauses.push(pace.pauseMs);
      clock.advance(pace.pauseMs);
    };
    for (let count = 0; count < 5; count++) push();
    pace.wentWell(4);
    push();
    assert.deepEqual(pauses, [1000, 4000, 16_000, 20_000, 20_000, 1000]);
  });

  it('takes the longest pause that was asked for, also by what was under way, but no more than an hour', () => {
    const clock = new HandClock();
    const pace = new Pace(clock);
    const beganMs = clock.now();
    clock.advance(10);
    pace.pushedBack(beganMs, 4, 5000);
    pace.pushedBack(beganMs, 4, 60_000);
    pace.pushedBack(beganMs, 4, 1000);
    assert.equal(pace.pauseMs, 60_000);
    pace.pushedBack(beganMs, 4, 10 * HOUR_MS);
    assert.equal(pace.pauseMs, HOUR_MS);
  });

  it('is hurried out of a pause of its own; out of one that was asked for only where it is another service', () => {
    const clock = new HandClock();
    const pace = new Pace(clock);
    pace.pushedBack(clock.now(), 4, undefined);
    pace.hurry();
    assert.equal(pace.pauseMs, 0);
    pace.pushedBack(clock.now(), 4, 7000);
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
        agoMs: fc.nat(30_000),
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
            pace.pushedBack(clock.now() - it.agoMs, it.running, it.askedMs);
            const leastMs = Math.min(it.askedMs ?? 0, HOUR_MS);
            assert.ok(pace.pauseMs >= leastMs, 'what was asked for is kept');
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
