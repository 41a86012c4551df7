import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { Contents } from '../../../../src/tasks/store/contents';
import { begunAgain } from '../../../../src/tasks/store/taskChange';
import { TaskList } from '../../../../src/tasks/store/taskList';
import type { Phase, TrackedTask } from '../../../../src/tasks/trackedTask';
import { always, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const sha256 = 'a'.repeat(64);
const source = sourceOf('notes.txt', { sizeBytes: 7, sha256 });
const failure = { name: 'CanceledError', detail: '' } as const;

describe('The contents that a service has received', () => {
  let store: TemporaryStore;
  let list: TaskList;
  let contents: Contents;

  beforeEach(async () => {
    store = await TemporaryStore.make();
    const parts = store.parts();
    list = new TaskList(parts);
    contents = parts.contents;
  });
  afterEach(() => store[Symbol.asyncDispose]());

  it('are remembered with their task, whatever is removed from the list', async () => {
    const taskId = typedTaskId('9007199254740993123', 'number');
    const task = await imported({ taskId });
    await reports(task, 'succeeded');
    const { key, dataset, origin, createdMs } = task;
    const known = { key, dataset, origin, source, createdMs, taskId, taskCount: 1, state: 'succeeded' };
    assert.deepEqual(await same(), [known]);
    await list.remove([key]);
    assert.deepEqual(await same(), [known]);
    assert.deepEqual(list.held, []);
  });

  it('are found by their size where the content is known, or by their path', async () => {
    await imported();
    await imported({ source: sourceOf('other.txt', { sizeBytes: 9 }) });
    const found = async (sizeBytes: number, path: string) =>
      (await contents.ofSame([{ sizeBytes, path }])).map((content) => content.source.name);
    assert.deepEqual(await found(7, '/elsewhere'), ['notes.txt']);
    assert.deepEqual(await found(9, '/elsewhere'), []);
    assert.deepEqual(await found(1, '/notes/other.txt'), ['other.txt']);
    assert.deepEqual(await found(1, '/notes/notes.txt'), []);
  });

  it('follow their import: a maybe while it is unconfirmed, and gone once it failed at the service', async () => {
    const task = await imported({ phase: { kind: 'queued' } });
    assert.deepEqual(await states(), []);
    await list.change(task.key, { phase: { kind: 'sending', attemptId: 'A 1' } }, always);
    assert.deepEqual(await states(), []);
    await list.change(task.key, { phase: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 } }, always);
    assert.deepEqual(await states(), ['unconfirmed']);
    await list.beginAgain([[task.key, (now) => begunAgain(now, 'here', 0)]]);
    assert.deepEqual(await states(), ['unconfirmed'], 'it stays a maybe, whatever comes of the next import');
    await list.change(
      task.key,
      {
        phase: { kind: 'accepted', report: undefined },
        taskId: typedTaskId('t', 'string'),
      },
      always,
    );
    assert.deepEqual(await states(), ['unconfirmed', 'waiting']);
    await reports(task, 'failed');
    assert.deepEqual(await states(), ['unconfirmed']);
    await reports(task, 'succeeded');
    assert.deepEqual(await states(), ['unconfirmed', 'succeeded']);
  });

  it('stay once where their task is removed and put back', async () => {
    const task = await imported();
    const removed = await list.removeForUndo(task.key);
    assert.ok(removed);
    assert.equal((await same()).length, 1);
    await list.putBack(removed);
    assert.equal((await same()).length, 1);
  });

  it('are forgotten of one dataset, and go with its new name', async () => {
    await imported();
    await imported({ dataset: 'Letters' });
    await contents.rename('Letters', 'Post');
    assert.deepEqual(await Promise.all(['Books', 'Letters', 'Post'].map((name) => contents.count(name))), [1, 0, 1]);
    await contents.forget('Books');
    assert.deepEqual(
      (await same()).map(({ dataset }) => dataset),
      ['Post'],
    );
  });

  const same = () => contents.ofSame([{ sizeBytes: 7, path: '/notes/notes.txt' }]);

  async function states(): Promise<string[]> {
    return (await same()).map(({ state }) => state);
  }

  async function imported(facts: Partial<Parameters<typeof taskOf>[0]> = {}): Promise<TrackedTask> {
    const accepted: Phase = { kind: 'accepted', report: undefined };
    const [task] = await list.add([taskOf({ source, phase: accepted, origin: 'https://books.example', ...facts })]);
    return task ?? assert.fail();
  }

  async function reports({ key }: TrackedTask, meaning: TaskReport['meaning']): Promise<void> {
    const report = { status: meaning, meaning, progress: undefined, message: undefined, from: {} };
    await list.change(key, { phase: { kind: 'accepted', report } }, always);
  }
});
