import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { NOON, TemporaryStore, taskOf } from '../temporaryStore';

describe('A damaged row of a healthy database', () => {
  it('fails what reads it, leaves the database in place, and can be removed', async () => {
    await using store = await TemporaryStore.make();
    const [good, damaged] = await store.list().add([taskOf(), taskOf({ createdMs: NOON - 1 })]);
    assert.ok(good && damaged);
    const db = new DatabaseSync(store.path);
    db.prepare(`UPDATE tasks SET phase = '{' WHERE key = ?`).run(damaged.key);
    db.close();
    const { tasks, history } = store.parts();
    await assert.rejects(history.tasks([damaged.key]), { name: 'StoreError', reason: 'unusable' });
    assert.deepEqual(
      (await history.tasks([good.key])).map(({ key }) => key),
      [good.key],
    );
    assert.deepEqual(await tasks.remove([damaged.key]), []);
    assert.deepEqual([(await store.read()).length, store.asides], [1, []]);
  });
});
