import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/service/response/outcome';
import { sendWebhook } from '../../../src/tasks/sending/sendWebhook';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { outcomeText } from '../service/operations';
import { acceptsAll, response } from '../service/responses';
import { FAULTS } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';
import { afterRequest, atBodyByte, inTurn, resets, sends, staysSilent } from './script';

const certificate = FAULTS.untrustedCertificate;
const hook = new URL('https://hooks.example/import');
const busy = afterRequest(sends(response('429 Too Many Requests', '', 'Retry-After: 30')));
const unavailable = afterRequest(sends(response('503 Unavailable', '', 'Retry-After: 30')));

async function register(
  faulty: FaultyService,
  {
    signal = new AbortController().signal,
    clock = new HastyClock(),
    onWait,
  }: { signal?: AbortSignal; clock?: HastyClock; onWait?: (ms: number) => void } = {},
): Promise<Outcome<undefined>> {
  const outcome = await sendWebhook(faulty.service, faulty.target, hook, signal, clock, onWait);
  assertKeyIsMasked(outcome);
  return outcome;
}

describe('A set-webhook request', () => {
  it('is attempted three times if the service refuses connections', async () => {
    await using faulty = await FaultyService.start({ script: acceptsAll, isDown: true });
    const clock = new HastyClock();
    assert.equal(outcomeText(await register(faulty, { clock })), 'not uploaded: ConnectError refused');
    assert.deepEqual([faulty.ends.length, clock.pausesMs.length], [3, 2]);
  });

  const once = {
    'a certificate error': [certificate, /^not uploaded: ConnectError tls$/],
    'a lost connection': [{ script: afterRequest(resets) }, /^unconfirmed: ConnectionLostError reset/],
    'a 500': [{ script: afterRequest(sends(response('500 Error', ''))) }, /^unconfirmed: BadResponseError serverError/],
    'a 503 with a Retry-After header': [{ script: inTurn(unavailable, acceptsAll) }, /^unconfirmed/],
    'a 400': [{ script: afterRequest(sends(response('400 Bad', 'no'))) }, /^rejected: 400: no$/],
  } as const;
  for (const [what, [fault, end]] of Object.entries(once)) {
    it(`is not retried after ${what}`, async () => {
      await using faulty = await FaultyService.start(fault);
      assert.match(outcomeText(await register(faulty)), end);
      assert.equal(faulty.ends.length, 1);
    });
  }

  it('is retried after a 429 once the delay requested by the service has passed', async () => {
    await using faulty = await FaultyService.start({ script: inTurn(busy, acceptsAll) });
    const clock = new HastyClock(() => assert.equal(faulty.server.posts, 1));
    const waits: number[] = [];
    assert.equal(outcomeText(await register(faulty, { clock, onWait: (ms) => waits.push(ms) })), 'accepted');
    assert.deepEqual([faulty.server.posts, clock.pausesMs, waits], [2, [30_000], [30_000]]);
  });

  it('is sent as soon as the service stops refusing connections', async () => {
    await using faulty = await FaultyService.start({ script: acceptsAll, isDown: true });
    const clock = new HastyClock(() => faulty.server.listenAgain());
    assert.equal(outcomeText(await register(faulty, { clock })), 'accepted');
    assert.deepEqual(faulty.ends, ['not uploaded: ConnectError refused', 'accepted']);
    assert.equal(faulty.server.posts, 1);
  });

  it('is not retried after a lost connection, even if an earlier connection was refused', async () => {
    await using faulty = await FaultyService.start({ script: atBodyByte(1, resets), isDown: true });
    const clock = new HastyClock(() => faulty.server.listenAgain());
    assert.match(outcomeText(await register(faulty, { clock })), /^unconfirmed: ConnectionLostError reset/);
    assert.equal(faulty.server.posts, 1);
  });

  it('is unconfirmed if it is canceled while waiting for the response', async () => {
    const cancel = new AbortController();
    const script = afterRequest(async (peer) => {
      cancel.abort();
      await staysSilent(peer);
    });
    await using faulty = await FaultyService.start({ script });
    assert.equal(outcomeText(await register(faulty, { signal: cancel.signal })), 'unconfirmed: CanceledError');
    assert.equal(faulty.server.posts, 1);
  });

  it('is never sent if it is canceled between two connection attempts', async () => {
    const cancel = new AbortController();
    await using faulty = await FaultyService.start({ script: acceptsAll, isDown: true });
    const clock = new HastyClock(async () => {
      await faulty.server.listenAgain();
      cancel.abort();
    });
    assert.equal(outcomeText(await register(faulty, { signal: cancel.signal, clock })), 'not uploaded: CanceledError');
    assert.equal(faulty.server.peers.length, 0);
  });

  it('is not sent again if it is canceled while waiting to be retried', async () => {
    const cancel = new AbortController();
    await using faulty = await FaultyService.start({ script: inTurn(busy, acceptsAll) });
    const clock = new HastyClock(() => cancel.abort());
    assert.equal(outcomeText(await register(faulty, { signal: cancel.signal, clock })), 'not uploaded: CanceledError');
    assert.equal(faulty.server.posts, 1);
  });
});
