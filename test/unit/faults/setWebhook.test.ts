import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/service/response/outcome';
import { sendWebhook } from '../../../src/tasks/sending/sendWebhook';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { told } from '../service/operations';
import { RawServer } from '../service/rawServer';
import { response, TAKEN, taking } from '../service/responses';
import { type Fault, type FaultRow, forEachFault } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';
import { afterRequest, afterSlowReading, atBodyByte, inTurn, resets, says, staysSilent } from './script';

interface Expected {
  readonly end: RegExp;
  /** How often it is tried; once where absent. */
  readonly tries?: number;
}

const expected: Readonly<Record<FaultRow, Expected>> = {
  'DNS failure, connection refused, connect time-out': {
    end: /^not sent: ConnectError (?:dns|refused|timedOut)$/,
    tries: 3,
  },
  'TLS or certificate error': { end: /^not sent: ConnectError tls$/ },
  'proxy answers 407 or refuses CONNECT': { end: /^not sent: ConnectError proxy$/ },
  'connection reset before the body is complete': { end: /^unconfirmed: ConnectionLostError reset/ },
  'connection reset after the body, or headers never come': {
    end: /^unconfirmed: ConnectionLostError (?:reset|silent)/,
  },
  '4xx with an envelope': { end: /^rejected: 4\d\d, code \S+: no, not with / },
  '4xx with an envelope: 401 and 403': { end: /^rejected: 40[13]/ },
  '4xx without an envelope': { end: /^rejected: 40\d: (?:.*no, not with .*)?$/ },
  '429, 503 with Retry-After: 429': { end: /^rejected: 429/ },
  '429, 503 with Retry-After: 503': { end: /^unconfirmed: BadResponseError serverError/ },
  '5xx, envelope or not': { end: /^unconfirmed: BadResponseError serverError/ },
  'HTML or other non-JSON with 200': { end: /^unconfirmed: BadResponseError not(?:Json|Envelope)/ },
  'truncated JSON, or body shorter than its Content-Length': {
    end: /^unconfirmed: (?:BadResponseError notJson|ConnectionLostError (?:truncated|reset))/,
  },
  'answer larger than 1 MiB': { end: /^unconfirmed: BadResponseError tooLarge/ },
  '200 with `code` other than "0"': { end: /^rejected: 200, code (?:D-17|17): no, not with / },
  '`code` is the number 0, `message` not null, a BOM before the JSON, gzip': { end: /^accepted$/ },
  '`code` "0" but `data` null or not an object': { end: /^accepted$/ },
  'redirect: 301, 302 and 303': { end: /^unconfirmed: BadResponseError redirect/ },
  'redirect: 307 and 308': { end: /^rejected: 30[78] to / },
  'an unsolicited `100 Continue`, 102, 103': { end: /^accepted$/ },
  'response nested deeper than 200 levels, or a million keys': { end: /^accepted$/ },
  'response that drips': { end: /^unconfirmed: ConnectionLostError (?:silent|truncated)/ },
  '`Retry-After` 0, negative, fractional, absurd, a date without `Date`': { end: /^rejected: 429/ },
};

const hook = new URL('https://hooks.example/import');
const going = () => new AbortController().signal;

async function register(
  faulty: FaultyService,
  {
    signal = going(),
    clock = new HastyClock(),
    waitMs,
  }: { signal?: AbortSignal; clock?: HastyClock; waitMs?: number } = {},
): Promise<Outcome<undefined>> {
  const outcome = await sendWebhook(faulty.service, faulty.target, hook, signal, clock, waitMs);
  assertKeyIsMasked(outcome);
  return outcome;
}

describe('set-webhook, fault by fault', () => {
  forEachFault(expected, (fault: Fault, name, { end, tries = 1 }) => {
    it(`${name}: ${tries === 1 ? 'sent once' : 'nothing leaves, three tries'}`, async () => {
      await using faulty = await FaultyService.start(fault);
      const clock = new HastyClock();
      const outcome = await register(faulty, { clock });
      assert.match(told(outcome), end);
      assert.equal(faulty.ends.length, tries);
      assert.equal(clock.pausesMs.length, tries - 1);
      assert.equal(faulty.server.posts, fault.arrives === false ? 0 : 1);
    });
  });

  describe('what the outcome tells besides', () => {
    it('redirect: the second origin sees nothing', async () => {
      await using elsewhere = await RawServer.start(taking);
      const location = `Location: ${elsewhere.url.href}`;
      await using faulty = await FaultyService.start({
        script: afterRequest(says(response('307 Moved', '', location))),
      });
      assert.equal(told(await register(faulty)), `rejected: 307 to ${elsewhere.url.origin}`);
      assert.deepEqual([faulty.server.posts, elsewhere.peers.length], [1, 0]);
    });

    it('429, 503 with Retry-After: how long to wait; it is sent again not before that, and only once', async () => {
      for (const status of ['429 Too Many Requests', '503 Unavailable']) {
        const busy = afterRequest(says(response(status, '', 'Retry-After: 30')));
        await using faulty = await FaultyService.start({ script: inTurn(busy, taking) });
        const clock = new HastyClock(() => assert.equal(faulty.server.posts, 1));
        const outcome = await register(faulty, { clock });
        const { retryAfterMs } = outcome as { retryAfterMs?: number };
        assert.deepEqual([retryAfterMs, faulty.server.posts, clock.pausesMs], [30_000, 1, []]);
        assert.equal(told(await register(faulty, { clock, waitMs: retryAfterMs ?? 0 })), 'accepted');
        assert.deepEqual([faulty.server.posts, clock.pausesMs], [2, [30_000]]);
      }
    });

    it('`code` "0" but `data` null or not an object: the deviation is told', async () => {
      const bare = says(response('200 OK', '{"code":"0","message":null,"data":null}'));
      await using faulty = await FaultyService.start({ script: afterRequest(bare) });
      const outcome = await register(faulty);
      assert.deepEqual(outcome.kind === 'accepted' && outcome.response.deviations, ['data is not an object']);
    });
  });

  describe('connection refused', () => {
    it('until the service is there: sent once, then', async () => {
      await using faulty = await FaultyService.start({ script: taking, gone: true });
      const clock = new HastyClock(() => faulty.server.listenAgain());
      assert.equal(told(await register(faulty, { clock })), 'accepted');
      assert.deepEqual(faulty.ends, ['not sent: ConnectError refused', 'accepted']);
      assert.equal(faulty.server.posts, 1);
    });

    it('and then lost: not sent again', async () => {
      await using faulty = await FaultyService.start({ script: atBodyByte(1, resets), gone: true });
      const clock = new HastyClock(() => faulty.server.listenAgain());
      assert.match(told(await register(faulty, { clock })), /^unconfirmed: ConnectionLostError reset/);
      assert.equal(faulty.server.posts, 1);
    });
  });

  describe('cancel', () => {
    it('while it waits for an answer: not verified, sent once', async () => {
      const cancel = new AbortController();
      const script = afterRequest(async (peer) => {
        cancel.abort();
        await staysSilent(peer);
      });
      await using faulty = await FaultyService.start({ script });
      const outcome = await register(faulty, { signal: cancel.signal });
      assert.equal(told(outcome), 'unconfirmed: CanceledError, all of the body had left');
      assert.equal(faulty.server.posts, 1);
    });

    it('between two tries: not sent, and no further try reaches the service', async () => {
      const cancel = new AbortController();
      await using faulty = await FaultyService.start({ script: taking, gone: true });
      const clock = new HastyClock(async () => {
        await faulty.server.listenAgain();
        cancel.abort();
      });
      assert.equal(told(await register(faulty, { signal: cancel.signal, clock })), 'not sent: CanceledError');
      assert.equal(faulty.server.peers.length, 0);
    });

    it('while it waits as the service has asked: not sent', async () => {
      const cancel = new AbortController();
      await using faulty = await FaultyService.start({ script: taking });
      const clock = new HastyClock(() => cancel.abort());
      const outcome = await register(faulty, { signal: cancel.signal, clock, waitMs: 1000 });
      assert.equal(told(outcome), 'not sent: CanceledError');
      assert.equal(faulty.server.peers.length, 0);
    });
  });

  it('a service that reads slowly is no fault', async () => {
    await using faulty = await FaultyService.start({ script: afterSlowReading(says(response('200 OK', TAKEN))) });
    assert.equal(told(await register(faulty)), 'accepted');
    assert.equal(faulty.server.posts, 1);
  });
});
