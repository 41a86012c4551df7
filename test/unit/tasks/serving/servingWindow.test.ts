import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { LEASE_MS } from '../../../../src/tasks/leases/windowLease';
import { readRow } from '../../../../src/tasks/rows/taskRow';
import { Gates } from '../../../../src/tasks/sending/gate';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { TASK_SCHEMA } from '../../../../src/tasks/store/taskSchema';
import { newTask, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { type Peer, RawServer } from '../../service/rawServer';
import { accepted, answering, response, taking } from '../../service/responses';
import { target } from '../../service/wire';
import { editorWindow, filesOf, servingOf, takeTurn } from '../editorWindow';
import { refresh, refresherOf } from '../following/refresherOf';
import { HandClock } from '../handClock';
import { OtherProcess } from '../otherProcess';
import { lockStore, type StoreLock } from '../storeLock';
import { always, asStored, goneWindow, NOON, StoredList, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';

const QUEUED = { kind: 'queued' } as const;
const phases = (list: TaskList) => list.held.map(({ phase }) => phase.kind).reverse();
const unsent = ['0.txt', '1.txt', '2.txt'];

/** Queues files in a window that is gone. */
async function leave(
  store: TemporaryStore,
  names = unsent,
): Promise<{ gone: StoredList; tasks: readonly TrackedTask[] }> {
  const files = await filesOf(store, ...names);
  const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED };
  const gone = store.list(() => NOON, undefined, goneWindow());
  return { gone, tasks: await gone.add(files.map(({ source }) => newTask({ ...facts, source }))) };
}

/** The names of the files that a server was sent, in order. */
function namesSent({ peers }: RawServer): string[] {
  return peers.flatMap(({ received }) => /filename="([^"]*)"/.exec(received.toString('latin1'))?.[1] ?? []).sort();
}

async function known(list: TaskList): Promise<TaskList> {
  await list.sync();
  return list;
}

/** Lets every window count as gone for the others, as one does that has slept past its lease. */
function forgetWindows({ path }: TemporaryStore): void {
  const db = new DatabaseSync(path);
  db.exec('DELETE FROM windows');
  db.close();
}

describe('The queue of a window that is gone', () => {
  it('is gone on with by another, as one run, under the same keys', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const { tasks } = await leave(store);
    using window = editorWindow(store.list(), server.url);
    await takeTurn(window);
    await until(() => window.ended.length > 0);
    assert.equal(server.posts, 3);
    assert.deepEqual(
      window.ended.map(({ keys }) => keys),
      [tasks.map(({ key }) => key)],
    );
    assert.deepEqual(phases(await known(store.list())), ['accepted', 'accepted', 'accepted']);
  });

  for (const [what, sending] of [
    ['what', 1],
    ['all of it', 3],
  ] as const) {
    it(`is reported as one, with ${what} the window was sending when it was closed`, async () => {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(taking);
      const { gone, tasks } = await leave(store);
      for (const { key } of tasks.slice(0, sending)) assert.ok(await gone.begin(key, `${gone.store.window.id} ${key}`));
      using window = editorWindow(store.list(), server.url);
      await takeTurn(window);
      await until(() => window.ended.length > 0);
      assert.deepEqual(
        window.ended.map(({ results }) => results.map(({ end }) => end.kind).toSorted()),
        [[...Array(3 - sending).fill('accepted'), ...Array(sending).fill('unconfirmed')]],
      );
      assert.equal(server.posts, 3 - sending);
    });
  }

  it('is sent once by two processes that find it at the same moment, after the one that had it was killed', async () => {
    await using store = await TemporaryStore.make();
    let isStuck = true;
    await using server = await RawServer.start(async (peer, count) => {
      if (isStuck && count > 1) await peer.readToEnd();
      else await taking(peer, count);
    });
    const names = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(2, '0')}.txt`);
    const files = await filesOf(store, ...names);
    const paths = files.map(({ source }) => source.path);
    await using first = await OtherProcess.start('importFiles', store.path, server.url.href, ...paths);
    const cut = assert.rejects(first.go(), /abort/i);
    await until(() => server.posts === 5);
    await first.kill();
    await cut;
    isStuck = false;
    await using one = await OtherProcess.start('takeOver', store.path, server.url.href);
    await using two = await OtherProcess.start('takeOver', store.path, server.url.href);
    const ended = (await Promise.all([one.go(), two.go()])) as number[];
    assert.deepEqual(ended.toSorted(), [0, 19]);
    assert.deepEqual(namesSent(server), names);
    const list = await known(store.list());
    assert.deepEqual(phases(list).toSorted(), [...Array(16).fill('accepted'), ...Array(4).fill('unconfirmed')]);
  });

  it('stays with a window that is alive', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start((peer) => peer.readToEnd());
    using here = editorWindow(store.list(), server.url);
    using there = editorWindow(store.list(), server.url);
    await here.queue.add(await filesOf(store, 'a.txt'), 'Books');
    const held: number[] = [];
    for (const { serving } of [here, there]) serving.events.on('turn', (state) => held.push(state.held.size));
    for (const window of [here, there]) await takeTurn(window);
    assert.deepEqual(held, [1, 0]);
    await here.queue.cancel();
  });

  it('makes no store where there is none', async () => {
    await using store = await TemporaryStore.make();
    const clock = new HandClock();
    const serving = servingOf(store.list(), clock);
    serving.start();
    clock.advance(5000);
    await serving.stop();
    assert.equal(existsSync(store.path), false);
  });
});

describe('A destination', () => {
  /** A service that keeps all responses until it is told to give them. */
  async function holding(script = taking) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      await released;
      await script(peer, count);
    });
    return { server, release };
  }

  it('is served by the window in which a person imports, at once where nothing is being sent', async () => {
    await using store = await TemporaryStore.make();
    await using refusing = await RawServer.start(answering(response('429 Too Many Requests', 'later')));
    await using server = await RawServer.start(taking);
    using one = editorWindow(store.list(), refusing.url);
    await one.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => one.pausedUntilMs !== undefined);
    using two = editorWindow(store.list(), server.url);
    await two.queue.add(await filesOf(store, 'b.txt'), 'Books');
    await until(() => two.list.held.length > 0 && server.posts > 0);
    await takeTurn(two);
    await takeTurn(one);
    await until(() => phases(two.list).every((kind) => kind === 'accepted'));
    await takeTurn(one);
    assert.deepEqual(namesSent(server), ['a.txt', 'b.txt']);
    assert.equal(refusing.posts, 1);
  });

  it('goes on being served by a window that is sending, which sends the other one’s imports too', async () => {
    await using store = await TemporaryStore.make();
    const { server, release } = await holding();
    await using _server = server;
    await using unused = await RawServer.start(taking);
    using one = editorWindow(store.list(), server.url);
    await one.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => server.posts === 1);
    using two = editorWindow(store.list(), unused.url);
    const run = await two.queue.add(await filesOf(store, 'b.txt'), 'Books');
    await takeTurn(one);
    release();
    await until(() => one.queue.progress === undefined);
    await takeTurn(two);
    assert.deepEqual([run.results.map(({ end }) => end.kind), unused.posts], [['accepted'], 0]);
    // Each tells of what a person began in it.
    assert.deepEqual([one.ended.map(({ keys }) => keys.length), two.ended], [[1], [run]]);
  });

  it('is paused for all windows, of which any can try now', async () => {
    await using store = await TemporaryStore.make();
    const tooMuch = answering(response('429 Too Many Requests', 'later', 'Retry-After: 3000'));
    await using server = await RawServer.start((peer, count) =>
      count === 1 ? tooMuch(peer, count) : taking(peer, count),
    );
    using one = editorWindow(store.list(), server.url);
    await one.queue.add(await filesOf(store, 'a.txt'), 'Books');
    const destination = { dataset: 'Books', origin: undefined };
    await until(() => one.queue.pauseOf(destination) !== undefined);
    using two = editorWindow(store.list(), server.url);
    await until(async () => {
      await takeTurn(two);
      return two.queue.pauseOf(destination) !== undefined;
    });
    assert.deepEqual(two.queue.pauseOf(destination)?.reason, one.queue.pauseOf(destination)?.reason);
    await two.queue.tryNow();
    await takeTurn(one);
    await until(() => one.queue.progress === undefined);
    assert.equal(server.posts, 2);
    await until(async () => {
      await takeTurn(two);
      return two.queue.pauseOf(destination) === undefined;
    });
  });

  it('that asks status checks to wait still gets imports, one at a time until one is accepted', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const tooMuch = answering(response('429 Too Many Requests', 'later', 'Retry-After: 60'));
    await using server = await RawServer.start(async (peer, count) => {
      if (count === 1) return tooMuch(peer, count);
      await peer.readRequest();
      if (count === 2) await released;
      await taking(peer, count);
    });
    const clock = new HandClock();
    const gates = new Gates(clock, () => 4);
    using window = editorWindow(store.list(), server.url, { clock, gates });
    const to = async () => target(server.url);
    const refresher = refresherOf(window.list, to, clock, { gates });
    const [task] = await window.list.add([taskOf({ taskId: typedTaskId('T0', 'string') })]);
    await refresh(refresher, task ?? assert.fail());
    await window.queue.add(await filesOf(store, ...unsent), 'Books');
    await until(() => server.posts === 2);
    await takeTurn(window);
    const destination = { dataset: 'Books', origin: undefined };
    assert.deepEqual([window.queue.pauseOf(destination), server.peers.length], [undefined, 2]);
    assert.equal(gates.of(destination).checkPauseMs, 60_000);
    release();
    await until(() => window.queue.progress === undefined);
    assert.equal(server.posts, 1 + unsent.length);
  });
});

describe('A window that slept in the middle of a batch until another took it over', () => {
  for (const what of ['cancels all of it', 'sees its connections die', 'gets the responses after all'] as const) {
    it(`sends nothing that the other has sent, when it ${what}`, async () => {
      await using store = await TemporaryStore.make();
      const peers: Peer[] = [];
      await using stuck = await RawServer.start(async (peer, count) => {
        if (count === 1) return taking(peer, count);
        if (!(await peer.readRequest())) return;
        peers.push(peer);
        await peer.readToEnd();
      });
      await using server = await RawServer.start(taking);
      const files = await filesOf(store, ...Array.from({ length: 20 }, (_, index) => `${index}.txt`));
      using sleeper = editorWindow(store.list(), stuck.url, { allowed: () => 8 });
      await sleeper.queue.add(files, 'Books');
      await until(() => peers.length === 8 && phases(sleeper.list).filter((kind) => kind === 'sending').length === 8);
      forgetWindows(store);
      using other = editorWindow(store.list(), server.url, { allowed: () => 8 });
      await takeTurn(other);
      await until(() => other.queue.progress === undefined);

      if (what === 'cancels all of it') await sleeper.queue.cancel();
      else
        for (const [index, peer] of peers.entries())
          what === 'sees its connections die' ? peer.reset() : peer.send(response('200 OK', accepted(index + 2)));
      const late = what === 'gets the responses after all' ? 'accepted' : 'unconfirmed';
      const total = late === 'accepted' ? 20 : 8;
      await until(async () => {
        await takeTurn(sleeper);
        return (
          sleeper.queue.progress === undefined && phases(sleeper.list).filter((kind) => kind === late).length === total
        );
      });
      const stored = await known(store.list());
      assert.deepEqual(phases(stored).toSorted(), [...Array(12).fill('accepted'), ...Array(8).fill(late)]);
      assert.deepEqual(asStored(sleeper.list.held), asStored(stored.held));
      assert.deepEqual([server.posts, stuck.posts], [11, 9]);
      assert.deepEqual(
        sleeper.ended.map(({ results }) => results.length),
        [20],
      );
    });
  }
});

describe('A window that slept after it had marked imports as being sent, before their first byte', () => {
  it('leaves them to the window that serves by then', async () => {
    await using store = await TemporaryStore.make();
    await using before = await RawServer.start(taking);
    const [slept, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using server = await RawServer.start(async (peer, count) => {
      await left.promise;
      return taking(peer, count);
    });
    const clock = new HandClock();
    const list = store.list(clock.monotonicMs);
    using sleeper = editorWindow(list, before.url, { clock, allowed: () => 1 });
    using other = editorWindow(store.list(), server.url, { allowed: () => 1 });
    const begin = list.begin.bind(list);
    let marks = 0;
    list.begin = async (...args) => {
      const isMarked = await begin(...args);
      if (++marks === 2) {
        forgetWindows(store);
        await takeTurn(other);
        await until(() => phases(other.list).toSorted().join() === 'accepted,sending,unconfirmed');
        clock.advance(2 * LEASE_MS);
        slept.resolve();
      }
      return isMarked;
    };
    await sleeper.queue.add(await filesOf(store, '1.txt', '2.txt', '3.txt'), 'Books');
    await slept.promise;
    await until(async () => phases(await known(other.list)).includes('queued') || before.posts > 1);
    left.resolve();
    await until(async () => {
      await takeTurn(sleeper);
      await takeTurn(other);
      return phases(other.list).join() === 'accepted,accepted,accepted';
    });
    assert.deepEqual([before.posts, server.posts], [1, 2]);
  });
});

describe('A window that is not sure any more that it serves', () => {
  it('marks nothing more as being sent until it is, and then goes on', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    const list = store.list(clock.monotonicMs);
    using window = editorWindow(list, server.url, { clock, allowed: () => 1 });
    const begin = list.begin.bind(list);
    let marks = 0;
    list.begin = async (...args) => {
      const isMarked = await begin(...args);
      if (++marks === 2) clock.advance(LEASE_MS);
      return isMarked;
    };
    await window.queue.add(await filesOf(store, ...Array.from({ length: 20 }, (_, index) => `${index}.txt`)), 'Books');
    await until(async () => {
      await takeTurn(window);
      return window.ended.length > 0;
    });
    assert.deepEqual([server.posts, marks], [20, 21]);
  });
});

describe('A window that closes in the middle of a batch', () => {
  it('has stored what it has shown, and the ends of what was under way, and leaves the rest queued', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      if (count > 8) await released;
      peer.send(response('200 OK', accepted(count)));
      await peer.readToEnd();
    });
    using window = editorWindow(store.list(), server.url);
    await window.queue.add(await filesOf(store, ...Array.from({ length: 30 }, (_, index) => `${index}.txt`)), 'Books');
    await until(() => server.posts === 12);
    const stopped = window.queue.stop();
    release();
    await stopped;
    const stored = phases(await known(store.list()));
    assert.deepEqual(stored, phases(window.list));
    assert.deepEqual(stored.toSorted(), [...Array(12).fill('accepted'), ...Array(18).fill('queued')]);
    assert.equal(server.posts, 12);
  });

  it('waits two seconds at most for a service that does not respond', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start((peer) => peer.readToEnd());
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock });
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => server.posts === 1);
    const stopped = window.queue.stop();
    clock.advance(2000);
    await stopped;
    assert.deepEqual(phases(window.list), ['sending']);
    await window.queue.cancel();
  });
});

describe('A window that is closed', () => {
  /** A window, and what stands in the store at the very moment at which it may be ended. */
  function closing(store: TemporaryStore, url: URL, patienceMs?: number) {
    const file = store.file(TASK_SCHEMA, patienceMs);
    const window = editorWindow(new StoredList(store.parts(file), store.path), url);
    const close = async () => {
      await window.queue.stop();
      await file.close();
      const db = new DatabaseSync(store.path, { readOnly: true });
      const rows = db.prepare('SELECT * FROM tasks ORDER BY key').all().map(readRow);
      db.close();
      return rows.map(({ phase }) => phase.kind);
    };
    return { window, close };
  }

  it('while imports are being marked as sent leaves them queued, as nothing of them has left', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const { window, close } = closing(store, server.url);
    const begin = window.list.begin.bind(window.list);
    const { promise: closed, resolve } = Promise.withResolvers<string[]>();
    window.list.begin = (...args) => {
      const begun = begin(...args);
      resolve(close());
      return begun;
    };
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    assert.deepEqual([await closed, server.posts], [['queued'], 0]);
  });

  it('stores what could not be saved before, if it can be by then', async () => {
    await using store = await TemporaryStore.make();
    let lock: StoreLock | undefined;
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      lock = lockStore(store);
      await taking(peer, count);
    });
    const { window, close } = closing(store, server.url, 50);
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => window.list.hasUnsaved);
    lock?.release();
    assert.deepEqual(await close(), ['accepted']);
  });

  it('while imports are being queued sends none of them', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    const adding = window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await window.queue.stop();
    await adding;
    assert.deepEqual([server.posts, phases(await known(store.list()))], [0, ['queued']]);
  });
});

describe('An import that another window sends', () => {
  it('is canceled from this one: what waits is not sent, what is being sent stops', async () => {
    await using store = await TemporaryStore.make();
    let isStuck = true;
    await using server = await RawServer.start(async (peer, count) => {
      if (isStuck) await peer.readToEnd();
      else await taking(peer, count);
    });
    using sender = editorWindow(store.list(), server.url, { allowed: () => 1 });
    await sender.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
    await until(() => server.posts === 1);
    using other = editorWindow(store.list(), server.url);
    await takeTurn(other);
    await other.queue.cancel(({ source }) => source?.name !== 'b.txt');
    isStuck = false;
    await takeTurn(sender);
    await until(() => sender.queue.progress === undefined);
    assert.deepEqual(phases(await known(other.list)), ['unconfirmed', 'accepted', 'notSent']);
    assert.equal(server.posts, 2);
  });
});

describe('To begin an import', () => {
  const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED, source: sourceOf('a') };

  it('is granted once, and only to the window that serves its destination', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [{ key } = { key: 0 }] = await here.add([newTask(facts)]);
    await there.sync();
    const begun = await Promise.all([there.begin(key, 'B 1'), here.begin(key, 'A 1'), here.begin(key, 'A 2')]);
    assert.deepEqual(begun, [false, true, false]);
    assert.deepEqual(phases(await known(store.list())), ['sending']);
  });

  it('writes down before what was not saved yet, so that it does not come over it later', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list(() => NOON, 50);
    const [{ key } = { key: 0 }] = await list.add([newTask(facts)]);
    const lock = lockStore(store);
    await list.change(key, { phase: QUEUED, checkedMs: NOON }, always);
    lock.release();
    assert.equal(await list.begin(key, 'A 1'), true);
    await list.sync();
    assert.deepEqual([phases(list), phases(await known(store.list()))], [['sending'], ['sending']]);
  });

  it('is not granted where it is gone from the store', async () => {
    await using store = await TemporaryStore.make();
    const here = store.list();
    const [{ key } = { key: 0 }] = await here.add([newTask(facts)]);
    const db = new DatabaseSync(store.path);
    db.exec(`UPDATE revisions SET latest = latest + 1; DELETE FROM tasks;
      INSERT INTO removals SELECT latest, ${key} FROM revisions`);
    db.close();
    assert.equal(await here.begin(key, 'A 1'), false);
    assert.deepEqual([here.held, (await known(store.list())).held], [[], []]);
  });

  it('is not granted to a window that slept until another served its destination', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [{ key } = { key: 0 }] = await here.add([newTask(facts)]);
    forgetWindows(store);
    await takeTurn({ list: there, serving: servingOf(there, new HandClock()) });
    assert.deepEqual([await here.begin(key, 'A 1'), await there.begin(key, 'B 1')], [false, true]);
  });

  it('is not granted in a store that was begun anew meanwhile', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [{ key } = { key: 0 }] = await list.add([newTask(facts)]);
    await servingOf(list, new HandClock()).updateLeases();
    damage(store);
    assert.equal(await list.begin(key, 'A 1'), false);
    assert.deepEqual(phases(await known(store.list())), []);
  });
});

function damage({ path }: TemporaryStore): void {
  writeFileSync(path, 'not a database. '.repeat(999));
}
