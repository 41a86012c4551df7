import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { StoreThread } from '../../../../src/tasks/store/storeThread';
import { TaskList } from '../../../../src/tasks/store/taskList';
import { asStored, NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

/** A program that ends with the first message of this kind: before it does what is asked, or before it responds. */
const dyingProgram = path.join(__dirname, 'dyingStoreProgram.js');

const QUEUED = { phase: { kind: 'queued' } } as const;

describe('The thread of a store', () => {
  it('stores tasks as the class does that it runs, and reads those of other windows', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store);
    const taskId = typedTaskId('9007199254740993123', 'number');
    const source = sourceOf('读书会记录.txt');
    const facts = { ...QUEUED, source, taskId, batch: { id: 'b', label: 'notes' }, importResponse: '{"code":"0"}' };
    const added = await window.list.add([taskOf(facts), taskOf()]);
    assert.deepEqual(asStored(await store.read()), asStored(added.toReversed()));
    const [{ key } = { key: 0 }] = added;
    assert.equal(await window.list.begin(key, 'A 1'), true);
    const there = store.list();
    assert.equal((await there.find(key))?.phase.kind, 'sending');
    assert.equal((await there.find(key))?.taskId, taskId);
    assert.deepEqual(await window.list.history.responses(key), await there.history.responses(key));
    assert.deepEqual(await window.list.history.groups('batch'), await there.history.groups('batch'));
    const [other] = await there.add([taskOf({ dataset: 'Letters' })]);
    await window.list.sync();
    assert.deepEqual(asStored(window.list.get(other?.key ?? 0)), asStored(other));
  });

  it('is the only one in which SQLite runs, and does not keep the process', async () => {
    await using store = await TemporaryStore.make();
    const program = [path.join(__dirname, 'reportThread.js'), store.path];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    assert.deepEqual(JSON.parse(stdout), { tasks: 1, isSqliteLoadedHere: false });
  });

  it('tells why the database cannot be used', async () => {
    await using store = await TemporaryStore.make();
    writeFileSync(path.dirname(store.path), 'a file');
    await using window = threadWindow(store);
    await assert.rejects(window.list.add([taskOf()]), { name: 'StoreError', reason: 'unusable', path: store.path });
  });

  it('reports a database that it sets aside, and begins another', async () => {
    await using store = await TemporaryStore.make();
    mkdirSync(path.dirname(store.path), { recursive: true });
    writeFileSync(store.path, 'no database'.repeat(1000));
    await using window = threadWindow(store);
    await window.list.add([taskOf()]);
    assert.deepEqual(window.asides.length, 1);
    assert.equal((await store.read()).length, 1);
  });

  it('makes nothing before it is used', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store);
    assert.equal(window.thread.exists, false);
  });

  it('is started again once it was closed', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store);
    await window.list.add([taskOf()]);
    await window.thread.close();
    await window.list.add([taskOf()]);
    assert.equal((await store.read()).length, 2);
  });

  it('rejects what is asked of it if it cannot be started', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store, path.join(__dirname, 'noSuchProgram.js'));
    for (let tries = 0; tries < 2; tries++)
      await assert.rejects(window.list.add([taskOf()]), { name: 'StoreError', reason: 'ended' });
  });
});

describe('A thread of a store that ends', () => {
  it('before it writes fails what was asked, which can be asked again', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store, dyingProgram, 'add before');
    await assert.rejects(window.list.add([taskOf()]), { name: 'StoreError', reason: 'ended' });
    assert.equal((await window.list.add([taskOf()])).length, 1);
    assert.equal((await store.read()).length, 1);
  });

  it('after it has added tasks has added them once', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store, dyingProgram, 'add after');
    const names = ['a.txt', 'b.txt', 'c.txt'];
    const added = await window.list.add(names.map((name) => taskOf({ ...QUEUED, source: sourceOf(name) })));
    assert.deepEqual(
      added.map(({ source }) => source?.name),
      names,
    );
    assert.deepEqual(asStored(await store.read()), asStored(added.toReversed()));
    assert.equal(await window.list.begin(added[0]?.key ?? 0, 'A 1'), true);
  });

  it('after it has marked an import has marked it, which its next try finds out', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store, dyingProgram, 'change after');
    const [task] = await window.list.add([taskOf({ ...QUEUED, source: sourceOf('a.txt') })]);
    await assert.rejects(window.list.begin(task?.key ?? 0, 'A 1'), { name: 'StoreError', reason: 'ended' });
    assert.equal(await window.list.begin(task?.key ?? 0, 'A 1'), true);
    assert.deepEqual(
      (await store.read()).map(({ phase }) => phase.kind),
      ['sending'],
    );
  });

  it('before it has marked an import has not: no byte may leave, and it can be begun again', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store, dyingProgram, 'change before');
    const [task] = await window.list.add([taskOf({ ...QUEUED, source: sourceOf('a.txt') })]);
    await assert.rejects(window.list.begin(task?.key ?? 0, 'A 1'), { name: 'StoreError', reason: 'ended' });
    assert.equal(await window.list.begin(task?.key ?? 0, 'A 1'), true);
  });

  it('keeps a change that it may not have made, until it is saved', async () => {
    await using store = await TemporaryStore.make();
    await using window = threadWindow(store, dyingProgram, 'change before');
    const [{ key } = { key: 0 }] = await window.list.add([taskOf()]);
    assert.equal(await window.list.update(key, () => ({ checkedMs: NOON + 1 })), true);
    assert.equal(window.list.isUnsaved(key), true);
    await window.list.sync();
    assert.equal(window.list.isUnsaved(key), false);
    assert.equal((await store.read())[0]?.checkedMs, NOON + 1);
  });
});

/** A window whose store is in a thread; the thread of `program` dies once, as `death` says. */
function threadWindow(store: TemporaryStore, program?: string, death?: string) {
  const asides: string[] = [];
  if (death !== undefined) writeFileSync(path.join(store.files.folder, 'death'), death);
  const thread = new StoreThread(store.path, (aside) => asides.push(aside), program);
  return {
    ...{ thread, asides },
    list: new TaskList(thread),
    [Symbol.asyncDispose]: () => thread.close(),
  };
}
