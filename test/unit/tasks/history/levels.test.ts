import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import {
  type Arrangement,
  groupOf,
  groupValueOf,
  readFirstLevel,
  readPages,
} from '../../../../src/tasks/history/levels';
import { tasksOfGroup } from '../../../../src/tasks/history/walk';
import type { NewTask, Phase } from '../../../../src/tasks/trackedTask';
import { NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const DAY = 86_400_000;
const rejected: Phase = { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } };
const batch = { id: 'B', label: 'notes' };

function named(name: string, facts: Partial<NewTask> = {}): NewTask {
  return taskOf({ source: sourceOf(name), taskId: typedTaskId(`id of ${name}`, 'string'), ...facts });
}

describe('The first level', () => {
  const tasks = [
    named('early', { createdMs: NOON - DAY, dataset: 'Logs', batch: { id: 'C', label: 'logs' } }),
    named('one', { createdMs: NOON, batch, phase: rejected }),
    named('two', { createdMs: NOON, batch }),
    named('late', { createdMs: NOON + DAY, phase: rejected }),
  ];
  const filter = { states: ['rejected'] } as const;
  const cases: [string, Arrangement, string[]][] = [
    ['has batches and the tasks of none, newest first', { groupBy: 'batch', filter: undefined }, ['late', 'B', 'C']],
    ['has with a filter those alone that fit', { groupBy: 'batch', filter }, ['late', 'B']],
    ['has the datasets by name', { groupBy: 'dataset', filter: undefined }, ['Books', 'Logs']],
    ['has the states, problems first', { groupBy: 'state', filter: undefined }, ['rejected', 'waiting']],
    ['has with a filter the groups alone that hold a fitting task', { groupBy: 'dataset', filter }, ['Books']],
  ];
  for (const [what, arrangement, rows] of cases) {
    it(what, async () => {
      await using store = await TemporaryStore.make();
      const list = store.list();
      await list.add(tasks);
      const level = await readFirstLevel(list.history, arrangement, 1);
      const shown = level.rows.map((row) => ('task' in row ? row.task.source?.name : row.group));
      assert.deepEqual([shown, level.hasMore], [rows, false]);
    });
  }

  it('has with a filter a page of them, and says whether there are more', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add(Array.from({ length: 201 }, (_, index) => named(`${index}`, { createdMs: NOON + index })));
    const read = async (pages: number) => {
      const { rows, hasMore } = await readFirstLevel(list.history, { groupBy: 'batch', filter: { text: 'id' } }, pages);
      return [rows.length, hasMore];
    };
    assert.deepEqual(
      [await read(1), await read(2)],
      [
        [200, true],
        [201, false],
      ],
    );
  });

  it('has groups that hold just the tasks whose group they are', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const added = await list.add(tasks);
    for (const groupBy of ['batch', 'dataset', 'state'] as const) {
      for (const task of added) {
        const value = groupValueOf(groupBy, task);
        if (value === undefined) continue;
        const { tasks: its } = await readPages(list.history, { group: groupOf(groupBy, value) }, 1);
        const fitting = added.filter((each) => groupValueOf(groupBy, each) === value);
        assert.deepEqual(new Set(its.map(({ key }) => key)), new Set(fitting.map(({ key }) => key)), value);
        assert.deepEqual(
          (await tasksOfGroup(list.history, groupOf(groupBy, value))).map(({ key }) => key),
          fitting.map(({ key }) => key),
        );
      }
    }
  });
});
