import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { TaskChange } from '../../../../src/tasks/store/taskChange';
import type { Phase } from '../../../../src/tasks/trackedTask';
import { always, NOON, type StoredList, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const batch = { id: 'B', label: 'notes' };
const REJECTED: Phase = { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } };
const ACCEPTED: Phase = { kind: 'accepted', report: undefined };

function reported(meaning: TaskReport['meaning']): Phase {
  return { kind: 'accepted', report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} } };
}

/** A batch of so many files that were imported together. */
async function imported(list: StoredList, ...phases: Phase[]): Promise<number[]> {
  const tasks = await list.add(
    phases.map((phase, index) => {
      const facts = { source: sourceOf(`${index}.txt`), taskId: typedTaskId(`task ${index}`, 'string') };
      return taskOf({ batch, phase, createdMs: NOON, ...facts });
    }),
  );
  return tasks.map(({ key }) => key);
}

/** Imports the file of a row again. */
async function again(list: StoredList, key: number, createdMs: number): Promise<void> {
  const change: TaskChange = { phase: { kind: 'queued' }, createdMs };
  await list.change(key, change, always);
}

async function runsOf(list: StoredList) {
  const runs = await list.history.runs('B');
  return runs.map(({ beganMs, counts }) => [beganMs, ...counts.map(({ state, count }) => `${count} ${state}`).sort()]);
}

describe('The runs of a batch', () => {
  it('keep how their imports ended, though the files are imported again, each with the next run', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [one = 0, two = 0] = await imported(list, REJECTED, reported('failed'), reported('succeeded'));
    await again(list, one, NOON + 1000);
    await again(list, two, NOON + 1000);
    assert.deepEqual(await runsOf(list), [
      [NOON + 1000, '2 queued'],
      [NOON, '1 failed', '1 rejected', '1 succeeded'],
    ]);
    await list.change(one, { phase: reported('succeeded') }, always);
    await list.change(two, { phase: REJECTED }, always);
    await again(list, two, NOON + 2000);
    assert.deepEqual(await runsOf(list), [
      [NOON + 2000, '1 queued'],
      [NOON + 1000, '1 rejected', '1 succeeded'],
      [NOON, '1 failed', '1 rejected', '1 succeeded'],
    ]);
  });

  it('tell when the last import of each ended, and that one has not', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [one = 0, two = 0] = await imported(list, ACCEPTED, ACCEPTED);
    await list.change(one, { phase: reported('succeeded'), checkedMs: NOON + 500 }, always);
    const ends = async () => (await list.history.runs('B')).map(({ endedMs }) => endedMs);
    assert.deepEqual(await ends(), [undefined]);
    await list.change(two, { phase: reported('failed'), checkedMs: NOON + 900 }, always);
    assert.deepEqual(await ends(), [NOON + 900]);
    await again(list, two, NOON + 1000);
    assert.deepEqual(await ends(), [undefined, NOON + 500]);
  });

  it('count what was removed from the list as it stood, and what was put back once', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [one = 0, two = 0] = await imported(list, REJECTED, REJECTED);
    await again(list, one, NOON + 1000);
    await list.change(one, { phase: REJECTED }, always);
    const both = [
      [NOON + 1000, '1 rejected'],
      [NOON, '2 rejected'],
    ];
    const removed = await list.removeForUndo(one);
    assert.deepEqual(await runsOf(list), both);
    assert.equal(removed && (await list.putBack(removed)), true);
    assert.deepEqual(await runsOf(list), both);
    await list.remove([two]);
    assert.deepEqual(await runsOf(list), both);
  });

  it('count an import once that is queued again, as nothing of it had left when its window was taken for gone', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const failure = { name: 'WindowClosed', attemptId: 'A 1', detail: '' } as const;
    const [one = 0] = await imported(list, { kind: 'unconfirmed', failure, sentBytes: 0, totalBytes: 0 });
    await list.change(one, { phase: { kind: 'queued' } }, always);
    assert.deepEqual(await runsOf(list), [[NOON, '1 queued']]);
  });

  it('are forgotten some time after the last row of their batch', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [one = 0] = await imported(list, REJECTED);
    await list.remove([one]);
    assert.deepEqual(await runsOf(list), [[NOON, '1 rejected']]);
    await list.store.tasks.clearEnded({ days: 90, tasks: 100 });
    assert.deepEqual(await runsOf(list), []);
  });
});
