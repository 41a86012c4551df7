import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { TaskList } from '../../../../src/tasks/store/taskList';
import { asStored, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const MANY = 1500;

const many = Array.from({ length: MANY }, (_, index) =>
  taskOf({ phase: { kind: 'queued' }, source: sourceOf(`${index}.txt`), lastResponse: 'x'.repeat(4000) }),
);

describe('Thousands of tasks', () => {
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

  it('are removed from a database that cannot give their space back', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.loaded();
    const db = new DatabaseSync(store.path);
    db.exec('PRAGMA auto_vacuum = NONE; VACUUM');
    db.close();
    const added = await list.add(many.map((task) => ({ ...task, phase: { kind: 'accepted', report: undefined } })));
    await list.remove(added.map(({ key }) => key));
    assert.deepEqual(await store.read(), []);
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
