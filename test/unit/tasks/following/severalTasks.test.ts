import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { acceptedAs, changeOfOne, endedCount, partsOf } from '../../../../src/tasks/severalTasks';
import { taskState } from '../../../../src/tasks/trackedTask';
import { HastyClock } from '../../faults/hastyClock';
import { RawServer } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target } from '../../service/wire';
import { always, asStored, TemporaryStore, taskOf } from '../temporaryStore';
import { checkUnfinished, refresh, refresherOf } from './refresherOf';

const A = typedTaskId('A', 'string');
const B = typedTaskId('B', 'string');
const begun = acceptedAs({ taskId: A, from: { pointer: '/taskIds/${each}', how: 'recognized' }, ids: [A, B] });

/** What the service says of a task, one after another; the last one from then on. */
type Words = readonly ('RUNNING' | 'DONE' | 'FAILED' | 'IN_LIMBO' | 'no such task' | 'no response')[];

/** What the row shows after each round of queries. */
interface Row {
  readonly state: string;
  readonly ended: number;
  readonly error: string | undefined;
  readonly asked: string;
}

/** Follows a file with the tasks A and B, of which the service says this: its row after each of some rounds. */
async function rowsOf(words: { readonly A: Words; readonly B: Words }, rounds: number): Promise<Row[]> {
  await using store = await TemporaryStore.make();
  const counts = { A: 0, B: 0 };
  const tries = { A: 0, B: 0 };
  let asked = '';
  await using server = await RawServer.start(async (peer, count) => {
    await peer.readRequest();
    const id = peer.request.body.toString() === '{"taskId":"A"}' ? 'A' : 'B';
    const word = words[id][counts[id]] ?? words[id].at(-1);
    if (word === 'no response') {
      tries[id] += 1;
      // It is asked three times before that counts.
      if (tries[id] % 3 === 0) counts[id] += 1;
      return peer.reset();
    }
    counts[id] += 1;
    asked += id;
    const refusal = '{"code":"404","message":"no such task","data":null}';
    const report = `{"code":"0","message":null,"data":{"status":"${word}","message":"${id}"}}`;
    await answering(response('200 OK', word === 'no such task' ? refusal : report))(peer, count);
  });
  const list = store.list();
  const clock = new HastyClock();
  const refresher = refresherOf(list, async () => target(server.url), clock);
  const [task] = await list.add([taskOf(begun)]);
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round++) {
    asked = '';
    await checkUnfinished(refresher, list);
    for (const { gate } of refresher.allChecks) gate.tryOne();
    const now = list.get(task?.key ?? 0) ?? assert.fail();
    const [stored] = await store.read();
    assert.deepEqual(asStored(stored), asStored(now));
    rows.push({
      state: taskState(now),
      ended: endedCount(partsOf(now) ?? []),
      error: now.lastQueryError?.kind,
      asked: [...asked].sort().join(''),
    });
  }
  return rows;
}

const row = (state: string, ended: number, asked: string, error?: string): Row => ({ state, ended, error, asked });

describe('A file with several tasks', () => {
  for (const [one, other] of [
    ['A', 'B'],
    ['B', 'A'],
  ] as const) {
    const follow = (first: Words, second: Words, rounds: number) =>
      rowsOf(one === 'A' ? { A: first, B: second } : { A: second, B: first }, rounds);

    it(`is checked until each has ended, and has succeeded after both have, ${one} first`, async () => {
      assert.deepEqual(await follow(['DONE'], ['RUNNING', 'RUNNING', 'DONE'], 4), [
        row('running', 1, 'AB'),
        row('running', 1, other),
        row('succeeded', 2, other),
        row('succeeded', 2, ''),
      ]);
    });

    it(`has failed as soon as ${one} has, and ${other} is still checked`, async () => {
      assert.deepEqual(await follow(['FAILED'], ['RUNNING', 'RUNNING', 'DONE'], 4), [
        row('failed', 1, 'AB'),
        row('failed', 1, other),
        row('failed', 2, other),
        row('failed', 2, ''),
      ]);
    });

    it(`has failed if ${one} fails after ${other} has succeeded`, async () => {
      assert.deepEqual(await follow(['RUNNING', 'FAILED'], ['DONE'], 3), [
        row('running', 1, 'AB'),
        row('failed', 2, one),
        row('failed', 2, ''),
      ]);
    });

    it(`is unknown while the status of ${one} is`, async () => {
      assert.deepEqual(await follow(['IN_LIMBO', 'DONE'], ['DONE'], 2), [
        row('unknown', 1, 'AB'),
        row('succeeded', 2, one),
      ]);
    });

    it(`shows the failed check of ${one} until one succeeds, whatever is reported of ${other}`, async () => {
      // A destination that does not respond pauses, so that not both are asked in each round.
      const rows = await follow(['no response', 'no response', 'DONE'], ['RUNNING', 'DONE'], 8);
      const untilIt = rows.filter(({ error }) => error === 'failed');
      assert.ok(untilIt.length >= 2);
      assert.deepEqual([...new Set(untilIt.map(({ state }) => state))], ['running']);
      assert.deepEqual(rows.at(-1), row('succeeded', 2, ''));
    });

    it(`shows the rejected check of ${one}, and ${other} is still checked`, async () => {
      assert.deepEqual(await follow(['no such task', 'no such task', 'DONE'], ['RUNNING', 'DONE'], 3), [
        row('running', 0, 'AB', 'rejected'),
        row('running', 1, 'AB', 'rejected'),
        row('succeeded', 2, one),
      ]);
    });
  }

  it('is checked completely if the user refreshes it after its end', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(answering(response('200 OK', done)));
    const list = store.list();
    const refresher = refresherOf(list, async () => target(server.url), new HastyClock());
    const [task] = await list.add([taskOf(begun)]);
    assert.ok(task);
    for (const posts of [2, 4]) {
      const refreshed = await refresh(refresher, list.get(task.key) ?? task);
      assert.deepEqual([refreshed?.kind, server.posts], ['accepted', posts]);
    }
  });

  it('is checked only for the unfinished ones if the user refreshes it', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(answering(response('200 OK', done)));
    const list = store.list();
    const refresher = refresherOf(list, async () => target(server.url), new HastyClock());
    const report = { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from: {} } as const;
    const [task] = await list.add([taskOf(begun)]);
    assert.ok(task);
    await list.change(task.key, changeOfOne(task, A, { phase: { kind: 'accepted', report } }), always);
    await refresh(refresher, list.get(task.key) ?? task);
    assert.equal(server.posts, 1);
    assert.equal(server.request.body.toString(), '{"taskId":"B"}');
    assert.equal(taskState(list.get(task.key) ?? task), 'succeeded');
  });

  it('gives the user the result of the check that failed', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      const isA = peer.request.body.includes('"A"');
      await answering(isA ? response('200 OK', done) : response('404 Not Found', 'gone'))(peer, count);
    });
    const list = store.list();
    const refresher = refresherOf(list, async () => target(server.url), new HastyClock());
    const [task] = await list.add([taskOf(begun)]);
    const refreshed = task && (await refresh(refresher, task));
    assert.equal(refreshed?.kind, 'rejected');
    assert.equal(taskState(list.held[0] ?? assert.fail()), 'running');
  });
});

const done = '{"code":"0","message":null,"data":{"status":"DONE"}}';
