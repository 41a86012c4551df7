import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { REMOVED_AT_ONCE, TASK_TABLES } from '../../../../src/tasks/rows/taskTable';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { NewTask, Phase, TrackedTask } from '../../../../src/tasks/trackedTask';
import { allTasks, always, sourceOf, TemporaryStore, taskOf, withoutRevision } from '../temporaryStore';

const failure = { name: 'CanceledError', detail: '' } as const;
const unconfirmed: Phase = { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 };
const succeeded = reported('succeeded');

function reported(meaning: 'succeeded' | 'failed'): Phase {
  return { kind: 'accepted', report: { status: meaning, meaning, progress: 1, message: 'Read.', from: {} } };
}

/** A task with something in every table. */
const full: Partial<NewTask> = {
  source: sourceOf('読.txt', { sha256: 'ab' }),
  batch: { id: 'b-1', label: 'notes' },
  attempts: [{ beganMs: 1, endedMs: 2, sentBytes: 1, totalBytes: 2, end: unconfirmed as never }],
  taskId: typedTaskId('9007199254740993123', 'number'),
  importResponse: '{"code":"0","data":{"taskId":9007199254740993123}}',
  lastResponse: '{ "code":"0" }',
};

async function add(list: TaskList, ...facts: readonly Partial<NewTask>[]): Promise<TrackedTask[]> {
  const ids = facts.map((_, index) => typedTaskId(`t-${index}`, 'string'));
  return list.add(facts.map((some, index) => taskOf({ taskId: ids[index], ...some })));
}

/** All rows of a task but the revision of its last change. */
function rowsOf(store: TemporaryStore, key: number): unknown {
  using db = new DatabaseSync(store.path, { readOnly: true });
  return TASK_TABLES.map((table) =>
    db
      .prepare(`SELECT * FROM ${table} WHERE key = ?`)
      .all(key)
      .map(({ revision: _, ...row }) => row),
  );
}

describe('A task that was removed', () => {
  it('is put back with all that was kept of it, to the byte', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await add(list, full);
    assert.ok(task);
    await list.change(task.key, { phase: succeeded }, always);
    const before = rowsOf(store, task.key);
    const shown = list.get(task.key);
    const removed = await list.removeForUndo(task.key);
    assert.deepEqual(rowsOf(store, task.key), [[], [], []]);
    assert.ok(removed && list.get(task.key) === undefined);
    assert.equal(await list.putBack(removed), true);
    assert.deepEqual(rowsOf(store, task.key), before);
    assert.deepEqual(withoutRevision([list.get(task.key), ...(await store.read())]), withoutRevision([shown, shown]));
  });

  it('is gone from another window, and back there', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await add(here, full);
    assert.ok(task);
    await there.sync();
    const removed = await here.removeForUndo(task.key);
    await there.sync();
    assert.equal(there.get(task.key), undefined);
    assert.ok(removed);
    await here.putBack(removed);
    await there.sync();
    assert.deepEqual(withoutRevision([there.get(task.key)]), withoutRevision([task]));
  });

  it('is never lost to another window that did not look in between', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await add(here, full);
    assert.ok(task);
    await there.sync();
    const removals: number[] = [];
    there.events.on('change', (change) => removals.push(...(change.kind === 'list' ? change.removed : [])));
    const removed = await here.removeForUndo(task.key);
    assert.ok(removed);
    await here.putBack(removed);
    await there.sync();
    assert.deepEqual(withoutRevision([there.get(task.key)]), withoutRevision([task]));
    assert.deepEqual(removals, []);
  });

  it('can be removed again after it was put back, here and by another window', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await add(here, full);
    assert.ok(task);
    for (const remover of [here, there]) {
      const removed = await here.removeForUndo(task.key);
      assert.ok(removed);
      await here.putBack(removed);
      await there.sync();
      await remover.remove([task.key]);
      for (const list of [here, there]) await list.sync();
      assert.deepEqual([here.held, there.held], [[], []]);
      await here.putBack(removed);
      await there.sync();
    }
  });

  it('is not put back where it is there, as when Undo is chosen in two messages', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await add(list, full);
    assert.ok(task);
    const removed = await list.removeForUndo(task.key);
    assert.ok(removed);
    await list.putBack(removed);
    await list.change(task.key, { phase: succeeded }, always);
    const before = rowsOf(store, task.key);
    assert.equal(await list.putBack(removed), false);
    assert.deepEqual(rowsOf(store, task.key), before);
  });

  it('stays removed if its file was imported again in the meantime', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const facts = { phase: succeeded, source: sourceOf('a.txt') };
    const [task] = await list.add([taskOf(facts)]);
    assert.ok(task);
    const removed = await list.removeForUndo(task.key);
    assert.ok(removed);
    const [again] = await list.add([taskOf({ ...facts, phase: { kind: 'queued' } })]);
    assert.equal(await list.putBack(removed), false);
    assert.deepEqual(
      list.held.map(({ key }) => key),
      [again?.key],
    );
    assert.equal((await list.history.timeline(again?.key ?? 0)).length, 1);
  });
});

describe('A task', () => {
  it('that a window is to send is not removed', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await add(list, { phase: { kind: 'queued' } });
    assert.ok(task);
    const before = rowsOf(store, task.key);
    assert.equal(await list.removeForUndo(task.key), undefined);
    assert.deepEqual(rowsOf(store, task.key), before);
  });

  it('that another window has removed is gone, and leaves nothing to undo', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await add(here, full);
    assert.ok(task);
    await there.remove([task.key]);
    assert.equal(await here.removeForUndo(task.key), undefined);
    assert.equal(here.get(task.key), undefined);
  });
});

describe('Many tasks', () => {
  const many = Array.from({ length: 3 * REMOVED_AT_ONCE + 50 }, () => ({ phase: succeeded }));

  it('are removed a few in each commit, so that what is asked for meanwhile is done between', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const tasks = await add(list, ...many);
    const removing = list.remove(tasks.map(({ key }) => key));
    const [first] = tasks;
    assert.ok(first);
    const between = (await allTasks(list)).length;
    await removing;
    assert.ok(between > 0, 'all were removed at once');
    assert.deepEqual([list.held, await allTasks(list)], [[], []]);
  });

  it('are gone from another window, too, which reads that from the log of changes', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const tasks = await add(here, ...many);
    await there.sync();
    const removals: number[] = [];
    there.events.on('change', (change) => removals.push(...(change.kind === 'list' ? change.removed : [])));
    await here.remove(tasks.map(({ key }) => key));
    await there.sync();
    assert.deepEqual([removals.length, there.held], [many.length, []]);
  });

  it('stay from where it is canceled on, and what was removed before is told', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const tasks = await add(list, ...many);
    const stop = new AbortController();
    list.events.once('change', () => stop.abort());
    const keys = tasks.map(({ key }) => key);
    await assert.rejects(list.remove(keys, { signal: stop.signal }), { name: 'AbortError' });
    const left = (await allTasks(list)).map(({ key }) => key);
    assert.ok(left.length > 0 && left.length < keys.length, `${left.length} are left`);
    assert.deepEqual(
      list.held.map(({ key }) => key),
      left,
    );
  });

  it('are removed only where they are in the state that was meant', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const tasks = await add(list, { phase: succeeded }, { phase: succeeded }, { phase: unconfirmed });
    const [, changed] = tasks;
    assert.ok(changed);
    const keys = await list.history.keysInState('succeeded');
    assert.equal(keys.length, 2);
    await store.list().change(changed.key, { phase: reported('failed') }, always);
    const staying = await list.remove(keys, { state: 'succeeded' });
    assert.deepEqual(withoutRevision(staying), withoutRevision([{ ...changed, phase: reported('failed') }]));
    assert.equal((await allTasks(list)).length, 2);
  });
});
