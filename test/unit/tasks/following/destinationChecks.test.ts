import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { FindTarget, Refreshed, Refresher } from '../../../../src/tasks/following/refresher';
import { MAX_CHECKS } from '../../../../src/tasks/sending/gate';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import { RawServer, type Script } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target } from '../../service/wire';
import { HandClock } from '../handClock';
import { TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';
import { checkUnfinished, refresh, refresherOf } from './refresherOf';

const going = () => new AbortController().signal;
const running = answering(response('200 OK', '{"code":"0","message":null,"data":{"status":"RUNNING"}}'));
const tooMuch = (...headers: string[]) => answering(response('429 Too Many Requests', 'later', ...headers));

/** Answers each request with its own script, and all others with the last one. */
function inTurn(...scripts: Script[]): Script {
  return (peer, count) => (scripts[count - 1] ?? scripts.at(-1) ?? running)(peer, count);
}

interface Checked extends AsyncDisposable {
  readonly list: TaskList;
  readonly clock: HandClock;
  readonly refresher: Refresher;
  readonly server: RawServer;
  /** Tracks so many tasks of the dataset. */
  add(count: number): Promise<TrackedTask[]>;
  /** Advances the clock until a promise settles. */
  passing<Value>(promise: Promise<Value>): Promise<Value>;
}

async function checked(script: Script, findTarget?: FindTarget): Promise<Checked> {
  const [store, server] = [await TemporaryStore.make(), await RawServer.start(script)];
  const [list, clock] = [store.list(), new HandClock()];
  let made = 0;
  const taskAt = () =>
    taskOf({ dataset: 'Books', origin: server.url.origin, taskId: typedTaskId(`T${made++}`, 'string') });
  return {
    ...{ list, clock, server },
    refresher: refresherOf(list, findTarget ?? (async () => target(server.url)), clock),
    add: (count) => list.add(Array.from({ length: count }, taskAt)),
    async passing(promise) {
      let isOver = false;
      const over = promise.finally(() => {
        isOver = true;
      });
      for (; !isOver; await setImmediate()) if (clock.alarms > 0) clock.advance(50);
      return over;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const kinds = (refreshed: readonly Refreshed[]) => refreshed.map((one) => one?.kind);

describe('The status checks of a destination', () => {
  it('pause together as long as the service asked one of them to', async () => {
    await using window = await checked(inTurn(tooMuch('Retry-After: 60'), running));
    await window.add(20);
    const check = () => window.passing(checkUnfinished(window.refresher, window.list));
    await check();
    const { posts } = window.server;
    assert.ok(posts <= MAX_CHECKS, `${posts} checks`);
    window.clock.advance(50_000);
    await check();
    assert.equal(window.server.posts, posts);
    window.clock.advance(10_000);
    await check();
    assert.equal(window.server.posts, posts + 20);
  });

  it('that the user wants are ten at once, then ten a second, and end at once when canceled', async () => {
    await using window = await checked(running);
    const tasks = await window.add(40);
    const cancel = new AbortController();
    const all = window.refresher.refreshAll(tasks, cancel.signal);
    const posts = () => window.server.posts;
    for (let count = 10; count < 30; count++) {
      await until(() => posts() === count && window.clock.alarms === 1);
      window.clock.advance(99);
      assert.equal(posts(), count);
      window.clock.advance(1);
    }
    cancel.abort();
    const accepted = kinds(await all).filter((kind) => kind === 'accepted');
    assert.ok(accepted.length === 29 && posts() <= 30, `${accepted.length} of ${posts()} checks`);
  });

  it('that the user wants in a pause go one ahead, and the others only if it went well', async () => {
    await using window = await checked(inTurn(tooMuch('Retry-After: 60'), tooMuch('Retry-After: 60'), running));
    const tasks = await window.add(8);
    const all = () => window.passing(window.refresher.refreshAll(tasks, going()));
    await window.passing(refresh(window.refresher, tasks[0] ?? assert.fail()));
    const refused = await all();
    assert.deepEqual([kinds(refused), window.server.posts], [['rejected', ...Array(7).fill('paused')], 2]);
    assert.deepEqual([kinds(await all()), window.server.posts], [Array(8).fill('accepted'), 10]);
  });

  it('that the user wants are sent even if a pause begins before their turn', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const late: Script = async (peer, count) => {
      await released;
      await tooMuch()(peer, count);
    };
    await using window = await checked(inTurn(tooMuch(), late, running));
    const [first = assert.fail()] = await window.add(1);
    await window.passing(refresh(window.refresher, first));
    const background = (() => {
      window.clock.advance(60_000);
      return checkUnfinished(window.refresher, window.list);
    })();
    await until(() => window.server.peers.length === 2);
    const [second = assert.fail()] = await window.add(1);
    const wanted = window.refresher.refreshAll([second], going());
    release();
    assert.deepEqual(kinds(await window.passing(wanted)), ['accepted']);
    await background;
  });

  it('show an unexpected error on its own row, and the others go on', async () => {
    let calls = 0;
    const findTarget: FindTarget = async () => {
      if (++calls === 2) throw new Error('no secret storage');
      return target(window.server.url);
    };
    await using window = await checked(running, findTarget);
    const tasks = await window.add(6);
    await window.passing(checkUnfinished(window.refresher, window.list));
    const errors = tasks.flatMap(({ key }) => window.list.get(key)?.lastQueryError ?? []);
    assert.deepEqual(
      errors.map((error) => error.kind === 'failed' && error.failure.detail),
      ['no secret storage'],
    );
    assert.equal(window.server.posts, 5);
  });

  it('are sent to no other origin than their own', async () => {
    let url = new URL('https://new.example.com');
    await using window = await checked(running, async () => target(url));
    const tasks = await window.add(3);
    const wanted = window.refresher.refreshAll(tasks, going());
    assert.deepEqual(kinds(await window.passing(wanted)), [undefined, undefined, undefined]);
    assert.equal(window.server.posts, 0);
    url = window.server.url;
    assert.deepEqual(
      kinds(await window.passing(window.refresher.refreshAll(tasks, going()))),
      Array(3).fill('accepted'),
    );
  });
});
