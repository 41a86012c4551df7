import assert from 'node:assert/strict';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { parseJson } from '../../../../src/service/json/json';
import { taskIdOf, typedTaskId } from '../../../../src/service/json/taskId';
import type { Target } from '../../../../src/service/request/requests';
import type { FindTarget, Refresher } from '../../../../src/tasks/following/refresher';
import type { ContractOf } from '../../../../src/tasks/responseNow';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type NewTask, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { HastyClock } from '../../faults/hastyClock';
import { RawServer, type Script } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target } from '../../service/wire';
import { always, asStored, NOON, TemporaryStore, taskOf, withoutRevision } from '../temporaryStore';
import { until } from '../until';
import { checkUnfinished, refresh, refresherOf } from './refresherOf';

const LATER = NOON + 5000;

function status(word: string): string {
  return `{"code":"0","message":null,"data":{"status":"${word}","progress":50,"message":"reading"}}`;
}

/** Says these one after another, to one request each; the last one to all that come after. */
function saying(...scripts: Script[]): Script {
  return (peer, count) => (scripts[count - 1] ?? scripts.at(-1) ?? answering(''))(peer, count);
}

const ok = (body: string) => answering(response('200 OK', body));
const resetting: Script = async (peer) => {
  await peer.readRequest();
  peer.reset();
};

const ownBody = { contract: readContract({ queryTask: { body: { jobId: '${taskId}' } } }).contract };

const succeeded = {
  kind: 'accepted',
  report: { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from: {} },
} as const;

interface Watched extends AsyncDisposable {
  readonly list: TaskList;
  readonly refresher: Refresher;
  readonly server: RawServer;
  readonly store: TemporaryStore;
  readonly clock: HastyClock;
  add(facts?: Partial<NewTask>): Promise<TrackedTask>;
}

async function watched(script: Script, findTarget?: FindTarget, contractOf?: ContractOf): Promise<Watched> {
  const store = await TemporaryStore.make();
  const server = await RawServer.start(script);
  const list = store.list();
  const clock = new HastyClock();
  clock.nowMs = LATER;
  const refresher = refresherOf(
    list,
    findTarget ?? (async () => target(server.url)),
    clock,
    contractOf && { contractOf },
  );
  return {
    clock,
    list,
    refresher,
    server,
    store,
    async add(facts = {}) {
      const [task] = await list.add([taskOf({ taskId: typedTaskId('T1', 'string'), ...facts })]);
      assert.ok(task);
      return task;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

describe('Refresher', () => {
  it('stores the report of a task and the whole response', async () => {
    await using watch = await watched(ok(status('INDEXING')));
    const { key } = await watch.add();
    await checkUnfinished(watch.refresher, watch.list);
    const [task] = await watch.store.read();
    assert.deepEqual(task, watch.list.get(key));
    assert.deepEqual(task?.phase, {
      kind: 'accepted',
      report: {
        status: 'INDEXING',
        meaning: 'running',
        progress: 0.5,
        message: 'reading',
        from: {
          status: { pointer: '/status', how: 'recognized' },
          progress: { pointer: '/progress', how: 'recognized' },
          message: { pointer: '/message', how: 'recognized' },
        },
        seen: { at: '/status', values: ['INDEXING'] },
      },
    });
    assert.deepEqual(
      [(await watch.list.history.responses(key)).lastResponse, task?.checkedMs, task?.lastQueryError],
      [status('INDEXING'), LATER, undefined],
    );
  });

  for (const literal of ['9007199254740993123', '"9007199254740993123"']) {
    it(`sends the id ${literal} with the type in which the service returned it`, async () => {
      await using watch = await watched(ok(status('DONE')));
      const taskId = taskIdOf(parseJson(literal));
      const task = await watch.add({ taskId });
      await refresh(watch.refresher, task);
      assert.equal(watch.server.request.body.toString(), `{"taskId":${literal}}`);
    });
  }

  it('checks a task once at a time, and all callers get the same result', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using watch = await watched(async (peer, count) => {
      await released;
      await ok(status('RUNNING'))(peer, count);
    });
    const task = await watch.add();
    const outcomes = [1, 2, 3].map(() => refresh(watch.refresher, task));
    const turn = checkUnfinished(watch.refresher, watch.list);
    await until(() => watch.server.peers.length > 0);
    release();
    const [first, ...others] = await Promise.all(outcomes);
    await turn;
    assert.deepEqual(others, [first, first]);
    assert.equal(watch.server.peers.length, 1);
    await refresh(watch.refresher, task);
    assert.equal(watch.server.peers.length, 2);
  });

  it('checks all tasks, four at a time', async () => {
    let together = 0;
    let most = 0;
    await using watch = await watched(async (peer, count) => {
      most = Math.max(most, ++together);
      await peer.readRequest();
      together--;
      await ok(status('RUNNING'))(peer, count);
    });
    for (let index = 0; index < 12; index++) await watch.add({ taskId: typedTaskId(`T${index}`, 'string') });
    await checkUnfinished(watch.refresher, watch.list);
    assert.equal(watch.server.posts, 12);
    assert.ok(most <= 4, `${most} at a time`);
    assert.ok(watch.list.held.every((task) => taskState(task) === 'running'));
  });

  it('checks a task while its status is unknown, and not after it ended', async () => {
    await using watch = await watched(saying(ok(status('IN_LIMBO')), ok(status('IN_LIMBO')), ok(status('DONE'))));
    const { key } = await watch.add();
    const states: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await checkUnfinished(watch.refresher, watch.list);
      states.push(taskState(watch.list.get(key) ?? assert.fail()));
    }
    assert.deepEqual(states, ['unknown', 'unknown', 'succeeded', 'succeeded', 'succeeded']);
    assert.equal(watch.server.posts, 3);
  });

  it('discards a response about an id that was corrected while it was in flight', async () => {
    const corrected = { taskId: typedTaskId('T2', 'string'), phase: { kind: 'accepted', report: undefined } } as const;
    await using watch = await watched(async (peer, count) => {
      await watch.list.change(task.key, corrected, always);
      await ok(status('DONE'))(peer, count);
    });
    const task = await watch.add();
    const outcome = await refresh(watch.refresher, task);
    assert.equal(outcome?.kind, 'accepted');
    assert.deepEqual(withoutRevision([watch.list.get(task.key)]), withoutRevision([{ ...task, ...corrected }]));
    assert.deepEqual(asStored(await watch.store.read()), asStored([watch.list.get(task.key)]));
  });

  for (const [late, script] of Object.entries({
    'a report': ok(status('RUNNING')),
    'a refusal': answering(response('404 Not Found', 'gone')),
  })) {
    it(`keeps the end that another window stored if ${late} arrives late`, async () => {
      await using watch = await watched(async (peer, count) => {
        await other.sync();
        await other.change(task.key, { phase: succeeded }, always);
        await script(peer, count);
      });
      const other = watch.store.list();
      const task = await watch.add();
      await checkUnfinished(watch.refresher, watch.list);
      for (const known of [...(await watch.store.read()), watch.list.get(task.key) ?? assert.fail()]) {
        assert.deepEqual([taskState(known), known.lastQueryError], ['succeeded', undefined]);
      }
    });
  }

  it('reads a response by the mapping that the user changed while it was in flight', async () => {
    let { contract } = target(new URL('https://books.example'));
    const hasNow = () => contract;
    await using watch = await watched(
      async (peer, count) => {
        contract = { ...contract, queryTask: { ...contract.queryTask, statusMeanings: { DONE: 'running' } } };
        await ok(status('DONE'))(peer, count);
      },
      async () => target(watch.server.url, contract),
      hasNow,
    );
    const { key } = await watch.add();
    await checkUnfinished(watch.refresher, watch.list);
    assert.equal(taskState(watch.list.get(key) ?? assert.fail()), 'running');
  });

  it('stores what the service reports about an ended task if the user refreshes it', async () => {
    await using watch = await watched(ok(status('RUNNING')));
    const task = await watch.add({ phase: succeeded });
    await refresh(watch.refresher, task);
    assert.equal(taskState(watch.list.get(task.key) ?? assert.fail()), 'running');
  });

  it('waits as long as the service asked, at most an hour, even if its own pauses are ended', async () => {
    await using watch = await watched(answering(response('503 Unavailable', 'later', 'Retry-After: 86400')));
    const task = await watch.add();
    await checkUnfinished(watch.refresher, watch.list);
    watch.refresher.checksOf(task).gate.tryOne();
    watch.clock.nowMs += 3_599_000;
    await checkUnfinished(watch.refresher, watch.list);
    assert.equal(watch.server.posts, 1);
    watch.clock.nowMs += 1000;
    await checkUnfinished(watch.refresher, watch.list);
    assert.equal(watch.server.posts, 2);
  });

  it('checks no task that failed, was not uploaded or has no id', async () => {
    await using watch = await watched(ok(status('RUNNING')));
    const failed = { status: 'FAILED', meaning: 'failed', progress: undefined, message: undefined, from: {} } as const;
    await watch.add({ phase: { kind: 'accepted', report: failed } });
    await watch.add({ phase: { kind: 'sending', attemptId: 'A 1' }, taskId: undefined });
    const withoutId = await watch.add({ taskId: undefined });
    await checkUnfinished(watch.refresher, watch.list);
    assert.equal(await refresh(watch.refresher, withoutId), undefined);
    assert.equal(watch.server.peers.length, 0);
  });

  const troubles: Record<string, { script: Script; kind: 'rejected' | 'failed' }> = {
    'a rejection': { script: ok('{"code":"5","message":"who?","data":null}'), kind: 'rejected' },
    'a connection that breaks off': { script: resetting, kind: 'failed' },
  };
  for (const [how, { script, kind }] of Object.entries(troubles)) {
    it(`keeps the last report through ${how}, and shows the failed check until one succeeds`, async () => {
      // What may pass is tried three times.
      const tries = kind === 'failed' ? [script, script, script] : [script];
      await using watch = await watched(saying(ok(status('RUNNING')), ...tries, ok(status('RUNNING'))));
      const { key } = await watch.add();
      const troubled: unknown[] = [];
      for (let turn = 0; turn < 3; turn++) {
        await checkUnfinished(watch.refresher, watch.list);
        watch.clock.nowMs += 30_000;
        const task = watch.list.get(key) ?? assert.fail();
        troubled.push([taskState(task), task.lastQueryError?.kind]);
        assert.deepEqual((await watch.store.read())[0]?.lastQueryError?.kind, task.lastQueryError?.kind);
      }
      assert.deepEqual(troubled, [
        ['running', undefined],
        ['running', kind],
        ['running', undefined],
      ]);
    });
  }

  it('stores whether the service rejected the key, without a second copy of the response', async () => {
    const refusal = '{"code":"5","message":"who?","data":null}';
    const forbidden = answering(response('403 Forbidden', refusal));
    await using watch = await watched(saying(forbidden, ok(refusal)));
    const { key } = await watch.add();
    const troubles: unknown[] = [];
    for (let turn = 0; turn < 2; turn++) {
      await checkUnfinished(watch.refresher, watch.list);
      watch.clock.nowMs += 30_000;
      troubles.push(watch.list.get(key)?.lastQueryError);
      assert.equal((await watch.list.history.responses(key)).lastResponse, refusal);
    }
    const kept = { by: 'envelope', code: '5', message: 'who?' };
    assert.deepEqual(troubles, [
      { kind: 'rejected', refusal: { ...kept, status: 403 }, badKey: true },
      { kind: 'rejected', refusal: { ...kept, status: 200 } },
    ]);
  });

  for (const [what, outdated, refusal, replaced] of [
    ['key', 'ak-old', response('401 Unauthorized', 'no'), { accessKey: 'ak-new' }],
    ['request', '{"taskId":', response('200 OK', '{"code":"400","message":"jobId?","data":null}'), ownBody],
  ] as const) {
    it(`checks again if the rejected ${what} was replaced while the check was in flight`, async () => {
      let change: Partial<Target> = { accessKey: 'ak-old' };
      await using watch = await watched(
        async (peer, count) => {
          await peer.readRequest();
          const isOld = peer.received.includes(outdated);
          change = replaced;
          await (isOld ? answering(refusal) : ok(status('RUNNING')))(peer, count);
        },
        async () => ({ ...target(watch.server.url), ...change }),
      );
      const task = await watch.add();
      const told: unknown[] = [];
      watch.list.events.on('change', () => told.push(watch.list.get(task.key)?.lastQueryError));
      await checkUnfinished(watch.refresher, watch.list);
      assert.deepEqual([watch.server.posts, told], [2, [undefined]]);
      assert.equal(taskState(watch.list.get(task.key) ?? assert.fail()), 'running');
      assert.equal(watch.refresher.checksOf(task).gate.checkPauseMs, 0);
    });
  }

  /** Our own back-off is between half a second and a second at first. */
  const ownMs = { leastMs: 500, mostMs: 1000 };
  const busy: Record<string, { response: Buffer; leastMs: number; mostMs: number }> = {
    'with 429 and a Retry-After': {
      response: response('429 Too Many Requests', 'slow down', 'Retry-After: 7'),
      ...{ leastMs: 7000, mostMs: 7000 },
    },
    'with 429 alone': { response: response('429 Too Many Requests', ''), ...ownMs },
    'with a code that its contract names': {
      response: response('200 OK', '{"code":"42900","message":"Too many requests","data":null}'),
      ...ownMs,
    },
  };
  for (const [how, { response: tooMuch, leastMs, mostMs }] of Object.entries(busy)) {
    it(`waits if the service is busy, and stores nothing about the task: ${how}`, async () => {
      const codes = { badKey: [], tryLater: ['42900'] };
      await using watch = await watched(saying(answering(tooMuch), ok(status('DONE'))), async () =>
        target(watch.server.url, { codes }),
      );
      const { key } = await watch.add();
      await checkUnfinished(watch.refresher, watch.list);
      assert.deepEqual([watch.list.get(key)?.lastQueryError, watch.list.get(key)?.checkedMs], [undefined, undefined]);
      watch.clock.nowMs += leastMs - 1;
      await checkUnfinished(watch.refresher, watch.list);
      assert.equal(watch.server.posts, 1);
      watch.clock.nowMs += mostMs - leastMs + 1;
      await checkUnfinished(watch.refresher, watch.list);
      assert.equal(watch.server.posts, 2);
      assert.equal(taskState(watch.list.get(key) as TrackedTask), 'succeeded');
    });
  }

  it('reads no more keys after the user canceled a refresh of many tasks', async () => {
    const stop = new AbortController();
    let looks = 0;
    await using watch = await watched(
      async (peer) => {
        await peer.readRequest();
        stop.abort();
        await peer.readToEnd();
      },
      async () => {
        looks++;
        return target(watch.server.url);
      },
    );
    const tasks = [];
    for (let index = 0; index < 20; index++) tasks.push(await watch.add());
    await watch.refresher.refreshAll(tasks, stop.signal);
    assert.ok(looks <= 4, `${looks} looks`);
  });

  it('checks again for a caller that waited for a check that another caller canceled', async () => {
    const stop = new AbortController();
    await using watch = await watched(
      saying(
        async (peer) => {
          await peer.readRequest();
          await peer.readToEnd();
        },
        ok(status('DONE')),
      ),
    );
    const task = await watch.add();
    const stopped = refresh(watch.refresher, task, stop.signal);
    const wanted = [refresh(watch.refresher, task), refresh(watch.refresher, task)];
    await until(() => watch.server.posts === 1);
    stop.abort();
    assert.equal((await stopped)?.kind === 'accepted', false);
    assert.deepEqual(
      (await Promise.all(wanted)).map((outcome) => outcome?.kind),
      ['accepted', 'accepted'],
    );
    assert.equal(watch.server.posts, 2);
  });

  it('checks nothing if the dataset is unknown or has no key', async () => {
    await using watch = await watched(ok(status('DONE')), async () => undefined);
    const task = await watch.add();
    assert.equal(await refresh(watch.refresher, task), undefined);
    assert.deepEqual([watch.list.get(task.key), watch.server.peers.length], [task, 0]);
  });

  it('can check again after the key could not be read', async () => {
    let failures = 1;
    await using watch = await watched(ok(status('DONE')), async () => {
      if (failures-- > 0) throw new Error('no secret storage');
      return target(watch.server.url);
    });
    const task = await watch.add();
    assert.equal((await refresh(watch.refresher, task))?.kind, 'unconfirmed');
    const lastQueryError = watch.list.get(task.key)?.lastQueryError;
    assert.deepEqual(lastQueryError?.kind === 'failed' && lastQueryError.failure.detail, 'no secret storage');
    assert.equal((await refresh(watch.refresher, task))?.kind, 'accepted');
  });
});
