import assert from 'node:assert/strict';
import {
  CanceledError,
  ConnectError,
  ConnectionLostError,
  SourceError,
  UnexpectedError,
} from '../../../../src/service/errors';
import type { Outcome } from '../../../../src/service/response/outcome';
import { CircuitBreaker, type WaitReason, waitReasonAfter } from '../../../../src/tasks/queue/circuitBreaker';
import { HandClock } from '../handClock';

const lost: Outcome<never> = {
  kind: 'unconfirmed',
  cause: new ConnectionLostError('reset', 'a.example'),
  sentBytes: 1,
  totalBytes: 2,
};
const accepted: Outcome<undefined> = {
  kind: 'accepted',
  response: { envelope: {}, deviations: [] },
  value: undefined,
};
const rejected = (facts: { badKey?: boolean; tryLater?: boolean; retryAfterMs?: number } = {}): Outcome<never> => ({
  kind: 'rejected',
  refusal: { by: 'status', status: 400, excerpt: '' },
  badKey: false,
  tryLater: false,
  ...facts,
});

function met(outcome: Outcome<unknown>): WaitReason {
  const waitReason = waitReasonAfter(outcome);
  assert.ok(waitReason);
  return waitReason;
}

const failing = met(lost);
const busy = met(rejected({ tryLater: true }));

/** A breaker whose clock stands still until the test moves it on. */
function made(random?: () => number) {
  const clock = new HandClock(random);
  const breaker = new CircuitBreaker(clock);
  return { clock, breaker, endPause: () => clock.advance(breaker.pauseMs) };
}

describe('The circuit breaker of a queue', () => {
  it('opens at a failure, is half-open after a pause, and closes with the success of the probe', () => {
    const { breaker, endPause } = made();
    assert.deepEqual([breaker.state, breaker.waitReason], ['closed', undefined]);
    assert.equal(breaker.record(breaker.round, lost), true);
    assert.deepEqual([breaker.state, breaker.waitReason], ['open', failing]);
    endPause();
    assert.equal(breaker.state, 'halfOpen');
    breaker.record(breaker.round, accepted);
    assert.deepEqual([breaker.state, breaker.waitReason], ['closed', undefined]);
  });

  it('closes with a rejection too, as the service is there', () => {
    const { breaker, endPause } = made();
    breaker.record(breaker.round, lost);
    endPause();
    breaker.record(breaker.round, rejected());
    assert.equal(breaker.state, 'closed');
  });

  it('counts what began before it opened neither as another failure nor as a success', () => {
    const { breaker, endPause } = made();
    const { round } = breaker;
    breaker.record(round, lost);
    for (let casualty = 0; casualty < 7; casualty++) assert.equal(breaker.record(round, lost), false);
    breaker.record(round, accepted);
    endPause();
    assert.deepEqual([breaker.state, breaker.stoppedBy], ['halfOpen', undefined]);
    breaker.record(breaker.round, accepted);
    assert.equal(breaker.record(round, lost), true, 'once it is closed, any failure counts');
  });

  it('stays open longer where what began before asks for a longer pause', () => {
    const { breaker } = made();
    const { round } = breaker;
    breaker.record(round, rejected({ tryLater: true, retryAfterMs: 5000 }));
    breaker.record(round, rejected({ tryLater: true, retryAfterMs: 60_000 }));
    assert.equal(breaker.pauseMs, 60_000);
  });

  it('pauses longer with each failure in a row, up to 20 s, and after a success as at first', () => {
    const { breaker, endPause } = made(() => 1);
    const pauses = [1, 2, 3, 4, 5].map(() => {
      breaker.record(breaker.round, lost);
      const { pauseMs } = breaker;
      endPause();
      return pauseMs;
    });
    breaker.record(breaker.round, accepted);
    breaker.record(breaker.round, lost);
    assert.deepEqual([...pauses, breaker.pauseMs], [1000, 4000, 16_000, 20_000, 20_000, 1000]);
  });

  it('stops after three failures in a row, and where the service is only busy after ten; never for our own store', () => {
    const stopsAfter = (waitReason: WaitReason) => {
      const { breaker } = made();
      for (let count = 1; count <= 50; count++) {
        breaker.fail(breaker.round, waitReason);
        if (breaker.stoppedBy !== undefined) return count;
      }
      return undefined;
    };
    assert.deepEqual([failing, busy, { kind: 'store' } as const].map(stopsAfter), [3, 10, undefined]);
  });

  it('names what stopped it, until it is told to retry; then it is half-open at once', () => {
    const { breaker } = made();
    for (let count = 0; count < 3; count++) breaker.record(breaker.round, lost);
    assert.deepEqual(breaker.stoppedBy, failing.kind !== 'store' && failing.end);
    breaker.retry();
    assert.deepEqual([breaker.stoppedBy, breaker.state], [undefined, 'halfOpen']);
    breaker.reset();
    assert.equal(breaker.state, 'closed');
  });

  it('ends a pause that the service asked for only for another service', () => {
    const { breaker } = made();
    breaker.record(breaker.round, rejected({ tryLater: true, retryAfterMs: 7000 }));
    breaker.retry();
    assert.deepEqual([breaker.state, breaker.pauseMs], ['open', 7000]);
    breaker.reset();
    assert.deepEqual([breaker.state, breaker.pauseMs], ['closed', 0]);
  });

  it('lets others begin beside a probe that has been sending for a while, and still counts its failure', () => {
    const { breaker, endPause } = made(() => 1);
    breaker.record(breaker.round, lost);
    endPause();
    breaker.endProbe();
    assert.deepEqual([breaker.state, breaker.waitReason], ['closed', failing]);
    assert.equal(breaker.record(breaker.round, lost), true);
    assert.deepEqual([breaker.state, breaker.pauseMs], ['open', 4000]);
  });

  it('stops after five in a row whose access key was refused, whatever else is not answered in between', () => {
    const { breaker } = made();
    for (const outcome of [rejected({ badKey: true }), rejected(), lost]) breaker.record(breaker.round, outcome);
    for (let count = 0; count < 4; count++) breaker.record(breaker.round, rejected({ badKey: true }));
    breaker.record(breaker.round, lost);
    const before = breaker.stoppedBy;
    breaker.record(breaker.round, rejected({ badKey: true }));
    assert.deepEqual([before, breaker.stoppedBy?.kind], [undefined, 'rejected']);
  });

  it('takes for a reason to wait what the next import may meet too, and not what was wrong with one alone', () => {
    const notSent = (cause: Extract<Outcome<never>, { kind: 'notSent' }>['cause']) =>
      ({ kind: 'notSent', cause }) as const;
    const own: Outcome<unknown>[] = [
      rejected(),
      rejected({ badKey: true }),
      notSent(new SourceError('missing', 'a.txt')),
      notSent(new CanceledError()),
      notSent(new UnexpectedError({ cause: 'x' })),
      { ...lost, cause: new CanceledError() },
      { ...lost, cause: new SourceError('changed', 'a.txt') },
    ];
    for (const outcome of own) assert.equal(waitReasonAfter(outcome), undefined);
    const shared: Outcome<unknown>[] = [
      notSent(new ConnectError('tls', 'a.example', { cause: 'x' })),
      lost,
      rejected({ tryLater: true }),
    ];
    assert.deepEqual(
      shared.map((outcome) => waitReasonAfter(outcome)?.kind),
      ['failing', 'failing', 'busy'],
    );
  });
});
