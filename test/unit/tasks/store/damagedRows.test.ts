import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { servingOf, takeTurn } from '../editorWindow';
import { HandClock } from '../handClock';
import { always, asStored, goneWindow, NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

/** What the bytes of a cell may have become, by its column. */
const damages: Readonly<Record<string, readonly string[]>> = {
  dataset: ['{"kind":', '7', '""x'],
  source: [
    '{"from":"disk"}',
    '"text"',
    '[',
    '{"from":"elsewhere","path":"","relativePath":"","name":"","sizeBytes":1}',
  ],
  batch: ['{"id":7}', '7', '{'],
  task_id_from: ['{"pointer":"/id"}', 'null,', '[]'],
  phase: ['null', '{}', '{"kind":"accepted"', '{"kind":"elsewhere"}', '{"kind":"rejected"}', '{"kind":"unreadable"}'],
  attempts: ['{"length":1}', '[{}]', '7'],
  last_query_error: ['{"kind":"failed"}', '{"kind":"rejected","refusal":{"by":"nobody"}}', '"'],
};

function edit({ path }: TemporaryStore, sql: string, ...values: (string | number)[]): void {
  const db = new DatabaseSync(path);
  db.prepare(sql).run(...values);
  db.close();
}

describe('A row of the store that makes no sense', () => {
  for (const [column, values] of Object.entries(damages)) {
    for (const value of values) {
      it(`with ${value} for its ${column} is shown as unreadable, beside all the others`, async () => {
        await using store = await TemporaryStore.make();
        const batch = { id: 'B', label: 'notes' };
        const tasks = ['a', 'b', 'c'].map((name) => taskOf({ source: sourceOf(name), batch, createdMs: NOON }));
        const added = await store.list().add(tasks);
        edit(store, `UPDATE tasks SET ${column} = ? WHERE key = ?`, value, added[1]?.key ?? 0);
        const read = await store.read();
        assert.deepEqual(
          read.toReversed().map(({ key, phase, createdMs }) => [key, phase.kind, createdMs]),
          added.map(({ key }, index) => [key, index === 1 ? 'unreadable' : 'accepted', NOON]),
        );
        assert.deepEqual(asStored([read[0], read[2]]), asStored([added[2], added[0]]));
        assert.deepEqual(store.asides, []);
      });
    }
  }

  it('is changed by nobody, and can be removed', async () => {
    await using store = await TemporaryStore.make();
    const [{ key } = { key: 0 }] = await store.list().add([taskOf()]);
    edit(store, `UPDATE tasks SET phase = '{'`);
    const list = store.list();
    await list.loaded();
    assert.equal(await list.change(key, { taskId: typedTaskId('T1', 'string') }, always), false);
    assert.deepEqual(await list.beginAgain([[key, () => ({ phase: { kind: 'queued' } })]]), []);
    assert.deepEqual(await list.remove([key]), []);
    assert.deepEqual(await store.read(), []);
  });

  it('that a window was sending which is gone keeps no other from being served', async () => {
    await using store = await TemporaryStore.make();
    const left = store.list(() => NOON, undefined, goneWindow());
    const queued = ['a', 'b', 'c'].map((name) => taskOf({ source: sourceOf(name), phase: { kind: 'queued' } }));
    const added = await left.add(queued);
    for (const { key } of added.slice(0, 2)) await left.begin(key, `gone ${key}`);
    edit(store, `UPDATE tasks SET source = '{' WHERE key = ?`, added[0]?.key ?? 0);
    const list = store.list();
    const serving = servingOf(list, new HandClock());
    await takeTurn({ list, serving });
    assert.deepEqual(
      list.held.toReversed().map(({ phase }) => phase.kind),
      ['unreadable', 'unconfirmed', 'queued'],
    );
    assert.equal(await list.begin(added[2]?.key ?? 0, 'here 1'), true);
    await list.remove([added[0]?.key ?? 0]);
    assert.equal((await store.read()).length, 2);
  });
});
