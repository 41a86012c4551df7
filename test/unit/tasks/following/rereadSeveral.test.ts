import assert from 'node:assert/strict';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { responseFor } from '../../../../src/tasks/following/keptResponses';
import { rereadResponses } from '../../../../src/tasks/following/rereadResponses';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { acceptedAs, asSingle, combinedReport, taskIdsOf } from '../../../../src/tasks/severalTasks';
import { type NewTask, type TaskPart, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { TemporaryStore, taskOf } from '../temporaryStore';

const value = (data: string) => `{"code":"0","message":null,"data":${data}}`;
const IMPORTED = value('{"items":[{"id":1},{"id":2}],"note":"N1"}');
const ONE = typedTaskId('1', 'number');
const TWO = typedTaskId('2', 'number');
const ALL = '/items/${each}/id';

/** A file with two tasks, of which the service said this; the response about the second one is kept. */
function several(one: Partial<TaskReport> | undefined, two: Partial<TaskReport> | undefined, data: string): NewTask {
  const [first, second] = [one, two].map((facts) => facts && reportOf(facts));
  const parts: TaskPart[] = [
    { taskId: ONE, report: first },
    { taskId: TWO, report: second },
  ];
  return taskOf({
    taskId: ONE,
    taskIdFrom: { pointer: ALL, how: 'mapped' },
    importResponse: IMPORTED,
    lastResponse: value(data),
    phase: { kind: 'accepted', report: combinedReport(parts), parts, lastPart: TWO },
  });
}

function reportOf(facts: Partial<TaskReport>): TaskReport {
  return { status: undefined, meaning: 'unknown', progress: undefined, message: undefined, from: {}, ...facts };
}

/** The task as it is once the contract of its dataset is changed so. */
async function readAfter(before: object, after: object, task: NewTask, isChosenFrom = false): Promise<TrackedTask> {
  await using store = await TemporaryStore.make();
  const list = store.list();
  const [{ key } = assert.fail()] = await list.add([task]);
  const [from, to] = [before, after].map((overrides) => readContract(overrides).contract);
  await rereadResponses(list, {
    dataset: { name: 'Books', baseUrl: new URL('https://books.example') },
    before: from ?? assert.fail(),
    after: to ?? assert.fail(),
    chosenFrom: isChosenFrom ? key : undefined,
  });
  return list.get(key) ?? assert.fail();
}

const states = (task: TrackedTask) => [ONE, TWO].map((id) => taskState(asSingle(task, id)));
const place = (pointer: string) => ({ fileTask: { taskId: pointer } });
const meaning = (...meant: [string, string][]) => ({ queryTask: { statusMeanings: Object.fromEntries(meant) } });

describe('The several tasks of a file, after a change of the contract,', () => {
  it('are all of them where the file waited for its task id', async () => {
    const waiting = taskOf({ importResponse: IMPORTED, lastResponse: IMPORTED });
    const task = await readAfter({}, place(ALL), waiting);
    assert.deepEqual([taskIdsOf(task), task.taskId, taskState(task)], [[ONE, TWO], ONE, 'waiting']);
    assert.deepEqual(task.taskIdFrom, { pointer: ALL, how: 'mapped' });
  });

  it('are all of them where one was chosen by mistake, unless it has ended', async () => {
    const chosen = { ...several(undefined, undefined, '{}'), ...acceptedAs({ taskId: ONE, from: undefined }) };
    const byMistake: NewTask = { ...chosen, taskIdFrom: { pointer: '/items/0/id', how: 'mapped' } };
    const task = await readAfter(place('/items/0/id'), place(ALL), byMistake);
    assert.deepEqual(taskIdsOf(task), [ONE, TWO]);
    const ended = { kind: 'accepted', report: reportOf({ status: 'DONE', meaning: 'succeeded' }) } as const;
    const kept = await readAfter(place('/items/0/id'), place(ALL), { ...byMistake, phase: ended });
    assert.deepEqual([taskIdsOf(kept), taskState(kept)], [[ONE], 'succeeded']);
  });

  it('stay where another place is chosen after one of them has failed', async () => {
    const failed = several({ status: 'FAILED', meaning: 'failed' }, { status: 'RUN', meaning: 'running' }, '{}');
    const task = await readAfter(place(ALL), place('/note'), failed);
    assert.deepEqual([taskIdsOf(task), taskState(task)], [[ONE, TWO], 'failed']);
  });

  it('stay, with their reports, where the same ids stand at another place', async () => {
    const task = await readAfter(
      place(ALL),
      place('/items/${each}/id'),
      several({ status: 'RUN', meaning: 'running' }, undefined, '{}'),
    );
    assert.deepEqual(states(task), ['running', 'waiting']);
  });

  it('have what their statuses mean, whichever response is kept', async () => {
    const task = several({ status: 'FIN' }, { status: 'FIN' }, '{"status":"FIN"}');
    const now = await readAfter({}, meaning(['FIN', 'succeeded']), task);
    assert.deepEqual([...states(now), taskState(now)], ['succeeded', 'succeeded', 'succeeded']);
    const one = await readAfter(
      {},
      meaning(['FIN', 'succeeded']),
      several({ status: 'Q' }, { status: 'FIN' }, '{"status":"FIN"}'),
    );
    assert.deepEqual([...states(one), taskState(one)], ['unknown', 'succeeded', 'unknown']);
  });

  it('keep their ends, except those that came of what is changed', async () => {
    const before = meaning(['FIN', 'failed']);
    const task = several(
      { status: 'FIN', meaning: 'failed' },
      { status: 'DONE', meaning: 'succeeded' },
      '{"status":"ELSE"}',
    );
    const now = await readAfter(before, meaning(['FIN', 'succeeded'], ['DONE', 'failed']), task);
    assert.deepEqual(states(now), ['succeeded', 'succeeded']);
  });

  it('are read at the chosen place where the response is kept, and asked about again where one ended by the place before', async () => {
    const from = { status: { pointer: '/kind', how: 'mapped' } } as const;
    const task = several(
      { status: 'FAILED', meaning: 'failed', from },
      { status: 'FAILED', meaning: 'failed', from },
      '{"kind":"FAILED","now":"RUNNING"}',
    );
    const now = await readAfter({ queryTask: { status: '/kind' } }, { queryTask: { status: '/now' } }, task);
    assert.deepEqual([...states(now), taskState(now)], ['waiting', 'running', 'running']);
  });

  it('are read by a changed state expression if the response is stored, and asked about again if one ended by the former expression', async () => {
    const byField = (at: string) => ({ queryTask: { state: `${at} && 'failed' || 'running'` } });
    const told: Partial<TaskReport> = { meaning: 'failed', byExpression: 'failed' };
    const task = several(told, told, '{"bad":1,"worse":null}');
    const now = await readAfter(byField('bad'), byField('worse'), task);
    assert.deepEqual([...states(now), taskState(now)], ['waiting', 'running', 'running']);
    const kept = await readAfter(byField('bad'), { queryTask: { ...byField('bad').queryTask, message: '/bad' } }, task);
    assert.deepEqual(states(kept), ['failed', 'failed']);
  });

  it('are read each in its own element of the kept response', async () => {
    const rows = '[{"id":2,"kind":"DONE"},{"id":1,"kind":"FAILED"},{"id":3,"kind":"FAILED"}]';
    const task = several({ status: 'X' }, { status: 'X' }, `{"tasks":${rows}}`);
    const now = await readAfter(place(ALL), { ...place(ALL), queryTask: { status: '/tasks/${taskId}/kind' } }, task);
    assert.deepEqual([...states(now), taskState(now)], ['unknown', 'succeeded', 'unknown']);
  });

  it('have as their response the kept one, although a query about another was rejected', async () => {
    const task = several({ status: 'RUN', meaning: 'running' }, { status: 'X' }, '{"status":"X"}');
    const refusal = { by: 'envelope', status: 200, code: '4', message: null } as const;
    const lastQueryError = { kind: 'rejected', refusal } as const;
    const { phase } = task;
    assert.ok(phase.kind === 'accepted');
    const [one = assert.fail(), two = assert.fail()] = phase.parts ?? [];
    const { importResponse, lastResponse } = task;
    const response = (parts: TaskPart[]) =>
      responseFor('status', asTracked(1, { ...task, lastQueryError, phase: { ...phase, parts } }), {
        importResponse,
        lastResponse,
      });
    assert.equal(response([{ ...one, queryError: lastQueryError }, two]), lastResponse);
    assert.equal(response([one, { ...two, queryError: lastQueryError }]), undefined);
  });
});
