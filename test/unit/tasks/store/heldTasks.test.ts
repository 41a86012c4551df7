import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { newestFirst } from '../../../../src/tasks/history/walk';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { Phase, TrackedTask } from '../../../../src/tasks/trackedTask';
import { allTasks, always, asStored, NOON, TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';

const taskId = typedTaskId('T1', 'string');
const from = {};
const FAILURE = { name: 'ConnectError', reason: 'dns', host: 'books.example', detail: '' } as const;
const ENDED: Phase = {
  kind: 'accepted',
  report: { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from },
};

describe('A window', () => {
  it('holds all that is unfinished, and of what has ended only so much', async () => {
    await using store = await TemporaryStore.make();
    const there = store.list();
    const [first] = await there.add([taskOf({ taskId, createdMs: NOON - 1 })]);
    await there.add(Array.from({ length: 2100 }, () => taskOf({ taskId, phase: ENDED })));
    const here = store.list();
    await here.sync();
    assert.deepEqual(asStored(here.unfinished), asStored([first]));
    assert.ok(here.held.length < 500, `${here.held.length} held`);
    for await (const tasks of newestFirst(here.history)) await here.hold(Promise.resolve(tasks));
    assert.deepEqual([here.held.length, here.unfinished.length], [2001, 1]);
    await here.change(first?.key ?? 0, { phase: ENDED }, always);
    assert.deepEqual([here.held.length, here.unfinished.length], [2000, 0]);
  });

  for (const [when, isFirst] of [
    ['its first sync', true],
    ['a later sync', false],
  ] as const) {
    it(`tells once of an unfinished task that it shows before ${when}`, async () => {
      await using store = await TemporaryStore.make();
      const [here, there] = [store.list(), store.list()];
      if (!isFirst) await here.sync();
      const [added] = await there.add([taskOf({ taskId })]);
      const told = addedTo(here);
      assert.ok(await here.find(added?.key ?? 0));
      for (let time = 0; time < 2; time++) await here.sync();
      assert.deepEqual(told, [added?.key]);
    });

    it(`tells once of an unfinished task that it shows while ${when} reads it`, async () => {
      await using store = await TemporaryStore.make();
      const [here, there] = [store.list(), store.list()];
      if (!isFirst) await here.sync();
      const [added] = await there.add([taskOf({ taskId })]);
      const told = addedTo(here);
      const read = here.history.tasks.bind(here.history);
      const shown = { isIt: false };
      Object.assign(here.history, {
        tasks: async (keys: readonly number[]) => {
          if (!shown.isIt) {
            shown.isIt = true;
            assert.ok(await here.find(added?.key ?? 0));
          }
          return read(keys);
        },
      });
      for (let time = 0; time < 2; time++) await here.sync();
      assert.deepEqual(told, [added?.key]);
    });
  }

  for (const [how, removeIt] of [
    ['it removes', (here: TaskList, _there: TaskList, key: number) => here.removeForUndo(key)],
    [
      'another window removes',
      async (here: TaskList, there: TaskList, key: number) => {
        await there.remove([key]);
        await here.sync();
      },
    ],
  ] as const) {
    it(`holds none again that ${how} while it is read`, async () => {
      await using store = await TemporaryStore.make();
      const [here, there] = [store.list(), store.list()];
      const [running, ended] = await here.add([taskOf({ taskId }), taskOf({ taskId, phase: ENDED })]);
      assert.ok(running && ended);
      for (const { key } of [running, ended]) {
        const [task, reading] = [here.get(key), Promise.withResolvers<readonly TrackedTask[]>()];
        const holding = here.hold(reading.promise);
        await removeIt(here, there, key);
        assert.ok(task);
        reading.resolve([task]);
        assert.deepEqual(await holding, []);
        assert.equal(await here.find(key), undefined);
      }
      assert.deepEqual(here.held, []);
    });
  }

  it('finds and changes a task that it does not hold, and the others see that', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [old] = await there.add([taskOf({ phase: ENDED, taskId, createdMs: NOON - 1 })]);
    await there.add(Array.from({ length: 300 }, () => taskOf({ taskId, phase: ENDED })));
    await here.sync();
    assert.ok(old);
    assert.equal(here.get(old.key), undefined);
    assert.equal(await here.change(old.key, { checkedMs: NOON + 1 }, always), true);
    await there.sync();
    assert.equal(there.get(old.key)?.checkedMs, NOON + 1);
    assert.deepEqual(await here.find(old.key), there.get(old.key));
  });

  it('makes a change that another window was faster with, though an older reading is still under way', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await here.add([taskOf({ taskId })]);
    assert.ok(task);
    await there.sync();
    const { tasks } = here.store;
    const [read, release] = [tasks.changesSince.bind(tasks), Promise.withResolvers<void>()];
    let readings = 0;
    Object.assign(tasks, {
      changesSince: async (...since: Parameters<typeof read>) => {
        const changes = await read(...since);
        if (++readings === 1) await release.promise;
        return changes;
      },
    });
    const syncing = here.sync();
    await until(() => readings === 1);
    assert.equal(await there.change(task.key, { checkedMs: NOON + 1 }, always), true);
    const change = tasks.change.bind(tasks);
    Object.assign(tasks, {
      change: async (...changes: Parameters<typeof change>) => {
        const written = await change(...changes);
        // It is refused, and waits for what the other window has written.
        setImmediate(() => release.resolve());
        return written;
      },
    });
    const changing = here.change(task.key, { lastQueryError: { kind: 'failed', failure: FAILURE } }, always);
    await syncing;
    assert.equal(await changing, true);
    await there.sync();
    assert.deepEqual([there.get(task.key)?.checkedMs, there.get(task.key)?.lastQueryError?.kind], [NOON + 1, 'failed']);
  });

  it('that is behind what the log of removals still has drops what it holds of it', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [kept, removed] = await there.add([taskOf({ taskId }), taskOf({ taskId, phase: ENDED })]);
    assert.ok(kept && removed);
    await here.sync();
    const others = await there.add(Array.from({ length: 10_001 }, () => taskOf({ phase: ENDED })));
    await there.remove([removed.key]);
    await there.remove(others.map(({ key }) => key));
    await here.sync();
    assert.deepEqual(asStored(here.held), asStored([kept]));
    assert.deepEqual(asStored(await allTasks(here)), asStored([kept]));
  });
});

/** The keys of the tasks of which a list tells that they were added. */
function addedTo(list: TaskList): number[] {
  const told: number[] = [];
  list.events.on('change', (change) => change.kind === 'list' && told.push(...change.added.map(({ key }) => key)));
  return told;
}
