import assert from 'node:assert/strict';
import { checkFile } from '../../../src/tasks/sending/checkedSource';
import { type Peer, RawServer, type Script } from '../service/rawServer';
import { response, taking } from '../service/responses';
import { type EditorParts, editorWindow, filesOf } from '../tasks/editorWindow';
import { HandClock } from '../tasks/handClock';
import { TemporaryStore } from '../tasks/temporaryStore';
import { until } from '../tasks/until';
import { LARGE, toldPhase } from './endedImport';
import { afterRequest, resets, says } from './script';

const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);

/** How many imports are in each state. */
function counts({ list }: EditorParts): Record<string, number> {
  const told: Record<string, number> = {};
  for (const task of list.held) told[toldPhase(task)] = (told[toldPhase(task)] ?? 0) + 1;
  return told;
}

/** Skips each pause until nothing is left to send. Returns how long that took by the clock. */
async function toEnd(window: EditorParts, clock: HandClock): Promise<number> {
  const beganMs = clock.monotonicMs();
  await until(() => {
    const { pausedUntilMs } = window;
    if (pausedUntilMs !== undefined) clock.advance(pausedUntilMs - clock.monotonicMs());
    return window.queue.progress === undefined;
  });
  return clock.monotonicMs() - beganMs;
}

/** Accepts some requests, then resets the next ones together once all of them were read, and accepts the rest. */
function blipOf(count: number, taken = 1): Script {
  const hit: Peer[] = [];
  return async (peer, nth) => {
    if (nth <= taken || nth > taken + count) return taking(peer, nth);
    await peer.readRequest();
    hit.push(peer);
    if (hit.length === count) for (const each of hit) each.reset();
  };
}

describe('An outage', () => {
  it('of ten minutes leaves only uploads that were in flight unconfirmed, and the others are sent automatically', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(blipOf(8, 20));
    const clock = new HandClock(() => 0.999);
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(40)), 'Books');
    await until(() => window.queue.progress?.pause !== undefined);
    await server.close();
    const beganMs = clock.monotonicMs();
    while (clock.monotonicMs() - beganMs < 600_000) {
      await until(() => window.pausedUntilMs !== undefined);
      clock.advance((window.pausedUntilMs ?? 0) - clock.monotonicMs());
    }
    await until(() => window.pausedUntilMs !== undefined);
    await server.listenAgain();
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 8, accepted: 32 });
    assert.equal(server.posts, 40);
  });

  it('is shown immediately with its host, its cause and the time of the next try', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    await server.close();
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(30)), 'Books');
    await until(() => window.queue.progress?.pause !== undefined);
    const { reason, untilMs } = window.queue.progress?.pause ?? {};
    assert.ok(reason?.kind === 'unreachable' && reason.end.kind === 'notSent');
    assert.ok(reason.end.failure.name === 'ConnectError');
    assert.deepEqual([reason.end.failure.reason, reason.end.failure.host, untilMs], ['refused', server.url.host, 750]);
    await server.listenAgain();
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { accepted: 30 });
    await server.close();
  });

  it('that resets eight connections together leaves those eight unconfirmed, and the others are sent', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(blipOf(8));
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(40)), 'Books');
    const tookMs = await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 8, accepted: 32 });
    assert.deepEqual([server.posts, tookMs], [40, 1000]);
  });

  it('ends when one probe upload is accepted; the others wait for it', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const blip = blipOf(8);
    const script: Script = async (peer, nth) => {
      if (nth > 9) {
        await peer.readRequest();
        await released;
      }
      await blip(peer, nth);
    };
    await using server = await RawServer.start(script);
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
    await window.queue.add(await filesOf(store, ...names(20)), 'Books');
    await until(() => window.queue.progress?.ended === 9);
    clock.advance(1000);
    await until(() => server.posts === 10);
    await window.list.sync();
    assert.deepEqual([server.peers.length, window.queue.progress?.pause?.reason.kind], [10, 'unconfirmed']);
    release();
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 8, accepted: 12 });
  });

  it('does not block other files while a large probe upload makes progress', async () => {
    await using store = await TemporaryStore.make();
    const clock = new HandClock();
    const blip = blipOf(4);
    const script: Script = async (peer, nth) => {
      if (nth === 6) {
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
    const { path } = await store.files.write('5.txt', LARGE);
    files[5] = await checkFile(path, '5.txt');
    await window.queue.add(files, 'Books');
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 4, accepted: 8 });
  });

  it('does not stop the queue if an upload is accepted in between, however often it recurs', async () => {
    await using store = await TemporaryStore.make();
    const script: Script = (peer, nth) => (nth % 2 === 1 ? afterRequest(resets) : taking)(peer, nth);
    await using server = await RawServer.start(script);
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
    await window.queue.add(await filesOf(store, ...names(20)), 'Books');
    await toEnd(window, clock);
    assert.deepEqual(counts(window), { 'unconfirmed: ConnectionLostError reset': 10, accepted: 10 });
  });

  for (const jumpMs of [-3_600_000, 3_600_000]) {
    it(`pauses for the same time if the clock is set ${jumpMs < 0 ? 'back' : 'forward'} an hour meanwhile`, async () => {
      await using store = await TemporaryStore.make();
      const busy = says(response('429 Too Many Requests', '', 'Retry-After: 2'));
      await using server = await RawServer.start((peer, nth) => (nth === 1 ? afterRequest(busy) : taking)(peer, nth));
      const clock = new HandClock();
      using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
      await window.queue.add(await filesOf(store, ...names(3)), 'Books');
      await until(() => window.pausedUntilMs !== undefined);
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
