import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { Notices } from '../../../../src/tasks/store/notices';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { Batch, Phase, QueryError, TrackedTask } from '../../../../src/tasks/trackedTask';
import { always, goneWindow, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const batch: Batch = { id: 'b-1', label: 'docs' };
const taskId = typedTaskId('t', 'string');
const refusal = { by: 'envelope', status: 200, code: '1', message: null } as const;
const rejected: Phase = { kind: 'rejected', refusal };

describe('What is to be announced', () => {
  let store: TemporaryStore;
  let list: TaskList;
  let notices: Notices;

  beforeEach(async () => {
    store = await TemporaryStore.make();
    list = store.list();
    notices = new Notices(store.file());
  });
  afterEach(() => store[Symbol.asyncDispose]());

  it('is that a single file failed at its service, and not that it succeeded or was rejected', async () => {
    const [failing, succeeding, other] = await added(3);
    await reports(succeeding, 'succeeded');
    await list.change(other.key, { phase: rejected }, always);
    await reports(failing, 'running');
    assert.deepEqual(await notices.take(), []);
    await reports(failing, 'failed');
    assert.deepEqual(await notices.take(), [{ kind: 'failed', key: failing.key }]);
  });

  it('is a failure only once a second look has agreed, and neither is it a problem before', async () => {
    const [task] = await added(1);
    const report = { status: 'FAILED', meaning: 'failed', progress: undefined, message: undefined, from: {} } as const;
    const unverified = { kind: 'accepted', report: { ...report, isUnverified: true } } as const;
    await list.change(task.key, { phase: unverified }, always);
    assert.deepEqual([await notices.take(), await list.history.problems()], [[], 0]);
    await reports(task, 'failed', 'FAILED');
    assert.deepEqual([await notices.take(), await list.history.problems()], [[{ kind: 'failed', key: task.key }], 1]);
  });

  it('is given to one window alone, also where that which recorded it is gone by then', async () => {
    const [task] = await added(1);
    await reports(task, 'failed');
    const windows = Array.from({ length: 4 }, () => new Notices(store.file()));
    const value = await Promise.all(windows.map((window) => window.take()));
    assert.deepEqual(value.flat(), [{ kind: 'failed', key: task.key }]);
    assert.deepEqual(await notices.take(), []);
  });

  it('is given to another window where that which took it is gone before it was shown, and not once it was', async () => {
    const [one, two] = await added(2);
    await reports(one, 'failed');
    await reports(two, 'failed');
    const dying = new Notices(store.file(), goneWindow());
    assert.equal((await dying.take()).length, 2);
    await dying.shown({ kind: 'failed', key: one.key });
    assert.deepEqual(await notices.take(), [{ kind: 'failed', key: two.key }]);
    assert.deepEqual(await notices.take(), []);
  });

  it('is that a batch ended, once none of its tasks may change any more, and again after a retry', async () => {
    const [first, second, third] = await added(3, batch);
    await reports(first, 'succeeded');
    await reports(second, 'failed');
    assert.deepEqual(await notices.take(), []);
    await list.change(third.key, { phase: rejected }, always);
    assert.deepEqual(await notices.take(), [{ kind: 'batchEnded', batchId: 'b-1' }]);
    await list.beginAgain([[third.key, () => ({ phase: { kind: 'queued' } })]]);
    await list.change(third.key, { phase: { kind: 'accepted', report: undefined } }, always);
    await reports(third, 'succeeded');
    assert.deepEqual(await notices.take(), [{ kind: 'batchEnded', batchId: 'b-1' }]);
  });

  it('is nothing of a batch of which the service has none', async () => {
    const [first, second] = await added(2, batch);
    for (const { key } of [first, second]) await list.change(key, { phase: rejected }, always);
    assert.deepEqual(await notices.take(), []);
  });

  it('is nothing that a status check repeats of what has ended', async () => {
    const [task] = await added(1);
    await reports(task, 'failed');
    await notices.take();
    await reports(task, 'failed', 'FAILED again');
    assert.deepEqual(await notices.take(), []);
  });

  async function added<Count extends 1 | 2 | 3>(count: Count, of?: Batch): Promise<Tuple<Count>> {
    const tasks = Array.from({ length: count }, (_, index) =>
      taskOf({ source: sourceOf(`${index}`), taskId, batch: of }),
    );
    return (await list.add(tasks)) as unknown as Tuple<Count>;
  }

  async function reports(task: TrackedTask, meaning: 'running' | 'succeeded' | 'failed', status = meaning as string) {
    const report = { status, meaning, progress: undefined, message: undefined, from: {} };
    await list.change(task.key, { phase: { kind: 'accepted', report } }, always);
  }
});

describe('The number of tasks that need a person', () => {
  it('counts each until it is dealt with, whichever window does', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const added = await here.add([taskOf({ phase: rejected }), taskOf({ phase: rejected }), taskOf({ taskId })]);
    const [one, two, three] = added as unknown as Tuple<3>;
    assert.deepEqual([await here.history.problems(), await there.history.problems()], [2, 2]);
    await there.remove([one.key]);
    assert.equal(await here.history.problems(), 1);
    await here.beginAgain([[two.key, () => ({ phase: { kind: 'queued' } })]]);
    assert.equal(await here.history.problems(), 0);
    await here.change(two.key, { phase: rejected }, always);
    await here.change(three.key, { lastQueryError: { kind: 'rejected', refusal } }, always);
    assert.equal(await there.history.problems(), 2);
  });

  it('counts those whose status check was refused too, and no more once one tells something', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const failed = (reason: 'notJson' | 'serverError'): QueryError => {
      const failure = { name: 'BadResponseError', reason, status: 200, excerpt: '', detail: '' } as const;
      return { kind: 'failed', failure };
    };
    const [one, two] = await list.add([taskOf({ taskId }), taskOf({ taskId })]);
    assert.ok(one && two);
    await list.change(one.key, { lastQueryError: { kind: 'rejected', refusal } }, always);
    await list.change(two.key, { lastQueryError: failed('serverError') }, always);
    assert.equal(await list.history.problems(), 1);
    await list.change(two.key, { lastQueryError: failed('notJson') }, always);
    assert.equal(await list.history.problems(), 2);
    await list.change(one.key, { lastQueryError: undefined }, always);
    assert.equal(await list.history.problems(), 1);
  });
});

type Tuple<Count extends 1 | 2 | 3> = [
  [],
  [TrackedTask],
  [TrackedTask, TrackedTask],
  [TrackedTask, TrackedTask, TrackedTask],
][Count];
