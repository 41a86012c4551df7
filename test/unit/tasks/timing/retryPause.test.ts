import assert from 'node:assert/strict';
import { RetryPause } from '../../../../src/tasks/timing/retryPause';
import { fc } from '../../seededFastCheck';
import { HandClock } from '../handClock';

const HOUR_MS = 60 * 60_000;

describe('RetryPause', () => {
  it('is as long as the service asks for, but no shorter than our own back-off and no longer than an hour', () => {
    const cases: [retryAfterMs: number | undefined, pauseMs: number][] = [
      [undefined, 700],
      [-1000, 700],
      [0, 700],
      [1.5, 700],
      [30_000, 30_000],
      [HOUR_MS + 1, HOUR_MS],
      [Number.POSITIVE_INFINITY, HOUR_MS],
    ];
    for (const [retryAfterMs, pauseMs] of cases) {
      const pause = new RetryPause(new HandClock());
      pause.extend(700, retryAfterMs);
      assert.equal(pause.remainingMs, pauseMs, String(retryAfterMs));
    }
  });

  it('is the longest one that was asked for', () => {
    const pause = new RetryPause(new HandClock());
    for (const retryAfterMs of [5000, 60_000, 1000]) pause.extend(500, retryAfterMs);
    assert.equal(pause.remainingMs, 60_000);
  });

  it('lasts as long as was meant, whatever becomes of the wall clock', () => {
    const clock = new HandClock();
    const pause = new RetryPause(clock);
    pause.extend(2000, undefined);
    for (const ms of [-HOUR_MS, 2 * HOUR_MS]) {
      clock.jump(ms);
      assert.equal(pause.remainingMs, 2000);
    }
    clock.advance(2000);
    assert.equal(pause.remainingMs, 0);
  });

  it('of our own back-off can be ended, while what the service asked for is kept until the pause as a whole is ended', () => {
    const pause = new RetryPause(new HandClock());
    pause.extend(1000, undefined);
    pause.endBackoff();
    assert.equal(pause.remainingMs, 0);
    pause.extend(10_000, 7000);
    pause.endBackoff();
    assert.equal(pause.remainingMs, 7000);
    pause.end();
    assert.equal(pause.remainingMs, 0);
  });

  it('is never shortened by a further one, and ends within an hour', () => {
    const extension = fc.record({
      afterMs: fc.nat(30_000),
      backoffMs: fc.integer({ min: 500, max: 20_000 }),
      retryAfterMs: fc.option(fc.nat(2 * HOUR_MS), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(extension, { maxLength: 60 }), (extensions) => {
        const clock = new HandClock();
        const pause = new RetryPause(clock);
        for (const { afterMs, backoffMs, retryAfterMs } of extensions) {
          clock.advance(afterMs);
          const { untilMs } = pause;
          pause.extend(backoffMs, retryAfterMs);
          assert.ok(pause.untilMs >= untilMs);
          assert.ok(pause.remainingMs >= Math.max(backoffMs, Math.min(retryAfterMs ?? 0, HOUR_MS)));
          assert.ok(pause.remainingMs <= HOUR_MS);
        }
        clock.advance(HOUR_MS);
        assert.equal(pause.remainingMs, 0);
      }),
    );
  });
});
