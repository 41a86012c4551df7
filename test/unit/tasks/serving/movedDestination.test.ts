import assert from 'node:assert/strict';
import type { Destination } from '../../../../src/tasks/destination';
import type { CheckedSource } from '../../../../src/tasks/sending/checkedSource';
import { RawServer } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { target } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf, takeTurn } from '../editorWindow';
import { goneWindow, NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';

const done = ({ queue }: EditorParts) => until(() => queue.progress === undefined);
const phases = ({ list }: EditorParts) => list.held.map(({ phase }) => phase.kind).reverse();

interface Moving extends AsyncDisposable {
  readonly store: TemporaryStore;
  readonly before: RawServer;
  readonly after: RawServer;
  readonly window: EditorParts;
  readonly moved: Destination[];
  files(...names: string[]): Promise<CheckedSource[]>;
  /** Sets the base URL of the dataset. */
  moveTo(server: RawServer): Promise<void>;
}

/** A window whose dataset Books is at one service and can be moved to another. */
async function moving(): Promise<Moving> {
  const store = await TemporaryStore.make();
  const before = await RawServer.start(taking);
  const after = await RawServer.start(taking);
  let baseUrl = before.url;
  const window = editorWindow(store.list(), before.url, { allowed: () => 1, findTarget: async () => target(baseUrl) });
  const moved: Destination[] = [];
  window.queue.events.on('moved', (destination) => moved.push(destination));
  return {
    store,
    before,
    after,
    window,
    moved,
    files: (...names) => filesOf(store, ...names),
    async moveTo({ url }) {
      baseUrl = url;
      await window.queue.targetsChanged();
    },
    async [Symbol.asyncDispose]() {
      window[Symbol.dispose]();
      await before[Symbol.asyncDispose]();
      await after[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

describe('Imports whose dataset has moved to another origin', () => {
  it('are not begun by who still means to send them to the old one', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await list.add([taskOf({ phase: { kind: 'queued' }, origin: 'https://before.example' })]);
    assert.ok(task);
    await list.redirect([task.key], 'https://after.example');
    assert.equal(await list.begin(task.key, 'A 1', 'https://before.example'), false);
    assert.deepEqual(
      (await store.read()).map(({ phase, origin }) => [phase.kind, origin]),
      [['queued', 'https://after.example']],
    );
    assert.equal(await list.begin(task.key, 'A 1', 'https://after.example'), true);
  });

  it('go where a person sends them, also one whose file is just being opened by then', async () => {
    await using it = await moving();
    const { store, before, after } = it;
    let baseUrl = before.url;
    const findTarget = async () => target(baseUrl);
    using window = editorWindow(store.list(), before.url, { allowed: () => 2, findTarget });
    const { sources, queue } = window;
    const moved: Destination[] = [];
    queue.events.on('moved', (destination) => moved.push(destination));
    const open = sources.open.bind(sources);
    const { promise: opens, resolve: letOpen } = Promise.withResolvers<void>();
    let asked = 0;
    sources.open = async (...source) => {
      if (++asked === 1) await opens;
      return open(...source);
    };
    const [a, b] = await it.files('a.txt', 'b.txt');
    assert.ok(a && b);
    const run = await queue.add([a], 'Books', undefined, before.url.origin);
    await until(() => asked === 1);
    baseUrl = after.url;
    await queue.targetsChanged();
    await queue.add([b], 'Books', undefined, before.url.origin);
    await until(() => moved.length === 1);
    await queue.redirect({ dataset: 'Books', origin: after.url.origin });
    letOpen();
    await until(async () => {
      await takeTurn(window);
      return queue.progress === undefined;
    });
    assert.deepEqual([before.posts, after.posts, phases(window)], [0, 2, ['accepted', 'accepted']]);
    assert.deepEqual([run.results.length, window.ended.length], [1, 2]);
  });

  it('wait and are told of once, and nothing of them goes there unasked', async () => {
    await using it = await moving();
    await it.moveTo(it.after);
    const { origin } = it.before.url;
    await it.window.queue.add(await it.files('a.txt', 'b.txt', 'c.txt'), 'Books', undefined, origin);
    await until(() => it.moved.length > 0 && it.window.queue.progress?.isMoved === true);
    await it.window.queue.add(await it.files('d.txt'), 'Books', undefined, origin);
    assert.deepEqual(it.moved, [{ dataset: 'Books', origin }]);
    assert.deepEqual(phases(it.window), ['queued', 'queued', 'queued', 'queued']);
    assert.equal(it.window.queue.movedOf('Books').length, 4);
    assert.deepEqual([it.before.posts, it.after.posts], [0, 0]);
  });

  it('are sent there at a person’s word, and are that destination’s then, in the store too', async () => {
    await using it = await moving();
    await it.moveTo(it.after);
    const files = await it.files('a.txt', 'b.txt', 'c.txt');
    await it.window.queue.add(files, 'Books', undefined, it.before.url.origin);
    await until(() => it.window.queue.progress?.isMoved === true);
    await it.window.queue.redirect({ dataset: 'Books', origin: it.after.url.origin });
    await done(it.window);
    assert.deepEqual([it.before.posts, it.after.posts], [0, 3]);
    assert.deepEqual(
      (await it.store.read()).map(({ origin, phase }) => [origin, phase.kind]),
      files.map(() => [it.after.url.origin, 'accepted']),
    );
    assert.deepEqual(
      it.window.ended.map(({ results }) => results.length),
      [3],
    );
  });

  it('are not sent where a person would rather not', async () => {
    await using it = await moving();
    await it.moveTo(it.after);
    await it.window.queue.add(await it.files('a.txt', 'b.txt'), 'Books', undefined, it.before.url.origin);
    await until(() => it.window.queue.progress?.isMoved === true);
    await it.window.queue.cancel();
    await done(it.window);
    assert.deepEqual(phases(it.window), ['notSent', 'notSent']);
    assert.deepEqual([it.before.posts, it.after.posts], [0, 0]);
  });

  it('go on by themselves where it is moved back', async () => {
    await using it = await moving();
    await it.moveTo(it.after);
    await it.window.queue.add(await it.files('a.txt', 'b.txt'), 'Books', undefined, it.before.url.origin);
    await until(() => it.window.queue.progress?.isMoved === true);
    await it.moveTo(it.before);
    await done(it.window);
    assert.deepEqual([it.before.posts, it.after.posts], [2, 0]);
  });

  it('wait in the middle of a batch, from the moment it has moved', async () => {
    await using it = await moving();
    let isMoved = false;
    it.window.queue.events.on('change', () => {
      if (it.before.posts < 2 || isMoved) return;
      isMoved = true;
      void it.moveTo(it.after);
    });
    const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
    await it.window.queue.add(await it.files(...names), 'Books', undefined, it.before.url.origin);
    await until(() => it.window.queue.progress?.isMoved === true && !phases(it.window).includes('sending'));
    const { posts } = it.before;
    assert.ok(posts >= 2 && posts < 20, `${posts} of 20`);
    assert.equal(it.after.posts, 0);
    assert.equal(phases(it.window).filter((kind) => kind === 'queued').length, 20 - posts);
  });

  it('wait too where a window that is gone has left them', async () => {
    await using it = await moving();
    await it.moveTo(it.after);
    const left = it.store.list(() => NOON, undefined, goneWindow());
    const { origin } = it.before.url;
    await left.add([taskOf({ origin, phase: { kind: 'queued' }, source: sourceOf('a.txt') })]);
    await takeTurn(it.window);
    await until(() => it.window.queue.progress?.isMoved === true);
    assert.deepEqual(it.moved, [{ dataset: 'Books', origin }]);
  });

  it('do not hold up those that are for where it is now', async () => {
    await using it = await moving();
    await it.moveTo(it.after);
    await it.window.queue.add(await it.files('a.txt'), 'Books', undefined, it.before.url.origin);
    await until(() => it.window.queue.progress?.isMoved === true);
    await it.window.queue.add(await it.files('b.txt'), 'Books', undefined, it.after.url.origin);
    await until(() => phases(it.window).includes('accepted') && it.window.queue.progress?.isMoved === true);
    assert.deepEqual([phases(it.window), it.after.posts], [['queued', 'accepted'], 1]);
  });

  it('go where a person says when they are sent again, and only there', async () => {
    await using refusing = await RawServer.start(answering(response('400 Bad Request', 'no')));
    await using it = await moving();
    await it.moveTo(refusing);
    await it.window.queue.add(await it.files('a.txt'), 'Books', undefined, refusing.url.origin);
    await done(it.window);
    await it.moveTo(it.after);
    await it.window.queue.retry(it.window.list.held);
    await until(() => it.window.queue.progress?.isMoved === true);
    await it.window.queue.cancel();
    await it.window.queue.retry(it.window.list.held, it.after.url.origin);
    await done(it.window);
    assert.deepEqual([refusing.posts, it.after.posts, phases(it.window)], [1, 1, ['accepted']]);
    assert.equal(it.window.list.held[0]?.origin, it.after.url.origin);
  });
});

describe('A batch', () => {
  it('reads its key anew as soon as it is known to have changed', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    let accessKey = 'first-key-of-this-test';
    const findTarget = async () => ({ ...target(server.url), accessKey });
    using window = editorWindow(store.list(), server.url, {
      allowed: () => 1,
      findTarget,
    });
    let changedAt = 0;
    window.queue.events.on('change', () => {
      if (changedAt > 0 || server.posts < 3) return;
      changedAt = server.posts;
      accessKey = 'second-key-of-this-test';
      void window.queue.targetsChanged();
    });
    const names = Array.from({ length: 9 }, (_, index) => `${index}.txt`);
    await window.queue.add(await filesOf(store, ...names), 'Books');
    await done(window);
    const withFirst = server.peers.filter(({ received }) => received.includes('first-key-of-this-test'));
    const withSecond = server.peers.filter(({ received }) => received.includes('second-key-of-this-test'));
    // One had begun when it changed.
    assert.ok(withFirst.length <= changedAt + 1, `${withFirst.length} went out with the first key`);
    assert.deepEqual([withFirst.length + withSecond.length, server.posts], [9, 9]);
  });
});
