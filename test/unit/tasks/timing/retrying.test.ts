import assert from 'node:assert/strict';
import { CanceledError, type ConnectError } from '../../../../src/service/errors';
import { backoffMs, couldNotConnect, gotNoResponse, retried } from '../../../../src/tasks/timing/retrying';
import { HastyClock } from '../../faults/hastyClock';
import { connectError, notUploaded } from '../outcomes';

describe('The backoff', () => {
  it('doubles after each failure, from 1 second up to 1 minute, and is randomly shortened by up to half', () => {
    const failures = [1, 2, 3, 4, 6, 7, 8, 10_000];
    const longest = [1000, 2000, 4000, 8000, 32_000, 60_000, 60_000, 60_000];
    for (const random of [0, 0.5, 1]) {
      const delays = failures.map((count) => backoffMs(count, () => random));
      assert.deepEqual(
        delays,
        longest.map((ms) => ms * (0.5 + random / 2)),
      );
    }
  });
});

describe('The retry loop', () => {
  const refused = connectError('refused');

  it("stops after the third attempt and returns that attempt's outcome", async () => {
    const last = connectError('dns');
    const clock = new HastyClock();
    let tries = 0;
    const attempt = async () => (++tries < 3 ? refused : last);
    assert.equal(await retried(attempt, gotNoResponse, new AbortController().signal, clock), last);
    assert.equal(tries, 3);
    const [first = 0, second = 0] = clock.pausesMs;
    assert.ok(first >= 500 && first <= 1000 && second >= 1000 && second <= 2000, String(clock.pausesMs));
    assert.equal(clock.pausesMs.length, 2);
  });

  it("makes one last attempt if it is aborted during a pause, and returns that attempt's outcome", async () => {
    const stop = new AbortController();
    const canceled = notUploaded(new CanceledError());
    const clock = new HastyClock(() => stop.abort());
    const attempt = async () => (stop.signal.aborted ? canceled : refused);
    assert.equal(await retried(attempt, gotNoResponse, stop.signal, clock), canceled);
    assert.equal(clock.pausesMs.length, 1);
  });
});

describe('A request that failed to connect', () => {
  it('is retried only if the failure may be temporary', () => {
    const connects: Record<ConnectError['reason'], boolean> = {
      dns: true,
      refused: true,
      timedOut: true,
      unreachable: true,
      reset: true,
      tls: false,
      clientCertificate: false,
      proxy: false,
      proxyLogin: false,
      proxyScheme: false,
      other: false,
    };
    for (const [reason, isRetried] of Object.entries(connects)) {
      const outcome = connectError(reason as ConnectError['reason']);
      assert.deepEqual([couldNotConnect(outcome), gotNoResponse(outcome)], [isRetried, isRetried], reason);
    }
  });
});
