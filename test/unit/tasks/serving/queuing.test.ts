import assert from 'node:assert/strict';
import { StoreError } from '../../../../src/tasks/database/storeError';
import type { CheckedSource } from '../../../../src/tasks/sending/checkedSource';
import { PartlyQueuedError } from '../../../../src/tasks/serving/importRun';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
import { target } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf, takeTurn } from '../editorWindow';
import { goneWindow, NOON, type StoredList, TemporaryStore } from '../temporaryStore';
import { until } from '../until';

/** So many that they are queued in three steps. */
const MANY = 1000;

const FULL = new StoreError('', new Error('the disk is full'), 'full');

/** The first is a file on the disk, the others are gone as they are to be sent. */
async function manyFiles(store: TemporaryStore): Promise<CheckedSource[]> {
  const gone = Array.from({ length: MANY - 1 }, (_, index): CheckedSource => {
    const name = `${index + 1}.txt`;
    return { source: { from: 'disk', path: store.files.at(name).path, relativePath: name, name, sizeBytes: 20 } };
  });
  return [...(await filesOf(store, '0.txt')), ...gone];
}

/** How many of the tasks are in which phase. */
function phases(list: TaskList): Record<string, number> {
  const kinds = Map.groupBy(list.held, ({ phase }) => phase.kind);
  return Object.fromEntries([...kinds].map(([kind, its]) => [kind, its.length]));
}

/** Calls `before` before the store adds what is queued in a step, the first one being 1. */
function beforeStep(list: StoredList, step: number, before: () => Promise<void>): void {
  const { tasks } = list.store;
  const add = tasks.add.bind(tasks);
  let calls = 0;
  Object.assign(tasks, {
    add: async (...args: Parameters<typeof add>) => {
      if (++calls === step) await before();
      return add(...args);
    },
  });
}

function fail(): Promise<never> {
  return Promise.reject(FULL);
}

async function untilEnded(window: EditorParts): Promise<void> {
  await until(async () => {
    await takeTurn(window);
    return window.queue.progress === undefined;
  });
}

describe('Many files that are queued', () => {
  it('are sent from the first on while the last are not in the store, in one run that ends after these', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    beforeStep(window.list, 3, () => sent);
    const files = await manyFiles(store);
    const queuing = window.queue.add(files, 'Books');
    await until(() => window.queue.progress?.ended === 900);
    assert.equal(server.posts, 1);
    assert.deepEqual(
      [window.queue.progress?.total, window.queue.progress?.totalBytes, window.ended],
      [MANY, files.reduce((sum, { source }) => sum + source.sizeBytes, 0), []],
    );
    onSent();
    const run = await queuing;
    await untilEnded(window);
    assert.deepEqual([window.ended, run.results.length, run.notQueued, server.posts], [[run], MANY, 0, 1]);
  });

  it('stay queued as far as they are in the store where it fails, which is said', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    beforeStep(window.list, 3, fail);
    await assert.rejects(window.queue.add(await manyFiles(store), 'Books'), (error) => {
      assert.ok(error instanceof PartlyQueuedError);
      assert.deepEqual([error.queued, error.total, error.cause], [900, MANY, FULL]);
      return true;
    });
    await untilEnded(window);
    assert.deepEqual([phases(window.list), server.posts], [{ accepted: 1, notSent: 899 }, 1]);
    assert.deepEqual(
      window.ended.map(({ results, notQueued }) => [results.length, notQueued]),
      [[900, MANY - 900]],
    );
  });

  it('are counted as they are in the store where those with a row of their own are in it, and others fail', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    await window.queue.add(await filesOf(store, 'old.txt'), 'Books');
    await untilEnded(window);
    Object.assign(window.list.store.tasks, { change: fail });
    const files = await filesOf(store, 'a.txt', 'b.txt', 'old.txt');
    await assert.rejects(window.queue.add(files, 'Books'), (error) => {
      assert.ok(error instanceof PartlyQueuedError);
      assert.deepEqual([error.queued, error.total], [2, 3]);
      return true;
    });
  });

  it('leave nothing behind where the store fails at once', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    beforeStep(window.list, 1, fail);
    await assert.rejects(window.queue.add(await manyFiles(store), 'Books'), FULL);
    assert.deepEqual([await store.read(), window.queue.progress, window.ended], [[], undefined, []]);
  });

  it('are all canceled, and no more of them are queued, where a person cancels meanwhile', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    let isCanceled = false;
    const findTarget = () => (isCanceled ? Promise.resolve(target(server.url)) : new Promise<never>(() => {}));
    using window = editorWindow(store.list(), server.url, { findTarget });
    beforeStep(window.list, 2, async () => {
      await window.queue.cancel();
      isCanceled = true;
    });
    const [onDisk, ...gone] = await manyFiles(store);
    assert.ok(onDisk);
    // The first one of the second step is the one on the disk.
    const run = await window.queue.add(gone.toSpliced(100, 0, onDisk), 'Books');
    await untilEnded(window);
    assert.deepEqual([phases(window.list), run.notQueued, server.posts], [{ notSent: 900 }, 100, 0]);
    assert.deepEqual(window.ended, [run]);
  });

  it('are all queued where a person cancels only one of them meanwhile', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url, { findTarget: () => new Promise(() => {}) });
    beforeStep(window.list, 2, () => window.queue.cancel(({ source }) => source?.name === '7.txt'));
    await window.queue.add(await manyFiles(store), 'Books');
    assert.deepEqual(phases(window.list), { notSent: 1, queued: MANY - 1 });
  });

  it('are sent by another window, as far as they are in the store, where theirs is gone', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const gone = store.list(() => NOON, undefined, goneWindow());
    const killed = editorWindow(gone, server.url, { findTarget: () => new Promise(() => {}) });
    beforeStep(gone, 2, fail);
    await assert.rejects(killed.queue.add(await manyFiles(store), 'Books'), PartlyQueuedError);
    killed.queue.dispose();
    using other = editorWindow(store.list(), server.url);
    await takeTurn(other);
    await untilEnded(other);
    assert.deepEqual([phases(other.list), server.posts], [{ accepted: 1, notSent: 99 }, 1]);
  });
});
