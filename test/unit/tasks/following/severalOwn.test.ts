import assert from 'node:assert/strict';
import type { Contract } from '../../../../src/service/contract/contract';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { acceptedAs, asSingle, singlesOf, unlistedId } from '../../../../src/tasks/severalTasks';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { HastyClock } from '../../faults/hastyClock';
import { RawServer } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target } from '../../service/wire';
import { asStored, TemporaryStore, taskOf } from '../temporaryStore';
import { checkUnfinished, refresherOf } from './refresherOf';

const A = typedTaskId('t-1', 'string');
const B = typedTaskId('t-2', 'string');
const OTHER = { taskId: 't-3', status: 'FAILED', message: 'not yours', finishedAt: 'now', failedAt: 'now' };

/** A file with two tasks, after a round of queries for each of these; all queries of a round get the same `data`. */
async function followed(rounds: readonly unknown[], overrides: object = {}): Promise<TrackedTask> {
  await using store = await TemporaryStore.make();
  let data: unknown;
  await using server = await RawServer.start((peer, count) =>
    answering(response('200 OK', JSON.stringify({ code: '0', message: null, data })))(peer, count),
  );
  const contract: Contract = readContract(overrides).contract;
  const service = { ...target(server.url), contract };
  const list = store.list();
  const refresher = refresherOf(list, async () => service, new HastyClock(), { contractOf: () => contract });
  const begun = acceptedAs({ taskId: A, from: { pointer: '/ids/${each}', how: 'recognized' }, ids: [A, B] });
  const [{ key } = assert.fail()] = await list.add([taskOf(begun)]);
  for (data of rounds) await checkUnfinished(refresher, list);
  const task = list.get(key) ?? assert.fail();
  const [stored] = await store.read();
  assert.deepEqual(asStored(stored), asStored(task));
  return task;
}

const states = (task: TrackedTask) => singlesOf(task).map(taskState);
const reports = (task: TrackedTask): (TaskReport | undefined)[] =>
  [A, B].map((id) => {
    const { phase } = asSingle(task, id);
    return phase.kind === 'accepted' ? phase.report : undefined;
  });

describe('Each of the several tasks of a file', () => {
  const ofA = { taskId: 't-1', status: 'RUNNING', message: 'of A' };
  const ofB = { taskId: 't-2', status: 'DONE', message: 'of B' };
  for (const rows of [
    [ofA, ofB, OTHER],
    [OTHER, ofB, ofA],
    [ofB, OTHER, ofA],
  ]) {
    it(`is read in its own element, in the order ${rows.map(({ taskId }) => taskId).join()}`, async () => {
      const task = await followed([{ rows }]);
      assert.deepEqual([...states(task), taskState(task)], ['running', 'succeeded', 'running']);
      assert.deepEqual(
        reports(task).map((report) => report?.message),
        ['of A', 'of B'],
      );
      assert.equal(reports(task)[0]?.from.status?.pointer, '/rows/${taskId}/status');
    });
  }

  it('is unknown if the list lacks it, and never has the state of another', async () => {
    const task = await followed([{ rows: [ofA, OTHER] }]);
    assert.deepEqual([...states(task), taskState(task)], ['running', 'unknown', 'unknown']);
    assert.equal(unlistedId(task), B);
    assert.deepEqual(reports(task)[1]?.message, undefined);
  });

  it('has the state that the expression yields for its own ID', async () => {
    const state = "(rows[?taskId == ${taskId}] | [0]).finishedAt && 'succeeded' || 'running'";
    const rows = [OTHER, { taskId: 't-2', finishedAt: 'now' }, { taskId: 't-1', finishedAt: null }];
    const task = await followed([{ rows }], { queryTask: { state } });
    assert.deepEqual([singlesOf(task).map(taskState), taskState(task)], [['running', 'succeeded'], 'running']);
  });

  it('is unfinished while nothing is reported of it, and so is the file', async () => {
    const none = await followed([null]);
    assert.deepEqual([...states(none), taskState(none)], ['noReport', 'noReport', 'noReport']);
    const one = await followed([{ rows: [OTHER, ofB] }, null]);
    assert.deepEqual([...states(one), taskState(one)], ['noReport', 'succeeded', 'running']);
  });

  it('keeps its own statuses, not those of another', async () => {
    const round = (a: string, b: string) => ({
      rows: [
        { taskId: 't-2', status: b },
        { taskId: 't-1', status: a },
      ],
    });
    const task = await followed([round('QUEUED', 'LOADING'), round('RUNNING', 'LOADING')]);
    assert.deepEqual(
      reports(task).map((report) => report?.seen?.values),
      [['QUEUED', 'RUNNING'], ['LOADING']],
    );
  });
});
