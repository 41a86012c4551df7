import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/service/response/outcome';
import { sendWebhook } from '../../../src/tasks/sending/sendWebhook';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { told } from '../service/operations';
import { response, taking } from '../service/responses';
import { FAULTS } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';
import { afterRequest, atBodyByte, inTurn, resets, says, staysSilent } from './script';

const certificate = FAULTS.untrustedCertificate;
const hook = new URL('https://hooks.example/import');
const going = () => new AbortController().signal;

async function register(
  faulty: FaultyService,
  {
    signal = going(),
    clock = new HastyClock(),
    onWait,
  }: { signal?: AbortSignal; clock?: HastyClock; onWait?: (ms: number) => void } = {},
): Promise<Outcome<undefined>> {
  const outcome = await sendWebhook(faulty.service, faulty.target, hook, signal, clock, onWait);
  assertKeyIsMasked(outcome);
  return outcome;
}

describe('Setting a webhook', () => {
  it('tries three times to connect, and sends nothing without a connection', async () => {
    await using faulty = await FaultyService.start({ script: taking, gone: true });
    const clock = new HastyClock();
    assert.equal(told(await register(faulty, { clock })), 'not uploaded: ConnectError refused');
    assert.deepEqual([faulty.ends.length, clock.pausesMs.length], [3, 2]);
  });

  const once = {
    'a certificate error': [certificate, /^not uploaded: ConnectError tls$/],
    'a lost connection': [{ script: afterRequest(resets) }, /^unconfirmed: ConnectionLostError reset/],
    'a 500': [{ script: afterRequest(says(response('500 Error', ''))) }, /^unconfirmed: BadResponseError serverError/],
    'a 400': [{ script: afterRequest(says(response('400 Bad', 'no'))) }, /^rejected: 400: no$/],
  } as const;
  for (const [what, [fault, end]] of Object.entries(once)) {
    it(`sends at most once in spite of ${what}`, async () => {
      await using faulty = await FaultyService.start(fault);
      assert.match(told(await register(faulty)), end);
      assert.equal(faulty.ends.length, 1);
    });
  }

  it('waits as long as a 429 asks, then sends again', async () => {
    const busy = afterRequest(says(response('429 Too Many Requests', '', 'Retry-After: 30')));
    await using faulty = await FaultyService.start({ script: inTurn(busy, taking) });
    const clock = new HastyClock(() => assert.equal(faulty.server.posts, 1));
    const waits: number[] = [];
    assert.equal(told(await register(faulty, { clock, onWait: (ms) => waits.push(ms) })), 'accepted');
    assert.deepEqual([faulty.server.posts, clock.pausesMs, waits], [2, [30_000], [30_000]]);
  });

  it('is not sent again after a 503, even one that asks to wait: the service may have done it', async () => {
    const busy = afterRequest(says(response('503 Unavailable', '', 'Retry-After: 30')));
    await using faulty = await FaultyService.start({ script: inTurn(busy, taking) });
    assert.match(told(await register(faulty)), /^unconfirmed/);
    assert.equal(faulty.server.posts, 1);
  });

  describe('connection refused', () => {
    it('sends once as soon as the service listens', async () => {
      await using faulty = await FaultyService.start({ script: taking, gone: true });
      const clock = new HastyClock(() => faulty.server.listenAgain());
      assert.equal(told(await register(faulty, { clock })), 'accepted');
      assert.deepEqual(faulty.ends, ['not uploaded: ConnectError refused', 'accepted']);
      assert.equal(faulty.server.posts, 1);
    });

    it('does not send again if the next connection is lost', async () => {
      await using faulty = await FaultyService.start({ script: atBodyByte(1, resets), gone: true });
      const clock = new HastyClock(() => faulty.server.listenAgain());
      assert.match(told(await register(faulty, { clock })), /^unconfirmed: ConnectionLostError reset/);
      assert.equal(faulty.server.posts, 1);
    });
  });

  describe('that is canceled', () => {
    it('while it waits for the response is unconfirmed, and was sent once', async () => {
      const cancel = new AbortController();
      const script = afterRequest(async (peer) => {
        cancel.abort();
        await staysSilent(peer);
      });
      await using faulty = await FaultyService.start({ script });
      const outcome = await register(faulty, { signal: cancel.signal });
      assert.equal(told(outcome), 'unconfirmed: CanceledError, all of the body was sent');
      assert.equal(faulty.server.posts, 1);
    });

    it('between two tries sends nothing', async () => {
      const cancel = new AbortController();
      await using faulty = await FaultyService.start({ script: taking, gone: true });
      const clock = new HastyClock(async () => {
        await faulty.server.listenAgain();
        cancel.abort();
      });
      assert.equal(told(await register(faulty, { signal: cancel.signal, clock })), 'not uploaded: CanceledError');
      assert.equal(faulty.server.peers.length, 0);
    });

    it('during a wait that the service asked for sends nothing more', async () => {
      const cancel = new AbortController();
      const busy = afterRequest(says(response('429 Too Many Requests', '', 'Retry-After: 30')));
      await using faulty = await FaultyService.start({ script: inTurn(busy, taking) });
      const clock = new HastyClock(() => cancel.abort());
      assert.equal(told(await register(faulty, { signal: cancel.signal, clock })), 'not uploaded: CanceledError');
      assert.equal(faulty.server.posts, 1);
    });
  });
});
