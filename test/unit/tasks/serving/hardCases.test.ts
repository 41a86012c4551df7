import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { StoreError } from '../../../../src/tasks/database/storeError';
import { WRITTEN_AT_ONCE } from '../../../../src/tasks/history/walk';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type NewTask, newTask, type Phase, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { type Peer, RawServer } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { target } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf, servingOf, takeTurn } from '../editorWindow';
import { HandClock } from '../handClock';
import { always, goneWindow, NOON, type StoredList, sourceOf, TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const REJECTED = {
  kind: 'rejected',
  refusal: { by: 'envelope', status: 200, code: '7', message: 'no' },
} as const satisfies Phase;
const BUSY = answering(response('429 Too Many Requests', 'later'));
const BUSY_FOR_LONG = answering(response('429 Too Many Requests', 'later', 'Retry-After: 3000'));

const phases = (list: TaskList) => list.held.map(({ phase }) => phase.kind).reverse();

/** So many tasks of files that are not there. */
function many(count: number, phase: Phase = { kind: 'queued' }, facts: { dataset?: string; origin?: string } = {}) {
  return Array.from({ length: count }, (_, index) =>
    newTask({ dataset: 'Books', createdMs: NOON, phase, source: sourceOf(`${index}.txt`), ...facts }),
  );
}

async function known(list: TaskList): Promise<TaskList> {
  await list.sync();
  return list;
}

function edit({ path }: TemporaryStore, sql: string): void {
  const db = new DatabaseSync(path, { timeout: 5000 });
  db.exec(sql);
  db.close();
}

/** Lets every window count as gone for the others, as one does that has slept past its lease. */
function forgetWindows(store: TemporaryStore): void {
  edit(store, 'DELETE FROM windows');
}

/** Calls `first` as the first call of an operation of the store returns, before the caller sees that. */
function afterFirst(list: StoredList, operation: 'change' | 'add', first: () => Promise<void>): void {
  const call = list.store.tasks[operation].bind(list.store.tasks) as (...args: unknown[]) => Promise<unknown>;
  let calls = 0;
  Object.assign(list.store.tasks, {
    [operation]: async (...args: unknown[]) => {
      const written = await call(...args);
      if (++calls === 1) await first();
      return written;
    },
  });
}

/** Lets seconds pass in which windows take turns, until a condition holds. */
function passUntil(
  isMet: () => boolean | Promise<boolean>,
  clock: HandClock,
  ...windows: Pick<EditorParts, 'list' | 'serving'>[]
): Promise<void> {
  return until(async () => {
    clock.advance(1000);
    for (const window of windows) await takeTurn(window);
    return isMet();
  });
}

function only([task]: readonly TrackedTask[]): TrackedTask {
  return task ?? assert.fail('There is no task.');
}

describe('Many imports that are begun again', () => {
  it('stand in the list as they do in the store, though the first ones are in before the last ones are queued', async () => {
    await using store = await TemporaryStore.make();
    const here = store.list();
    const tasks = await here.add(many(WRITTEN_AT_ONCE + 1, REJECTED));
    const { key } = only(tasks);
    afterFirst(here, 'change', async () => {
      await here.sync();
      assert.ok(await here.begin(key, `${here.store.window.id} 1`));
      await here.change(key, { phase: { kind: 'accepted', report: undefined }, checkedMs: NOON }, always);
      await here.sync();
    });
    const keys = tasks.map((task) => task.key);
    await here.beginAgain(keys.map((each) => [each, () => ({ phase: { kind: 'queued' } })]));
    assert.equal(here.get(key)?.phase.kind, 'accepted');
  });

  it('end in one run, each being begun once', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const list = store.list();
    const [file] = await filesOf(store, 'a.txt');
    const facts = { dataset: 'Books', createdMs: NOON, source: file?.source, phase: REJECTED };
    const tasks = await list.add([newTask(facts), ...many(WRITTEN_AT_ONCE, REJECTED)]);
    using window = editorWindow(list, server.url);
    await takeTurn(window);
    afterFirst(list, 'change', async () => {
      await takeTurn(window);
      await until(() => list.held.some(({ phase }) => phase.kind === 'accepted'));
      await takeTurn(window);
    });
    await window.queue.retry(tasks);
    await until(async () => {
      await takeTurn(window);
      return window.queue.progress === undefined;
    });
    assert.deepEqual([server.posts, window.ended.map(({ results }) => results.length)], [1, [WRITTEN_AT_ONCE + 1]]);
  });
});

describe('What a window was sending that is gone', () => {
  it('is unconfirmed and can be removed though no window can reach its destination any more', async () => {
    await using store = await TemporaryStore.make();
    const gone = store.list(() => NOON, undefined, goneWindow());
    const { key } = only(await gone.add(many(1, undefined, { dataset: 'Sandbox', origin: 'http://127.0.0.1:1' })));
    assert.ok(await gone.begin(key, `${gone.store.window.id} 1`));
    const list = store.list();
    const clock = new HandClock();
    const serving = servingOf(list, clock, { whyNotAsked: () => ({ kind: 'sandboxStopped' }) });
    await passUntil(() => phases(list)[0] === 'unconfirmed', clock, { list, serving });
    assert.deepEqual(await list.remove([key]), []);
  });

  it('and a person has begun again stays queued, though its first attempt dies only then', async () => {
    await using store = await TemporaryStore.make();
    const peers: Peer[] = [];
    await using stuck = await RawServer.start(async (peer) => {
      if (!(await peer.readRequest())) return;
      peers.push(peer);
      await peer.readToEnd();
    });
    await using later = await RawServer.start(BUSY_FOR_LONG);
    using sleeper = editorWindow(store.list(), stuck.url);
    await sleeper.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => peers.length === 1);
    forgetWindows(store);
    using other = editorWindow(store.list(), later.url);
    await takeTurn(other);
    const unconfirmed = only(other.list.held);
    assert.equal(unconfirmed.phase.kind, 'unconfirmed');
    await other.queue.retry([unconfirmed]);
    await until(() => other.pausedUntilMs !== undefined);
    peers[0]?.reset();
    await sleeper.queue.stop();
    assert.deepEqual(phases(await known(store.list())), ['queued']);
  });

  it('is sent in the end where the mark of it was stored, and that was not known', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const list = store.list();
    afterFirst(list, 'change', async () => {
      throw new StoreError('', new Error('The thread ended.'), 'ended');
    });
    const clock = new HandClock();
    using window = editorWindow(list, server.url, { clock });
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await passUntil(() => window.queue.progress === undefined, clock, window);
    assert.deepEqual([phases(list), server.posts], [['accepted'], 1]);
  });
});

describe('A window that serves a destination without its access key', () => {
  it('leaves it to one that has the key', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using without = editorWindow(store.list(), server.url, { clock, findTarget: async () => undefined });
    await without.queue.add(await filesOf(store, 'a.txt'), 'Books');
    using withKey = editorWindow(store.list(), server.url, { clock });
    await passUntil(() => phases(withKey.list)[0] === 'accepted', clock, without, withKey);
  });

  it('does not take it from the other as a person imports in it, for longer than a moment', async () => {
    await using store = await TemporaryStore.make();
    let isBusy = true;
    await using server = await RawServer.start((peer, count) => (isBusy ? BUSY : taking)(peer, count));
    const clock = new HandClock();
    using withKey = editorWindow(store.list(), server.url, { clock });
    await withKey.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => withKey.pausedUntilMs !== undefined);
    isBusy = false;
    using without = editorWindow(store.list(), server.url, { clock, findTarget: async () => undefined });
    await without.queue.add(await filesOf(store, 'b.txt'), 'Books');
    await passUntil(() => phases(withKey.list).join() === 'accepted,accepted', clock, withKey, without);
  });
});

/** A task that is to be followed. */
function waitingTask(): NewTask {
  const taskId = typedTaskId('T1', 'string');
  return newTask({ dataset: 'Books', createdMs: NOON, phase: { kind: 'accepted', report: undefined }, taskId });
}

describe('A window whose secret storage gives the access key only some time after it has opened', () => {
  it('serves as soon as it does, though it said meanwhile that the key is missing', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add([waitingTask()]);
    let [isReadable, isLacking] = [false, false];
    const serving = servingOf(list, new HandClock(), {
      canAsk: async () => {
        isLacking = !isReadable;
        return isReadable;
      },
      whyNotAsked: () => (isLacking ? { kind: 'noKey' } : undefined),
    });
    const held: number[] = [];
    serving.events.on('turn', (state) => held.push(state.held.size));
    for (let turn = 0; turn < 3; turn++) await takeTurn({ list, serving });
    assert.deepEqual([held, isLacking], [[0, 0, 0], true]);
    isReadable = true;
    await until(async () => {
      await takeTurn({ list, serving });
      return held.at(-1) === 1;
    });
    await serving.stop();
  });

  it('asks for it again where it never responded', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add([waitingTask()]);
    const clock = new HandClock();
    let asked = 0;
    const canAsk = () => (++asked === 1 ? new Promise<never>(() => {}) : Promise.resolve(true));
    const serving = servingOf(list, clock, { canAsk });
    const held: number[] = [];
    serving.events.on('turn', (state) => held.push(state.held.size));
    for (let turn = 0; turn < 3; turn++) await takeTurn({ list, serving });
    assert.deepEqual([held, asked], [[0, 0, 0], 1]);
    clock.advance(10_000);
    await until(async () => {
      await takeTurn({ list, serving });
      return held.at(-1) === 1;
    });
    await serving.stop();
  });

  it('serves as soon as it does, though nothing says so', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    let isReadable = false;
    const findTarget = async () => (isReadable ? target(server.url) : undefined);
    using window = editorWindow(store.list(), server.url, { findTarget });
    await window.list.add([waitingTask()]);
    const held: number[] = [];
    window.serving.events.on('turn', (state) => held.push(state.held.size));
    for (let turn = 0; turn < 3; turn++) await takeTurn(window);
    assert.deepEqual(held, [0, 0, 0]);
    isReadable = true;
    await until(async () => {
      await takeTurn(window);
      return held.at(-1) === 1;
    });
  });
});

describe('What a person or a service has said', () => {
  it('holds though a person imports in another window: a service that asks to wait is not asked', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(BUSY_FOR_LONG);
    using one = editorWindow(store.list(), server.url);
    await one.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => one.pausedUntilMs !== undefined);
    using two = editorWindow(store.list(), server.url);
    await two.queue.add(await filesOf(store, 'b.txt'), 'Books');
    for (const window of [two, one, two]) await takeTurn(window);
    assert.deepEqual([server.posts, phases(one.list)], [1, ['queued', 'queued']]);
  });

  it('holds though the window closes that was sending: what another one has canceled is not sent', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using server = await RawServer.start(async (peer, count) => {
      if (count > 1) return taking(peer, count);
      await peer.readRequest();
      await released;
      peer.send(response('429 Too Many Requests', 'later'));
      await peer.readToEnd();
    });
    using one = editorWindow(store.list(), server.url);
    await one.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => server.posts === 1);
    using two = editorWindow(store.list(), server.url);
    await takeTurn(two);
    await two.queue.cancel();
    const stopped = one.queue.stop();
    release();
    await stopped;
    await one.serving.stop();
    for (let turn = 0; turn < 2; turn++) await takeTurn(two);
    assert.deepEqual([phases(await known(store.list())), server.posts], [['notSent'], 1]);
  });

  it('holds for what has just been left to another window: it is canceled', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using one = editorWindow(store.list(), server.url);
    const { promise: marking, resolve: marked } = Promise.withResolvers<void>();
    const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
    const begin = one.list.begin.bind(one.list);
    one.list.begin = async (...args) => {
      marked();
      await unlocked;
      return begin(...args);
    };
    await one.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await marking;
    forgetWindows(store);
    edit(
      store,
      "UPDATE leases SET window = 'other'; INSERT INTO windows (id, machine, pid, beat) VALUES ('other', 'm', 1, 1)",
    );
    await takeTurn(one);
    const canceled = one.queue.cancel();
    unlock();
    await canceled;
    assert.deepEqual([phases(await known(store.list())), server.posts], [['notSent'], 0]);
  });

  it('holds for a dataset that has moved: Try Now asks again where to send what waits', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    let moved = 0;
    window.queue.events.on('moved', () => moved++);
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books', undefined, 'https://old.example');
    await until(() => moved === 1);
    await window.queue.tryNow();
    await until(() => moved === 2);
  });
});
