import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { EditorWindow } from '../../../../src/tasks/leases/windowLease';
import { TaskList } from '../../../../src/tasks/store/taskList';
import { servingOf, takeTurn } from '../editorWindow';
import { HandClock } from '../handClock';
import { asStored, goneWindow, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const MANY = 1500;

const many = Array.from({ length: MANY }, (_, index) =>
  taskOf({ phase: { kind: 'queued' }, source: sourceOf(`${index}.txt`), lastResponse: 'x'.repeat(4000) }),
);

describe('Thousands of tasks', () => {
  it('are added in several commits, in their order', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.loaded();
    const before = commits(store);
    const added = await list.add(many);
    assert.ok(commits(store) - before > 3);
    assert.deepEqual(
      added.map(({ source }) => source?.name),
      many.map(({ source }) => source?.name),
    );
    assert.deepEqual(asStored(await store.read()), asStored(added.toReversed()));
    assert.deepEqual(unfinishedAdditions(store), 0);
  });

  it('are all added, or none where one commit fails', async () => {
    await using store = await TemporaryStore.make();
    const { list } = failingWindow(store);
    await assert.rejects(list.add(many), /the disk is full/);
    assert.deepEqual(await store.read(), []);
    assert.equal(unfinishedAdditions(store), 0);
    assert.deepEqual(list.held, []);
  });

  it('go with a window that is killed while it adds them', async () => {
    await using store = await TemporaryStore.make();
    const killed = failingWindow(store, goneWindow());
    killed.parts.tasks.undoAddition = () => Promise.reject(new Error('it is gone'));
    await assert.rejects(killed.list.add(many), /the disk is full/);
    assert.ok(unfinishedAdditions(store) > 0);
    const next = store.list();
    const serving = servingOf(next, new HandClock());
    await takeTurn({ list: next, serving });
    await next.sync();
    assert.deepEqual([next.held, await store.read(), unfinishedAdditions(store)], [[], [], 0]);
  });

  it('that are removed give their space back', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const added = await list.add(many.map((task) => ({ ...task, phase: { kind: 'accepted', report: undefined } })));
    const full = statSync(store.path).size;
    const [kept, ...others] = added;
    await list.remove(others.map(({ key }) => key));
    assert.ok(statSync(store.path).size < full / 2, `${statSync(store.path).size} of ${full} bytes`);
    assert.deepEqual(asStored(await store.read()), asStored([kept]));
  });

  it('are removed also where their space cannot be given back right now', async () => {
    await using store = await TemporaryStore.make();
    const parts = store.parts();
    const list = new TaskList(parts);
    const added = await list.add([taskOf(), taskOf()]);
    parts.tasks.shrink = () => Promise.reject(new Error('locked'));
    assert.deepEqual(await list.remove(added.map(({ key }) => key)), []);
    assert.deepEqual(await store.read(), []);
  });
});

/** A window whose third commit of tasks fails. */
function failingWindow(store: TemporaryStore, window?: EditorWindow) {
  const parts = store.parts(undefined, undefined, window);
  const add = parts.tasks.add.bind(parts.tasks);
  let calls = 0;
  parts.tasks.add = (...args) => (++calls === 3 ? Promise.reject(new Error('the disk is full')) : add(...args));
  return { parts, list: new TaskList(parts) };
}

/** SQLite's count of the transactions that changed the file. */
function commits({ path }: TemporaryStore): number {
  return readFileSync(path).readUInt32BE(24);
}

function unfinishedAdditions({ path }: TemporaryStore): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare('SELECT count(*) AS count FROM additions').get();
  db.close();
  return Number(row?.['count']);
}
