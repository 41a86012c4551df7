import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { Refresher } from '../../../../src/tasks/following/refresher';
import { Stalls } from '../../../../src/tasks/following/stalls';
import { acceptedAs } from '../../../../src/tasks/severalTasks';
import { isUnfinished, type NewTask, type Phase, type TaskState, taskState } from '../../../../src/tasks/trackedTask';
import { HastyClock } from '../../faults/hastyClock';
import { RawServer } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target, wire } from '../../service/wire';
import { asStored, NOON, TemporaryStore, taskOf, trackedOf } from '../temporaryStore';
import { askUnfinished } from './askUnfinished';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [A, B] = [typedTaskId('A', 'string'), typedTaskId('B', 'string')];
const batch = { id: 'b', label: 'docs' };
const report = { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from: {} } as const;
const succeeded: Phase = { kind: 'accepted', report };

/** A task of the batch that has succeeded after so long. */
function ended(tookMs: number): NewTask {
  const end: Phase = { kind: 'accepted', report: undefined };
  const attempts = [{ beganMs: NOON - HOUR, endedMs: NOON, sentBytes: 1, totalBytes: 1, end }];
  return taskOf({ taskId: B, batch, phase: succeeded, createdMs: NOON - 9 * HOUR, attempts, checkedMs: NOON + tookMs });
}

/** Follows a task, beside those of its batch that have ended after so long; it was first reported just now. */
async function followed({ facts = {}, tookMs = [] }: { facts?: Partial<NewTask>; tookMs?: readonly number[] }) {
  const store = await TemporaryStore.make();
  /** By task ID; where there is none, the connection dies. */
  const data: Record<string, object | undefined> = { A: { status: 'RUNNING' }, B: { status: 'RUNNING' } };
  const server = await RawServer.start(async (peer, count) => {
    await peer.readRequest();
    const told = data[peer.request.body.toString().includes('"A"') ? 'A' : 'B'];
    if (told === undefined) return peer.reset();
    await answering(response('200 OK', JSON.stringify({ code: '0', message: null, data: told })))(peer, count);
  });
  const list = store.list();
  const clock = new HastyClock();
  const refresher = new Refresher(wire(), list, async () => target(server.url), clock);
  const [{ key } = assert.fail()] = await list.add([taskOf({ taskId: A, ...facts }), ...tookMs.map(ended)]);
  await askUnfinished(refresher, list);
  const now = () => list.get(key) ?? assert.fail();
  return {
    ...{ list, refresher, data, now },
    /** Its state after the response at this time since the first one. */
    async stateAt(ms: number): Promise<TaskState> {
      clock.nowMs = NOON + ms;
      refresher.endPauses();
      await askUnfinished(refresher, list);
      return taskState(now());
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

describe('A task of which nothing new comes', () => {
  it('is stalled after an hour where others of its batch took minutes, and is followed as before', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [2 * MINUTE, 4 * MINUTE, 3 * HOUR] });
    assert.equal(await task.stateAt(HOUR - 1), 'running');
    assert.equal(await task.stateAt(HOUR), 'stalled');
    assert.ok(isUnfinished(task.now()));
    const { tasks } = await task.list.history.page({ filter: { states: ['stalled'] }, limit: 9 });
    assert.deepEqual(asStored(tasks), asStored([task.now()]));
    const { revision } = task.now();
    assert.equal(await task.stateAt(2 * HOUR), 'stalled');
    assert.equal(task.now().revision, revision, 'nothing is written while nothing is new');
  });

  it('is not stalled for as long as ten times what its batch took', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [MINUTE, 30 * MINUTE, 40 * MINUTE] });
    assert.equal(await task.stateAt(5 * HOUR - 1), 'running');
    assert.equal(await task.stateAt(5 * HOUR), 'stalled');
  });

  for (const [which, facts] of [
    ['of no batch', {}],
    ['of a batch of which none has ended', { batch }],
  ] as const) {
    it(`is stalled only after a day where it is ${which}`, async () => {
      await using task = await followed({ facts });
      assert.equal(await task.stateAt(24 * HOUR - 1), 'running');
      assert.equal(await task.stateAt(24 * HOUR), 'stalled');
    });
  }

  it('is no longer stalled with the next news, until nothing new came for as long again', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [MINUTE] });
    assert.equal(await task.stateAt(HOUR), 'stalled');
    task.data['A'] = { status: 'RUNNING', progress: 70 };
    assert.equal(await task.stateAt(3 * HOUR), 'running');
    assert.equal(await task.stateAt(4 * HOUR - 1), 'running');
    assert.equal(await task.stateAt(4 * HOUR), 'stalled');
    task.data['A'] = { status: 'DONE' };
    assert.equal(await task.stateAt(5 * HOUR), 'succeeded');
  });

  it('is still stalled where a check asked for by the user gets the same in another text', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [MINUTE] });
    assert.equal(await task.stateAt(HOUR), 'stalled');
    task.data['A'] = { status: 'RUNNING', requestNumber: 7 };
    await task.refresher.refresh(task.now(), new AbortController().signal);
    assert.match((await task.list.history.responses(task.now().key)).lastResponse ?? '', /requestNumber/);
    assert.equal(taskState(task.now()), 'stalled');
  });

  it('is stalled as if a check had not failed, which says nothing of it', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [MINUTE] });
    task.data['A'] = undefined;
    assert.equal(await task.stateAt(30 * MINUTE), 'running');
    assert.equal(task.now().lastQueryError?.kind, 'failed');
    task.data['A'] = { status: 'RUNNING' };
    assert.equal(await task.stateAt(31 * MINUTE), 'running');
    assert.equal(await task.stateAt(HOUR), 'stalled');
    task.data['A'] = undefined;
    assert.equal(await task.stateAt(61 * MINUTE), 'stalled');
    assert.equal(task.now().lastQueryError?.kind, 'failed');
  });

  it('is not stalled by a wall clock that was wrong, once that is set right', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [MINUTE] });
    assert.equal(await task.stateAt(9 * HOUR), 'stalled');
    assert.equal(await task.stateAt(MINUTE), 'running');
    assert.equal(await task.stateAt(-9 * HOUR), 'running');
  });

  it('stays unknown where its status is, since that needs the user', async () => {
    await using task = await followed({ facts: { batch }, tookMs: [MINUTE] });
    task.data['A'] = { status: 'IN_LIMBO' };
    assert.equal(await task.stateAt(MINUTE), 'unknown');
    const { revision } = task.now();
    assert.equal(await task.stateAt(25 * HOUR), 'unknown');
    assert.equal(task.now().revision, revision);
  });

  it('is stalled as one of several tasks of a file only while there is news of none', async () => {
    const begun = acceptedAs({ taskId: A, from: undefined, ids: [A, B] });
    await using task = await followed({ facts: { batch, ...begun }, tookMs: [MINUTE] });
    task.data['B'] = { status: 'RUNNING', progress: 50 };
    assert.equal(await task.stateAt(30 * MINUTE), 'running');
    assert.equal(await task.stateAt(HOUR), 'running');
    assert.equal(await task.stateAt(90 * MINUTE), 'stalled');
    task.data['B'] = { status: 'DONE' };
    assert.equal(await task.stateAt(2 * HOUR), 'running');
    assert.equal(await task.stateAt(3 * HOUR), 'stalled');
  });
});

describe('The median of a batch', () => {
  it('is read at most once a minute, and only for a task without news for an hour', async () => {
    let reads = 0;
    const clock = new HastyClock();
    const stalls = new Stalls({ batchMedianMs: async () => ++reads }, clock);
    const task = trackedOf(1, { taskId: A, batch, checkedMs: NOON });
    const stalledAt: boolean[] = [];
    for (const ms of [0, HOUR - 1, HOUR, HOUR + 1, HOUR + MINUTE - 1]) {
      clock.nowMs = NOON + ms;
      stalledAt.push(await stalls.isStalled(task));
    }
    assert.deepEqual([stalledAt, reads], [[false, false, true, true, true], 1]);
    clock.nowMs = NOON + HOUR + MINUTE;
    await stalls.isStalled(task);
    assert.equal(reads, 2);
  });

  it('counts as not known where the store cannot be read', async () => {
    const clock = new HastyClock();
    const stalls = new Stalls({ batchMedianMs: () => Promise.reject(new Error('locked')) }, clock);
    clock.nowMs = NOON + 23 * HOUR;
    assert.equal(await stalls.isStalled(trackedOf(1, { taskId: A, batch, checkedMs: NOON })), false);
  });
});
