import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { taskIdOf, typedTaskId } from '../../../../src/service/json/taskId';
import { cancelation } from '../../../../src/tasks/serving/importEnds';
import { begunAgain, type TaskChange } from '../../../../src/tasks/store/taskChange';
import type { ListChange, TaskList } from '../../../../src/tasks/store/taskList';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import { fc } from '../../seededFastCheck';
import { OtherProcess } from '../otherProcess';
import { lockStore } from '../storeLock';
import { always, asStored, NOON, SENDING, sourceOf, TemporaryStore, taskOf, withoutRevision } from '../temporaryStore';
import { until } from '../until';

const SUCCEEDED: TaskChange = {
  phase: {
    kind: 'accepted',
    report: {
      status: 'DONE',
      meaning: 'succeeded',
      progress: 1,
      message: 'read',
      from: { status: { pointer: '/state', how: 'mapped' }, progress: { pointer: '/percent', how: 'recognized' } },
    },
  },
  checkedMs: NOON + 5000,
};

async function addOne(list: TaskList, ...facts: Parameters<typeof taskOf>): Promise<TrackedTask> {
  const [task] = await list.add([taskOf(...facts)]);
  assert.ok(task);
  return task;
}

function eventsOf(list: TaskList): ListChange[] {
  const events: ListChange[] = [];
  list.events.on('change', (change) => events.push(change));
  return events;
}

async function synced(...lists: TaskList[]): Promise<void> {
  for (const list of lists) await list.sync();
}

describe('A task in the store', () => {
  it('is read back exactly as it was added', async () => {
    await using store = await TemporaryStore.make();
    const refusal = { by: 'redirect', status: 302, target: 'https://elsewhere.example' } as const;
    const end = { kind: 'rejected', refusal } as const;
    const added = await addOne(store.list(), {
      origin: 'https://books.example',
      source: sourceOf('a.txt', { sha256: 'ab12' }),
      batch: { id: 'B1', label: 'notes' },
      attempts: [{ beganMs: NOON - 9, endedMs: NOON - 1, sentBytes: 3, totalBytes: 12, end }],
      taskId: typedTaskId('T1', 'string'),
      taskIdFrom: { pointer: '/task/no~1', how: 'mapped' },
      importResponse: '{"code":"0","data":{"id":9007199254740993123}}',
      phase: {
        kind: 'unconfirmed',
        failure: { name: 'WindowClosed', attemptId: 'A 1', detail: '' },
        sentBytes: 3,
        totalBytes: 12,
      },
      lastResponse: '{"code":"0"}',
      checkedMs: NOON + 1,
      lastQueryError: { kind: 'rejected', refusal },
    });
    assert.deepEqual(await store.read(), [added]);
  });

  for (const literal of ['9007199254740993123', '"9007199254740993123"', '1e400', '-0', '1.0', '"a\\ud800b"']) {
    it(`keeps the ID ${literal} byte for byte, when added and when changed`, async () => {
      await using store = await TemporaryStore.make();
      const list = store.list();
      const taskId = taskIdOf(parseJson(literal));
      await addOne(list, { taskId });
      const { key } = await addOne(list);
      await list.change(key, { ...(taskId && { taskId }) }, always);
      assert.deepEqual(
        (await store.read()).map((task) => task.taskId),
        [literal, literal],
      );
    });
  }

  it('keeps any name, whatever is in it', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
    const name = fc.oneof(
      anyText,
      fc.constantFrom(`'"; DROP TABLE tasks; --`, '\u0001\u001b[31m', '🐈‍⬛', '\ud800', '\udc00a'),
    );
    await fc.assert(
      fc.asyncProperty(name, name, async (dataset, file) => {
        const source = sourceOf(file);
        const { key } = await addOne(list, { dataset, source, lastResponse: stringifyJson({ file }) });
        const other = store.list();
        await other.loaded();
        const read = other.get(key);
        assert.deepEqual(
          [read?.dataset, read?.source, (await store.responses(key)).lastResponse],
          [dataset, source, stringifyJson({ file })],
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('Two windows', () => {
  it('see what the other adds, changes and removes', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const first = await addOne(here);
    const second = await addOne(there);
    await synced(here, there);
    assert.deepEqual(asStored(here.held), asStored(there.held));
    assert.equal(here.held.length, 2);
    await here.change(second.key, SUCCEEDED, always);
    await there.remove([first.key]);
    await synced(here, there);
    assert.deepEqual(
      withoutRevision(here.held),
      withoutRevision([{ ...second, ...SUCCEEDED, phase: here.get(second.key)?.phase }]),
    );
    assert.deepEqual(there.held, await store.read());
  });

  it('do not block the event loop while one reads thousands of tasks that the other added', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    await here.loaded();
    const added = await there.add(Array.from({ length: 4000 }, () => taskOf({ taskId: typedTaskId('T1', 'string') })));
    let turns = 0;
    const count = () => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    await here.sync();
    clearImmediate(immediate);
    assert.deepEqual(asStored(here.held), asStored(added.toReversed()));
    assert.ok(turns >= 20, `${turns} turns`);
  });

  it('in two processes lose nothing that either of them writes', async () => {
    await using store = await TemporaryStore.make();
    const here = store.list();
    await here.loaded();
    await using one = await OtherProcess.start('work', store.path, 'one', '60');
    await using two = await OtherProcess.start('work', store.path, 'two', '60');
    await Promise.all([one.go(), two.go()]);
    await here.sync();
    const names = ['one', 'two'].flatMap((name) => Array.from({ length: 60 }, (_, index) => `${name}${index}`));
    assert.deepEqual(
      here.held.map(({ dataset, taskId }) => `${dataset}: ${taskId}`).sort(),
      names.map((name) => `${name}: "id of ${name}"`).sort(),
    );
    assert.deepEqual(await store.read(), here.held);
  });

  it('that change different facts of a task lose neither', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const { key } = await addOne(here);
    await there.sync();
    await here.change(key, { taskId: typedTaskId('T1', 'string') }, always);
    await there.change(key, { lastResponse: '{"code":"0"}' }, always);
    await synced(here, there);
    assert.deepEqual(
      [here.get(key)?.taskId, (await here.history.responses(key)).lastResponse],
      ['"T1"', '{"code":"0"}'],
    );
    assert.deepEqual(asStored(here.held), asStored(there.held));
  });

  it('do not bring back what one removed while the other changed it', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const task = await addOne(here);
    const { key } = task;
    await there.sync();
    await here.remove([key]);
    await there.change(key, SUCCEEDED, always);
    await synced(here, there);
    assert.deepEqual([here.held, there.held, await store.read()], [[], [], []]);
  });

  it("never give a removed task's key to another", async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const { key } = await addOne(list);
    await list.remove([key]);
    assert.ok((await addOne(store.list())).key > key);
  });
});

describe('The events of a TaskList', () => {
  it('name the changed task alone', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const { key } = await addOne(list);
    await addOne(list);
    const events = eventsOf(list);
    await list.change(key, SUCCEEDED, always);
    assert.deepEqual(events, [{ kind: 'tasks', tasks: [list.get(key)] }]);
  });

  it("name of another window's changes the changed tasks alone", async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const { key } = await addOne(here);
    await addOne(here);
    await there.sync();
    const events = eventsOf(there);
    await here.change(key, SUCCEEDED, always);
    await there.sync();
    assert.deepEqual(events, [{ kind: 'tasks', tasks: [there.get(key)] }]);
  });

  it('skip changes that the window made itself', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const { key } = await addOne(list, { source: sourceOf('a'), phase: { kind: 'sending', attemptId: 'A 1' } });
    await list.change(key, { phase: { kind: 'accepted', report: undefined } }, always);
    const events = eventsOf(list);
    await synced(list, list);
    assert.deepEqual(events, []);
  });

  it('list added and removed tasks', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    await there.loaded();
    const events = eventsOf(there);
    const task = await addOne(here);
    const { key } = task;
    await there.sync();
    await here.remove([key]);
    await there.sync();
    const expected = [
      { kind: 'list', added: [task], removed: [] },
      { kind: 'list', added: [], removed: [key] },
    ];
    assert.deepEqual(asStored(events), asStored(expected));
  });

  it('report the progress of an upload in whole percents', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const { key } = await addOne(list, { phase: { kind: 'sending', attemptId: 'A 1' } });
    const events = eventsOf(list);
    for (const sentBytes of [0, 1, 9, 10, 11, 1000]) list.setProgress(key, { sentBytes, totalBytes: 1000 });
    assert.deepEqual(
      events.map((change) => change.kind === 'tasks' && change.tasks[0]?.key),
      [key, key, key],
    );
    assert.deepEqual(list.progress(key), { sentBytes: 1000, totalBytes: 1000 });
    await list.change(key, SUCCEEDED, always);
    assert.equal(list.progress(key), undefined);
  });
});

describe('The tasks of a TaskList', () => {
  it('are the newest first, and of one moment the last added', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [older, one, two] = await list.add([taskOf({ createdMs: NOON - 1 }), taskOf(), taskOf()]);
    assert.deepEqual(list.held, [two, one, older]);
    assert.deepEqual(asStored(await store.read()), asStored(list.held));
  });

  it('report once that changes cannot be saved, and again only after the store has worked', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list(() => NOON, 1);
    const [one, two] = await list.add([taskOf(), taskOf()]);
    assert.ok(one && two);
    let told = 0;
    list.events.on('unsaved', () => told++);
    for (const times of [1, 2]) {
      using other = lockStore(store);
      for (const key of [one.key, two.key, one.key]) await list.change(key, { checkedMs: NOON + times }, always);
      await assert.rejects(list.trySync(), { reason: 'locked' });
      await list.change(two.key, { checkedMs: NOON + 10 * times }, always);
      assert.equal(told, times);
      other.release();
      await list.sync();
    }
    await list.change(one.key, { checkedMs: NOON }, always);
    assert.equal(told, 2);
    assert.deepEqual(asStored(await store.read()), asStored(list.held));
  });

  it('that change while the store is locked are saved with their last change', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const { key } = await addOne(list);
    using other = lockStore(store);
    const changes = Array.from({ length: 12 }, (_, index) => list.change(key, { checkedMs: NOON + index }, always));
    other.release();
    await Promise.all(changes);
    assert.equal((await store.read())[0]?.checkedMs, NOON + 11);
  });

  it('keep a change that was made during a read, and what another window changed', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const { key } = await addOne(here);
    await synced(here, there);
    await there.change(key, { lastResponse: '{"code":"0"}' }, always);
    using other = lockStore(store);
    const syncing = here.sync();
    const changing = here.change(key, { taskId: typedTaskId('T1', 'string') }, always);
    other.release();
    await Promise.all([syncing, changing]);
    assert.equal(here.get(key)?.taskId, '"T1"');
    await here.sync();
    assert.deepEqual(
      [here.get(key)?.taskId, (await here.history.responses(key)).lastResponse],
      ['"T1"', '{"code":"0"}'],
    );
  });

  it('that another window canceled and queued again are not started here, after at most a few commits', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [task] = await here.add([taskOf({ phase: { kind: 'queued' } })]);
    assert.ok(task);
    await there.sync();
    await there.update(task.key, cancelation);
    await there.beginAgain([[task.key, (canceled) => begunAgain(canceled, 'there', NOON)]]);
    let commits = 0;
    const { change } = here.store.tasks;
    here.store.tasks.change = (changes) => {
      commits += 1;
      return change.call(here.store.tasks, changes);
    };
    const began = here.begin(task.key, 'here 1');
    await Promise.race([began, until(() => commits > 50)]);
    assert.ok(commits < 5, `${commits} commits`);
    assert.equal(await began, false);
  });
});

describe('A task that a window was sending', () => {
  const phases = (list: TaskList) => list.held.map(({ phase }) => phase.kind);

  it('can be settled by any window', async () => {
    await using store = await TemporaryStore.make();
    const { key } = await addOne(store.list(), { phase: SENDING });
    const list = store.list();
    await list.sync();
    await list.change(key, { taskId: typedTaskId('T1', 'string'), ...SUCCEEDED }, always);
    await list.sync();
    assert.deepEqual(phases(list), ['accepted']);
    assert.deepEqual(asStored(await store.read()), asStored(list.held));
  });
});

describe('A store that was set aside', () => {
  const damage = (store: TemporaryStore) => writeFileSync(store.path, 'not a database. '.repeat(999));

  it('takes its tasks with it in every window, and the new one is used', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const before = await addOne(here);
    await synced(here, there);
    damage(store);
    const after = await addOne(here);
    assert.ok(after.key > before.key);
    await synced(here, there);
    assert.deepEqual(asStored([here.held, there.held]), asStored([[after], [after]]));
    assert.deepEqual(asStored(await store.read()), asStored([after]));
    assert.equal(store.asides.length, 1);
  });

  it('takes unsaved changes with it', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list(() => NOON, 50);
    const { key } = await addOne(list);
    const lock = lockStore(store);
    await list.change(key, SUCCEEDED, always);
    lock.release();
    damage(store);
    assert.equal(await list.change(key, SUCCEEDED, always), false);
    await list.sync();
    assert.deepEqual([list.held, list.hasUnsaved, await store.read()], [[], false, []]);
  });
});
