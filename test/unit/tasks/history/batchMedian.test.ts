import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { Accepted, NewTask } from '../../../../src/tasks/trackedTask';
import { NOON, TemporaryStore, taskOf } from '../temporaryStore';

const batch = { id: 'b', label: 'docs' };

/** A task of the batch that was accepted at noon, and of which this was reported so long after. */
function reported(meaning: TaskReport['meaning'], tookMs: number, facts: Partial<NewTask> = {}): NewTask {
  const report = { status: meaning, meaning, progress: undefined, message: undefined, from: {} };
  const end: Accepted = { kind: 'accepted', report: undefined };
  const phase: Accepted = { kind: 'accepted', report };
  const attempts = [NOON - 100, NOON].map((endedMs) => ({ beganMs: 0, endedMs, sentBytes: 1, totalBytes: 1, end }));
  const taskId = typedTaskId('T1', 'string');
  return taskOf({ batch, taskId, phase, attempts, createdMs: NOON - 1000, checkedMs: NOON + tookMs, ...facts });
}

const failed = { status: 'FAILED', meaning: 'failed', progress: undefined, message: undefined, from: {} } as const;
const unverified = reported('failed', 1, { phase: { kind: 'accepted', report: { ...failed, isUnverified: true } } });

describe('The median time that the tasks of a batch took at the service', () => {
  for (const [which, median, tasks] of [
    ['is not known where none has ended there', undefined, [reported('running', 7), reported('unknown', 8)]],
    ['is that of those that have succeeded or failed', 20, [5, 20, 900].map((ms) => reported('succeeded', ms))],
    ['is the lower one of two', 5, [reported('succeeded', 5), reported('failed', 20)]],
    [
      'leaves out those that may still go on',
      20,
      [reported('running', 1), unverified, unverified, reported('failed', 20)],
    ],
    ['leaves out other batches', 20, [reported('failed', 20), reported('failed', 1, { batch: undefined })]],
    ['begins where a task was added that was made elsewhere', 1020, [reported('failed', 20, { attempts: [] })]],
    ['is never less than none, where the clock was set back', 0, [reported('succeeded', -9_000_000)]],
  ] as const) {
    it(which, async () => {
      await using store = await TemporaryStore.make();
      const list = store.list();
      await list.add(tasks);
      assert.equal(await list.history.batchMedianMs('b'), median);
    });
  }
});
