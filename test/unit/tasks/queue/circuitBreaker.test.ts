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

const lost: Outcome<never> = {
  kind: 'unconfirmed',
  cause: new ConnectionLostError('reset', 'a.example'),
  sentBytes: 1,
  totalBytes: 2,
};
const rejected = (facts: { badKey?: boolean; tryLater?: boolean } = {}): Outcome<never> => ({
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

describe('The circuit breaker of a queue', () => {
  it('opens at a failure, lets one probe, and closes where that goes well', () => {
    const breaker = new CircuitBreaker();
    assert.deepEqual([breaker.isProbing, breaker.waitReason], [false, undefined]);
    assert.equal(breaker.failed(breaker.round, failing), true);
    assert.deepEqual([breaker.isProbing, breaker.waitReason], [true, failing]);
    breaker.answered(breaker.round);
    assert.deepEqual([breaker.isProbing, breaker.waitReason, breaker.consecutiveFailures], [false, undefined, 0]);
  });

  it('counts what began before a failure that is known neither as another failure nor as a success', () => {
    const breaker = new CircuitBreaker();
    const { round } = breaker;
    breaker.failed(round, failing);
    for (let casualty = 0; casualty < 7; casualty++) assert.equal(breaker.failed(round, failing), false);
    breaker.answered(round);
    assert.deepEqual([breaker.consecutiveFailures, breaker.isProbing, breaker.stoppedBy], [1, true, undefined]);
    breaker.answered(breaker.round);
    assert.equal(breaker.failed(round, failing), true, 'once it is closed, any failure is news');
  });

  it('stops after three failures in a row, and where the service is only busy after ten; never for our own store', () => {
    const stopsAfter = (waitReason: WaitReason) => {
      const breaker = new CircuitBreaker();
      for (let count = 1; count <= 50; count++) {
        breaker.failed(breaker.round, waitReason);
        if (breaker.stoppedBy !== undefined) return count;
      }
      return undefined;
    };
    assert.deepEqual([failing, busy, { kind: 'store' } as const].map(stopsAfter), [3, 10, undefined]);
  });

  it('names what stopped it, until a person tries again; then one goes first', () => {
    const breaker = new CircuitBreaker();
    for (let count = 0; count < 3; count++) breaker.failed(breaker.round, failing);
    assert.deepEqual(breaker.stoppedBy, failing.kind !== 'store' && failing.end);
    breaker.retry();
    assert.deepEqual([breaker.stoppedBy, breaker.consecutiveFailures, breaker.isProbing], [undefined, 0, true]);
    breaker.reset();
    assert.equal(breaker.isProbing, false);
  });

  it('lets others begin beside a probe that is well under way, and counts its failure all the same', () => {
    const breaker = new CircuitBreaker();
    breaker.failed(breaker.round, failing);
    breaker.letOthersBegin();
    assert.deepEqual([breaker.isProbing, breaker.waitReason], [false, failing]);
    assert.equal(breaker.failed(breaker.round, failing), true);
    assert.deepEqual([breaker.isProbing, breaker.consecutiveFailures], [true, 2]);
  });

  it('stops after five in a row whose access key was refused, whatever else is not answered in between', () => {
    const breaker = new CircuitBreaker();
    for (const outcome of [rejected({ badKey: true }), rejected(), lost]) breaker.recordKeyOutcome(outcome);
    for (let count = 0; count < 4; count++) breaker.recordKeyOutcome(rejected({ badKey: true }));
    breaker.recordKeyOutcome(lost);
    const before = breaker.stoppedBy;
    breaker.recordKeyOutcome(rejected({ badKey: true }));
    assert.deepEqual([before, breaker.stoppedBy?.kind], [undefined, 'rejected']);
  });

  it('takes for an obstacle what the next import may meet too, and not what was wrong with one alone', () => {
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
