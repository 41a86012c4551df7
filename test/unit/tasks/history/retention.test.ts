import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { Keeping } from '../../../../src/tasks/history/retention';
import type { NewTask, Phase } from '../../../../src/tasks/trackedTask';
import { allTasks, NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const DAY = 86_400_000;
const ALL = Number.POSITIVE_INFINITY;
const failure = { name: 'CanceledError', detail: '' } as const;

function reported(meaning: TaskReport['meaning']): Phase {
  return { kind: 'accepted', report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} } };
}

function ended(name: string, daysAgo: number, facts: Partial<NewTask> = {}): NewTask {
  const checkedMs = NOON - daysAgo * DAY;
  const phase = reported('succeeded');
  const taskId = typedTaskId(name, 'string');
  return taskOf({ source: sourceOf(name), createdMs: checkedMs, checkedMs, phase, taskId, ...facts });
}

/** The names of what is left in the order in which it was added. */
async function left(store: TemporaryStore, keeping: Keeping, tasks: readonly NewTask[]): Promise<unknown[]> {
  const list = store.list();
  await list.add(tasks);
  await list.clearEnded(keeping);
  const all = await allTasks(list);
  return all.toSorted((one, other) => one.key - other.key).map(({ source }) => source?.name);
}

describe('Tasks that have ended', () => {
  it('are cleared once they are older than the days that are kept', async () => {
    await using store = await TemporaryStore.make();
    const tasks = [ended('old', 91), ended('kept', 89), ended('failed', 91, { phase: reported('failed') })];
    assert.deepEqual(await left(store, { days: 90, tasks: ALL }, tasks), ['kept']);
  });

  it('are cleared beyond the number that is kept, the oldest first', async () => {
    await using store = await TemporaryStore.make();
    const tasks = Array.from({ length: 350 }, (_, index) => ended(`${index}`, 350 - index));
    const kept = tasks.slice(-3).map(({ source }) => source?.name);
    assert.deepEqual(await left(store, { days: ALL, tasks: 3 }, tasks), kept);
  });

  it('are all kept without limits', async () => {
    await using store = await TemporaryStore.make();
    assert.deepEqual(await left(store, { days: ALL, tasks: ALL }, [ended('a', 10_000)]), ['a']);
  });

  it('and leave something to decide, or have not ended, are never cleared', async () => {
    await using store = await TemporaryStore.make();
    const phases: Record<string, Phase> = {
      unconfirmed: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 },
      unknown: reported('unknown'),
      running: reported('running'),
      noReport: reported('none'),
      queued: { kind: 'queued' },
      sending: { kind: 'sending', attemptId: 'A 1' },
    };
    const parts = [
      { taskId: typedTaskId('a', 'string'), report: (reported('failed') as { report: TaskReport }).report },
      { taskId: typedTaskId('b', 'string'), report: undefined },
    ];
    const tasks = [
      ...Object.entries(phases).map(([name, phase]) => ended(name, 1000, { phase })),
      ended('withoutId', 1000, { phase: { kind: 'accepted', report: undefined }, taskId: undefined }),
      ended('of several one runs', 1000, { phase: { ...reported('failed'), parts } as Phase }),
    ];
    const names = tasks.map(({ source }) => source?.name);
    assert.deepEqual(await left(store, { days: 1, tasks: 1 }, tasks), names);
  });

  it('are gone from the other windows once one has cleared them', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await here.add([ended('a', 100)]);
    await there.sync();
    assert.ok(task && there.get(task.key));
    await here.clearEnded({ days: 90, tasks: ALL });
    await there.sync();
    assert.equal(there.get(task.key), undefined);
  });

  it('are cleared with their responses', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await list.add([ended('a', 100, { lastResponse: '{}' })]);
    await list.clearEnded({ days: 90, tasks: ALL });
    assert.deepEqual(await list.history.responses(task?.key ?? 0), {
      importResponse: undefined,
      lastResponse: undefined,
    });
  });
});
