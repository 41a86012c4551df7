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

/** Gives these one after another, and how many were asked for. */
function outcomes(...given: Outcome<undefined>[]): { attempt(): Promise<Outcome<undefined>>; readonly tries: number } {
  let tries = 0;
  return {
    attempt: async () => given[tries++] ?? assert.fail(`There was no try number ${tries} to be.`),
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

  it('gives up after the third try, with its outcome', async () => {
    const last = notUploaded(connect('dns'));
    const clock = new HastyClock();
    const given = outcomes(refused, refused, last);
    assert.equal(await retried(given.attempt, gotNoResponse, going(), clock), last);
    assert.equal(given.tries, 3);
    const [first = 0, second = 0] = clock.pausesMs;
    assert.ok(first >= 500 && first <= 1000 && second >= 1000 && second <= 2000, String(clock.pausesMs));
    assert.equal(clock.pausesMs.length, 2);
  });

  it('tries once more if it is stopped in a pause, and returns that outcome', async () => {
    const stop = new AbortController();
    const canceled = notUploaded(new CanceledError());
    const clock = new HastyClock(() => stop.abort());
    const attempt = async () => (stop.signal.aborted ? canceled : refused);
    assert.equal(await retried(attempt, gotNoResponse, stop.signal, clock), canceled);
    assert.equal(clock.pausesMs.length, 1);
  });
});

describe('What may be sent again', () => {
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
  for (const [reason, passing] of Object.entries(connects)) {
    it(`${reason}: no connection, ${passing ? 'anything' : 'nothing'}`, () => {
      const outcome = notUploaded(connect(reason as ConnectError['reason']));
      assert.deepEqual([couldNotConnect(outcome), gotNoResponse(outcome)], [passing, passing]);
    });
  }

  const noAnswer: Record<string, { outcome: Outcome<unknown>; askAgain: boolean }> = {
    'a connection that was lost before anything left': { outcome: notUploaded(lost('reset')), askAgain: true },
    'a connection that was lost': { outcome: unconfirmed(lost('reset')), askAgain: true },
    'a service that takes no more': { outcome: unconfirmed(lost('stalled')), askAgain: true },
    'a service that says nothing': { outcome: unconfirmed(lost('silent')), askAgain: true },
    'an answer that breaks off': { outcome: unconfirmed(lost('truncated')), askAgain: true },
    'a 500': { outcome: unconfirmed(bad('serverError', 500)), askAgain: true },
    'a 503 that says for how long': {
      outcome: unconfirmed(bad('serverError', 503), { retryAfterMs: 0 }),
      askAgain: false,
    },
    'an answer that is not JSON': { outcome: unconfirmed(bad('notJson')), askAgain: true },
    'an answer that is not the envelope': { outcome: unconfirmed(bad('notEnvelope')), askAgain: true },
    'an answer that is too large': { outcome: unconfirmed(bad('tooLarge')), askAgain: false },
    'a question that was cancelled': { outcome: unconfirmed(new CanceledError()), askAgain: false },
    'a file that is missing': { outcome: notUploaded(new SourceError('missing', 'a.txt')), askAgain: false },
    'an answer that says no': { outcome: rejected, askAgain: false },
    'an answer that says yes': { outcome: accepted, askAgain: false },
  };
  for (const [what, { outcome, askAgain }] of Object.entries(noAnswer)) {
    it(`${what}: ${askAgain ? 'a question' : 'nothing'}`, () => {
      assert.deepEqual([couldNotConnect(outcome), gotNoResponse(outcome)], [false, askAgain]);
    });
  }
});
