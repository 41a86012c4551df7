import assert from 'node:assert/strict';
import { prepared } from '../../../../src/tasks/database/sqliteConnection';
import { readCounts } from '../../../../src/tasks/history/taskCounts';
import { always, type StoredList, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const batch = { id: 'B', label: 'notes' };
const failure = { name: 'CanceledError', detail: '' } as const;
const CANCELED = { kind: 'notSent', failure } as const;

/** What is counted, and what is there. */
async function counted(store: TemporaryStore): Promise<readonly [kept: string[], there: string[]]> {
  const asText = ({ batchId = '', dataset, origin = '', state, count, sizeBytes }: ReturnType<typeof readCounts>[0]) =>
    [batchId, dataset, origin, state, count, sizeBytes].join(' ');
  return store.file().read((db) => {
    const rows = prepared(
      db,
      `SELECT ifnull(batch_id, '') AS batch, json_extract(dataset, '$') AS dataset, ifnull(origin, '') AS origin, state,
         count(*) AS count, ifnull(sum(size_bytes), 0) AS size FROM tasks GROUP BY 1, 2, 3, 4`,
    ).all();
    return [readCounts(db, {}).map(asText).sort(), rows.map((row) => Object.values(row).join(' ')).sort()] as const;
  });
}

async function added(list: StoredList) {
  return list.add([
    taskOf({ source: sourceOf('a.txt'), batch, phase: { kind: 'queued' } }),
    taskOf({ source: sourceOf('b.txt'), batch, phase: { kind: 'queued' }, origin: 'https://a.example.com' }),
    taskOf({ source: sourceOf('c.txt'), phase: CANCELED }),
    taskOf({ source: undefined, phase: CANCELED }),
    taskOf({ dataset: 'Letters "old"', source: sourceOf('d.txt'), phase: CANCELED }),
  ]);
}

describe('How many tasks there are in each state', () => {
  const steps: Record<string, (list: StoredList, keys: readonly number[]) => Promise<unknown>> = {
    'was added': async () => {},
    'ends and goes to another dataset': async (list, [first = 0, second = 0]) => {
      await list.change(first, { phase: CANCELED }, always);
      await list.change(second, { dataset: 'Letters', origin: 'https://b.example.com' }, always);
    },
    'has another batch, and another file': async (list, [first = 0, , third = 0]) => {
      await list.change(first, { batch: { id: 'C', label: 'other' } }, always);
      await list.change(third, { source: { ...sourceOf('larger.txt'), sizeBytes: 12_345 } }, always);
    },
    'is removed': (list, keys) => list.remove(keys.slice(3)),
    'is removed and put back': async (list, keys) => {
      const removed = await list.removeForUndo(keys[2] ?? 0);
      assert.ok(removed);
      assert.equal(await list.putBack(removed), true);
    },
  };
  for (const [what, step] of Object.entries(steps)) {
    it(`is kept where something ${what}`, async () => {
      await using store = await TemporaryStore.make();
      const list = store.list();
      await step(
        list,
        (await added(list)).map(({ key }) => key),
      );
      const [kept, there] = await counted(store);
      assert.deepEqual(kept, there);
      assert.ok(kept.length > 2);
    });
  }

  it('is the same for a text that fits all as without one, of one batch and of all', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [, , , withoutFile] = await added(list);
    await list.remove([withoutFile?.key ?? 0]);
    for (const batchId of [undefined, 'B']) {
      const [ofText, all] = await store
        .file()
        .read((db) => [{ text: '.txt' }, {}].map((filter) => new Set(readCounts(db, filter, batchId))));
      assert.deepEqual(ofText, all);
    }
  });
});
