import assert from 'node:assert/strict';
import {
  BadResponseError,
  CanceledError,
  ConnectError,
  ConnectionLostError,
  type ServiceError,
  SourceError,
} from '../../../../src/service/errors';
import type { Outcome } from '../../../../src/service/response/outcome';
import { couldNotConnect, gotNoResponse, retried } from '../../../../src/tasks/timing/retrying';
import { HastyClock } from '../../faults/hastyClock';

const going = () => new AbortController().signal;
const connect = (reason: ConnectError['reason']) => new ConnectError(reason, 'service.example', { cause: '' });
const lost = (reason: ConnectionLostError['reason']) => new ConnectionLostError(reason, 'service.example');
const bad = (reason: BadResponseError['reason'], status = 200) => new BadResponseError(reason, status, '');
const notUploaded = (cause: ServiceError): Outcome<never> => ({ kind: 'notUploaded', cause });
const unconfirmed = (cause: ServiceError, facts: { retryAfterMs?: number } = {}): Outcome<never> => ({
  kind: 'unconfirmed',
  cause,
  sentBytes: 9,
  totalBytes: 9,
  ...facts,
});
const response = { envelope: {}, deviations: [] };
const accepted: Outcome<undefined> = { kind: 'accepted', response, value: undefined };
const rejected: Outcome<never> = {
  kind: 'rejected',
  rejection: { by: 'status', status: 429, excerpt: '' },
  badKey: false,
  tryLater: true,
};

/** An attempt that has these outcomes, one after another, and counts its tries. */
function outcomes(...given: Outcome<undefined>[]): { attempt(): Promise<Outcome<undefined>>; readonly tries: number } {
  let tries = 0;
  return {
    attempt: async () => given[tries++] ?? assert.fail(`There must be no try number ${tries}.`),
    get tries() {
      return tries;
    },
  };
}

describe('retried', () => {
  const refused = notUploaded(connect('refused'));

  it('does not wait if the first outcome is clear', async () => {
    const clock = new HastyClock();
    assert.equal(await retried(outcomes(accepted).attempt, gotNoResponse, going(), clock), accepted);
    assert.deepEqual(clock.pausesMs, []);
  });

  it('continues until the first clear outcome', async () => {
    const clock = new HastyClock();
    const { attempt } = outcomes(refused, rejected);
    assert.equal(await retried(attempt, gotNoResponse, going(), clock), rejected);
    assert.equal(clock.pausesMs.length, 1);
  });

  it('gives up after the third try, and returns its outcome', async () => {
    const last = notUploaded(connect('dns'));
    const clock = new HastyClock();
    const given = outcomes(refused, refused, last);
    assert.equal(await retried(given.attempt, gotNoResponse, going(), clock), last);
    assert.equal(given.tries, 3);
    const [first = 0, second = 0] = clock.pausesMs;
    assert.ok(first >= 500 && first <= 1000 && second >= 1000 && second <= 2000, String(clock.pausesMs));
    assert.equal(clock.pausesMs.length, 2);
  });

  it('tries once more if it is aborted during a pause, and returns that outcome', async () => {
    const stop = new AbortController();
    const canceled = notUploaded(new CanceledError());
    const clock = new HastyClock(() => stop.abort());
    const attempt = async () => (stop.signal.aborted ? canceled : refused);
    assert.equal(await retried(attempt, gotNoResponse, stop.signal, clock), canceled);
    assert.equal(clock.pausesMs.length, 1);
  });
});

describe('After a failure to connect', () => {
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
  for (const [reason, isPassing] of Object.entries(connects)) {
    it(`(${reason}), ${isPassing ? 'any' : 'no'} request may be retried`, () => {
      const outcome = notUploaded(connect(reason as ConnectError['reason']));
      assert.deepEqual([couldNotConnect(outcome), gotNoResponse(outcome)], [isPassing, isPassing]);
    });
  }
});

describe('A status check', () => {
  const outcomesAfter: Record<string, { outcome: Outcome<unknown>; isRetried: boolean }> = {
    'the connection was lost before anything was sent': { outcome: notUploaded(lost('reset')), isRetried: true },
    'the connection was lost': { outcome: unconfirmed(lost('reset')), isRetried: true },
    'the service stopped reading': { outcome: unconfirmed(lost('stalled')), isRetried: true },
    'the service did not respond': { outcome: unconfirmed(lost('silent')), isRetried: true },
    'the response was cut off': { outcome: unconfirmed(lost('truncated')), isRetried: true },
    'the server had an error': { outcome: unconfirmed(bad('serverError', 500)), isRetried: true },
    'the service asked to wait': {
      outcome: unconfirmed(bad('serverError', 503), { retryAfterMs: 0 }),
      isRetried: false,
    },
    'the response was not JSON': { outcome: unconfirmed(bad('notJson')), isRetried: true },
    'the response was not the envelope': { outcome: unconfirmed(bad('notEnvelope')), isRetried: true },
    'the response was too large': { outcome: unconfirmed(bad('tooLarge')), isRetried: false },
    'it was canceled': { outcome: unconfirmed(new CanceledError()), isRetried: false },
    'a file was missing': { outcome: notUploaded(new SourceError('missing', 'a.txt')), isRetried: false },
    'it was rejected': { outcome: rejected, isRetried: false },
    'it was accepted': { outcome: accepted, isRetried: false },
  };
  for (const [what, { outcome, isRetried }] of Object.entries(outcomesAfter)) {
    it(`is ${isRetried ? '' : 'not '}retried if ${what}`, () => {
      assert.deepEqual([couldNotConnect(outcome), gotNoResponse(outcome)], [false, isRetried]);
    });
  }
});
