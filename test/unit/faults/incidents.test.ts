import assert from 'node:assert/strict';
import { checkFile } from '../../../src/tasks/sending/sources';
import { type Peer, RawServer, type Script } from '../service/rawServer';
import { response, taking } from '../service/responses';
import { type EditorParts, editorWindow, filesOf } from '../tasks/editorWindow';
import { HandClock } from '../tasks/handClock';
import { TemporaryStore } from '../tasks/temporaryStore';
import { until } from '../tasks/until';
import { LARGE, toldPhase } from './endedImport';
import { afterRequest, resets, says } from './script';

const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);

/** How many imports are how far. */
function counts({ list }: EditorParts): Record<string, number> {
  const told: Record<string, number> = {};
  for (const task of list.held) told[toldPhase(task)] = (told[toldPhase(task)] ?? 0) + 1;
  return told;
}

/** Lets each pause pass until nothing is left to send; gives how long that took by the clock. */
async function toEnd({ queue }: EditorParts, clock: HandClock): Promise<number> {
  const beganMs = clock.monotonicMs();
  await until(() => {
    const { pausedUntilMs } = queue.progress ?? {};
    if (pausedUntilMs !== undefined) clock.advance(pausedUntilMs - clock.monotonicMs());
    return queue.progress === undefined;
  });
  return clock.monotonicMs() - beganMs;
}

/** Reads as many requests as this whole, then resets all of their connections in the same moment; takes what comes later. */
function blipOf(count: number): Script {
  const hit: Peer[] = [];
  return async (peer, nth) => {
    if (nth > count) return taking(peer, nth);
    await peer.readRequest();
    hit.push(peer);
    if (hit.length === count) for (const each of hit) each.reset();
  };
}

describe('An incident', () => {
  it('of a service that is down ends 300 files within its three tries, and each says why', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    await server.close();
    const clock = new HandClock(() => 0.999);
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(300)), 'Books');
    const tookMs = await toEnd(window, clock);
    // One that is still under way as the third try fails may be seen to wait for a fourth.
    assert.ok(tookMs <= 21_000, `${tookMs} ms`);
    // The one whose try was the last ends by it, unless another one had come before it meanwhile.
    const { 'notSent: CircuitOpen': heldBack = 0, 'notSent: ConnectError refused': refused = 0 } = counts(window);
    assert.ok(refused <= 1 && heldBack + refused === 300, JSON.stringify(counts(window)));
    const causes = window.list.held.flatMap(({ phase }) =>
      phase.kind === 'notSent' && phase.failure.name === 'CircuitOpen' ? [phase.failure.cause] : [],
    );
    assert.ok(causes.every((cause) => cause?.kind === 'notSent' && cause.failure.name === 'ConnectError'));
    assert.deepEqual([window.ended.length, window.ended[0]?.results.length], [1, 300]);
    assert.ok(window.list.held.every(({ attempts }) => attempts.length <= 3));
  });

  it('is told at once: what cannot be reached, why, and when it is tried again', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    await server.close();
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(30)), 'Books');
    await until(() => window.queue.progress?.waitReason !== undefined);
    const { waitReason, pausedUntilMs } = window.queue.progress ?? {};
    assert.ok(waitReason?.kind === 'failing' && waitReason.end.kind === 'notSent');
    assert.ok(waitReason.end.failure.name === 'ConnectError');
    assert.deepEqual(
      [waitReason.end.failure.reason, waitReason.end.failure.host, pausedUntilMs],
      ['refused', server.url.host, 750],
    );
    await server.listenAgain();
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { accepted: 30 });
    await server.close();
  });

  it('of eight connections that are reset in the same moment costs those eight, and the rest goes on', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(blipOf(8));
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(260)), 'Books');
    const tookMs = await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 8, accepted: 252 });
    assert.deepEqual([server.posts, tookMs], [260, 750]);
  });

  it('lets one import try while the others wait, and they go once that one has gone well', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const blip = blipOf(8);
    const script: Script = async (peer, nth) => {
      if (nth > 8) {
        await peer.readRequest();
        await released;
      }
      await blip(peer, nth);
    };
    await using server = await RawServer.start(script);
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(20)), 'Books');
    await until(() => window.queue.progress?.ended === 8);
    clock.advance(750);
    await until(() => server.posts === 9);
    await window.list.sync();
    assert.deepEqual([server.peers.length, window.queue.progress?.waitReason?.kind], [9, 'failing']);
    release();
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 8, accepted: 12 });
  });

  it('holds nothing up for as long as a large file takes that is well on its way as the one that tries', async () => {
    await using store = await TemporaryStore.make();
    const clock = new HandClock();
    const blip = blipOf(4);
    const script: Script = async (peer, nth) => {
      if (nth === 5) {
        for (let read = 1; read <= 10; read++) {
          await peer.readRequest(read * 2 * 1024 * 1024);
          clock.advance(1000);
        }
        await until(() => server.posts === 12);
      }
      await blip(peer, nth);
    };
    await using server = await RawServer.start(script);
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 4 });
    const files = await filesOf(store, ...names(12));
    const { path } = await store.files.write('4.txt', LARGE);
    files[4] = await checkFile(path, '4.txt');
    await window.queue.add(files, 'Books');
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 4, accepted: 8 });
  });

  it('of a service that loses every import costs three of them, one a try, and the rest is not sent', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(afterRequest(says(response('502 Bad Gateway', 'later'))));
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
    await window.queue.add(await filesOf(store, ...names(50)), 'Books');
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: BadResponseError serverError': 3, 'notSent: CircuitOpen': 47 });
    assert.equal(server.posts, 3);
  });

  it('is over where the service answered in between, however often there is another', async () => {
    await using store = await TemporaryStore.make();
    const script: Script = (peer, nth) => (nth % 2 === 1 ? afterRequest(resets) : taking)(peer, nth);
    await using server = await RawServer.start(script);
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
    await window.queue.add(await filesOf(store, ...names(20)), 'Books');
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 10, accepted: 10 });
  });

  it('stops no batch for good: what is tried again by a person goes, one first', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    await server.close();
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(20)), 'Books');
    await toEnd(window, clock);
    await server.listenAgain();
    await window.queue.retry(window.list.held.map(({ key }) => key));
    assert.equal(await toEnd(window, clock), 0);
    assert.deepEqual([counts(window), server.posts], [{ accepted: 20 }, 20]);
    await server.close();
  });

  for (const asked of ['0', '1.5', '-1']) {
    it(`that comes with "Retry-After: ${asked}" is waited out as if nothing had been asked`, async () => {
      await using store = await TemporaryStore.make();
      const busy = says(response('429 Too Many Requests', '', `Retry-After: ${asked}`));
      await using server = await RawServer.start(afterRequest(busy));
      const clock = new HandClock();
      using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
      await window.queue.add(await filesOf(store, ...names(50)), 'Books');
      const tookMs = await toEnd(window, clock);
      assert.ok(tookMs > 60_000, `${tookMs} ms`);
      assert.ok(server.posts <= 8 + 9, `${server.posts} posts`);
    });
  }

  for (const jumpMs of [-3_600_000, 3_600_000]) {
    it(`is as long as meant where the clock is set ${jumpMs < 0 ? 'back' : 'forward'} an hour during its pause`, async () => {
      await using store = await TemporaryStore.make();
      const busy = says(response('429 Too Many Requests', '', 'Retry-After: 2'));
      await using server = await RawServer.start((peer, nth) => (nth === 1 ? afterRequest(busy) : taking)(peer, nth));
      const clock = new HandClock();
      using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
      await window.queue.add(await filesOf(store, ...names(3)), 'Books');
      await until(() => window.queue.progress?.pausedUntilMs !== undefined);
      clock.jump(jumpMs);
      clock.advance(1999);
      assert.equal(server.peers.length, 1);
      clock.advance(1);
      await until(() => window.queue.progress === undefined);
      assert.deepEqual(counts(window), { accepted: 3 });
      for (const { attempts } of window.list.held)
        for (const { beganMs, endedMs } of attempts) assert.ok(endedMs >= beganMs);
    });
  }
});
