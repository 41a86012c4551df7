import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LEASE_MS } from '../../../../src/tasks/leases/windowLease';
import { readRow } from '../../../../src/tasks/rows/taskRow';
import { TaskList } from '../../../../src/tasks/store/taskList';
import { TASK_SCHEMA } from '../../../../src/tasks/store/taskSchema';
import { newTask, type TrackedTask, wasNotAccepted } from '../../../../src/tasks/trackedTask';
import { type Peer, RawServer } from '../../service/rawServer';
import { response, TAKEN, taking } from '../../service/responses';
import { editorWindow, filesOf } from '../editorWindow';
import { HandClock } from '../handClock';
import { leasesIn } from '../leasesIn';
import { OtherProcess } from '../otherProcess';
import { always, asStored, goneWindow, NOON, sourceOf, TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const QUEUED = { kind: 'queued' } as const;
const phases = (list: TaskList) => list.held.map(({ phase }) => phase.kind).reverse();

/** Queues files in a window that is gone. */
async function leave(store: TemporaryStore, count: number): Promise<readonly TrackedTask[]> {
  const files = await filesOf(store, ...Array.from({ length: count }, (_, index) => `${index}.txt`));
  const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED };
  return store.list(() => NOON, undefined, goneWindow()).add(files.map(({ source }) => newTask({ ...facts, source })));
}

/** The names of the files that a server was sent, in order. */
function namesSent({ peers }: RawServer): string[] {
  return peers.flatMap(({ received }) => /filename="([^"]*)"/.exec(received.toString('latin1'))?.[1] ?? []).sort();
}

async function known(list: TaskList): Promise<TaskList> {
  await list.sync();
  return list;
}

describe('The queue of a window that is gone', () => {
  it('is gone on with by another, as one run, under the same keys', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const left = await leave(store, 3);
    using window = editorWindow(store.list(), server.url);
    await window.list.sync();
    await until(() => window.ended.length > 0);
    assert.equal(server.posts, 3);
    assert.deepEqual(
      window.ended.map((run) => [run.isAdopted, run.keys]),
      [[true, left.map(({ key }) => key)]],
    );
    assert.deepEqual(phases(await known(store.list())), ['accepted', 'accepted', 'accepted']);
  });

  it('is told of as one, with what the window was sending when it was closed', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const gone = store.list(() => NOON, undefined, goneWindow());
    const files = await filesOf(store, 'a.txt', 'b.txt', 'c.txt');
    const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED };
    const [first] = await gone.add(files.map(({ source }) => newTask({ ...facts, source })));
    assert.ok(await gone.begin(first?.key ?? 0));
    using window = editorWindow(store.list(), server.url);
    await window.list.sync();
    await until(() => window.ended.length > 0);
    assert.deepEqual(
      window.ended.map(({ results }) => results.map(({ end }) => end.kind).toSorted()),
      [['accepted', 'accepted', 'unconfirmed']],
    );
  });

  it('is told of though all of it was being sent', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const gone = store.list(() => NOON, undefined, goneWindow());
    const [file] = await filesOf(store, 'a.txt');
    const source = file?.source;
    const [task] = await gone.add([newTask({ dataset: 'Books', createdMs: NOON, phase: QUEUED, source })]);
    assert.ok(await gone.begin(task?.key ?? 0));
    using window = editorWindow(store.list(), server.url);
    await window.list.sync();
    assert.deepEqual(
      window.ended.map(({ results }) => results.map(({ end }) => end.kind)),
      [['unconfirmed']],
    );
    assert.equal(server.posts, 0);
  });

  it('is sent once by two windows that find it at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(taking);
      await leave(store, 8);
      using one = editorWindow(store.list(), server.url);
      using two = editorWindow(store.list(), server.url);
      await Promise.all([one.list.sync(), two.list.sync()]);
      await until(() => one.queue.progress === undefined && two.queue.progress === undefined);
      assert.deepEqual(
        namesSent(server),
        Array.from({ length: 8 }, (_, index) => `${index}.txt`),
      );
    }
  });

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
    const adopted = await Promise.all([one.go(), two.go()]);
    assert.deepEqual(adopted.toSorted(), [0, 19]);
    assert.deepEqual(namesSent(server), names);
    const list = await known(store.list());
    assert.deepEqual(phases(list).toSorted(), [...Array(16).fill('accepted'), ...Array(4).fill('unconfirmed')]);
  });

  it('is gone on with though the store fails right after it was taken over', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    await leave(store, 2);
    const parts = store.parts();
    const taskStore = parts.tasks;
    const allFor = taskStore.allFor.bind(taskStore);
    let asked = 0;
    taskStore.allFor = (...held) => (++asked === 1 ? Promise.reject(new Error('locked')) : allFor(...held));
    using window = editorWindow(new TaskList(parts), server.url);
    await assert.rejects(window.list.sync(), /locked/);
    await window.list.sync();
    await until(() => window.ended.length === 1);
    assert.equal(server.posts, 2);
  });

  it('is taken over together with a store that is set aside meanwhile: what is known here stays known', async () => {
    await using store = await TemporaryStore.make();
    const parts = store.parts();
    const taskStore = parts.tasks;
    const list = new TaskList(parts);
    const followed = newTask({ dataset: 'Books', createdMs: NOON, phase: { kind: 'accepted', report: undefined } });
    const [mine] = await list.add([followed]);
    await leave(store, 1);
    const adopt = taskStore.adoptAbandoned.bind(taskStore);
    taskStore.adoptAbandoned = async () => {
      const adopted = await adopt();
      writeFileSync(store.path, 'not a database. '.repeat(999));
      return adopted;
    };
    await list.sync();
    assert.ok(mine && list.get(mine.key), 'in memory');
    assert.ok((await known(store.list())).get(mine.key), 'and in the store');
  });

  it('stays with a window that is alive', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    await here.add([newTask({ dataset: 'Books', createdMs: NOON, phase: QUEUED, source: sourceOf('a') })]);
    there.events.on('adopted', () => assert.fail('It is not left.'));
    await there.sync();
    assert.equal(there.held[0]?.owner, here.held[0]?.owner);
  });
});

/** Lets every window count as gone for the others, as one does that has slept past its lease. */
function forgetWindows({ path }: TemporaryStore): void {
  const db = new DatabaseSync(path);
  db.exec('DELETE FROM windows');
  db.close();
}

describe('A window that slept in the middle of a batch until another took it over', () => {
  for (const what of ['cancels all of it', 'sees its connections die'] as const) {
    it(`changes nothing of what the other has sent, when it ${what}`, async () => {
      await using store = await TemporaryStore.make();
      const peers: Peer[] = [];
      await using stuck = await RawServer.start(async (peer, count) => {
        if (count === 1) return taking(peer, count);
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
      await other.list.sync();
      await until(() => other.queue.progress === undefined);
      const before = (await known(store.list())).held;

      if (what === 'cancels all of it') await sleeper.queue.cancel();
      else for (const peer of peers) peer.reset();
      await sleeper.list.sync();
      await until(() => sleeper.queue.progress === undefined);
      assert.deepEqual((await known(store.list())).held, before);
      assert.deepEqual(asStored(sleeper.list.held), asStored(before));
      assert.deepEqual(phases(sleeper.list).toSorted(), [
        ...Array(12).fill('accepted'),
        ...Array(8).fill('unconfirmed'),
      ]);
      assert.deepEqual([server.posts, stuck.posts], [11, 9]);
      assert.deepEqual(
        sleeper.ended.flatMap(({ results }) => results.map(({ end }) => end.kind)),
        ['accepted'],
        'it tells nothing of the others',
      );
    });
  }
});

describe('A window that closes in the middle of a batch', () => {
  it('has stored what it has shown, and the ends of what was under way, and leaves the rest queued', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      if (count > 8) await released;
      peer.send(response('200 OK', TAKEN));
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
    const window = editorWindow(new TaskList(store.parts(file)), url);
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
    window.list.begin = (key) => {
      const begun = begin(key);
      resolve(close());
      return begun;
    };
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    assert.deepEqual([await closed, server.posts], [['queued'], 0]);
  });

  it('stores what could not be saved before, if it can be by then', async () => {
    await using store = await TemporaryStore.make();
    let lock: DatabaseSync | undefined;
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      lock = new DatabaseSync(store.path);
      lock.exec('BEGIN EXCLUSIVE');
      await taking(peer, count);
    });
    const { window, close } = closing(store, server.url, 50);
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => window.list.hasUnsaved);
    lock?.close();
    assert.deepEqual(await close(), ['accepted']);
  });

  it('while imports are being queued sends none of them', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    let begun = 0;
    const findTarget = async () => {
      begun += 1;
      return undefined;
    };
    using window = editorWindow(store.list(), server.url, { findTarget });
    const adding = window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await window.queue.stop();
    await adding;
    assert.deepEqual([begun, phases(await known(store.list()))], [0, ['queued']]);
  });
});

describe('An import of another window', () => {
  it('is canceled by that window when this one asks it to, and only then', async () => {
    await using store = await TemporaryStore.make();
    let isStuck = true;
    await using server = await RawServer.start(async (peer, count) => {
      if (isStuck) await peer.readToEnd();
      else await taking(peer, count);
    });
    using owner = editorWindow(store.list(), server.url, { allowed: () => 1 });
    await owner.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
    await until(() => server.posts === 1);
    const watcher = await known(store.list());
    const [c, , a] = watcher.held;
    assert.ok(a && c);
    await watcher.requestCancel([a.key, c.key]);
    isStuck = false;
    await owner.list.takeOver();
    await until(() => owner.queue.progress === undefined);
    assert.deepEqual(phases(await known(watcher)), ['unconfirmed', 'accepted', 'notSent']);
    assert.equal(server.posts, 2);
  });

  it('that ended before it was asked for is not canceled when it is sent anew', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using owner = editorWindow(store.list(), server.url);
    const [file] = await filesOf(store, 'a.txt');
    assert.ok(file);
    const failure = { name: 'CanceledError', detail: '' } as const;
    const { source } = file;
    const [task] = await owner.list.add([newTask({ dataset: 'Books', createdMs: NOON, phase: QUEUED, source })]);
    assert.ok(task);
    await (await known(store.list())).requestCancel([task.key]);
    await owner.list.changeOurs(task.key, { phase: { kind: 'notSent', failure } });
    await owner.queue.retry([task.key]);
    await owner.list.takeOver();
    await until(() => owner.queue.progress === undefined);
    assert.deepEqual([phases(owner.list), server.posts], [['accepted'], 1]);
  });
});

describe('To begin an import', () => {
  const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED, source: sourceOf('a') };

  it('is granted once, and only to the window that owns it', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [{ key } = { key: 0 }] = await here.add([newTask(facts)]);
    await there.sync();
    assert.deepEqual(await Promise.all([there.begin(key), here.begin(key), here.begin(key)]), [false, true, false]);
    assert.deepEqual(phases(await known(store.list())), ['sending']);
  });

  it('writes down before what was not saved yet, so that it does not come over it later', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list(() => NOON, 50);
    const [{ key } = { key: 0 }] = await list.add([newTask(facts)]);
    const db = new DatabaseSync(store.path);
    db.exec('BEGIN EXCLUSIVE');
    await list.change(key, { phase: QUEUED, checkedMs: NOON }, always);
    db.exec('COMMIT');
    db.close();
    assert.equal(await list.begin(key), true);
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
    assert.equal(await here.begin(key), false);
    assert.deepEqual([here.held, (await known(store.list())).held], [[], []]);
  });

  it('is granted in a store that was begun anew meanwhile', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [{ key } = { key: 0 }] = await list.add([newTask(facts)]);
    writeFileSync(store.path, 'not a database. '.repeat(999));
    assert.equal(await list.begin(key), true);
    assert.deepEqual(phases(await known(store.list())), ['sending']);
  });

  it('is not granted to a window that slept until another took its queue', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [{ key } = { key: 0 }] = await here.add([newTask(facts)]);
    const db = new DatabaseSync(store.path);
    db.exec('DELETE FROM windows');
    db.close();
    await there.sync();
    assert.deepEqual([await here.begin(key), await there.begin(key)], [false, true]);
  });
});

describe('A store that was set aside while two windows import', () => {
  it('leaves each its own imports, as they are', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED };
    const untitled = sourceOf('Untitled-1', { from: 'text' });
    await here.add([newTask({ ...facts, source: untitled }), newTask({ ...facts, source: sourceOf('a.txt') })]);
    await there.sync();
    const [file, text] = here.held;
    assert.ok(file && text);
    await here.begin(file.key);
    for (const list of [here, there]) list.events.on('adopted', () => assert.fail('Nobody has left.'));
    writeFileSync(store.path, 'not a database. '.repeat(999));
    // The window that knows less, and nothing of the other one's process, comes first.
    for (const list of [there, there, here, there]) await list.sync();
    assert.deepEqual(
      [phases(here), phases(there)],
      [
        ['queued', 'sending'],
        ['queued', 'sending'],
      ],
    );
    assert.deepEqual(asStored(there.held), asStored(here.held));
  });
});

describe('A store that was set aside while a window did not look for long', () => {
  const facts = { dataset: 'Books', createdMs: NOON, phase: QUEUED };
  const damage = ({ path }: TemporaryStore) => writeFileSync(path, 'not a database. '.repeat(999));
  const failures = (list: TaskList) =>
    list.held.map(({ phase }) => ('failure' in phase ? phase.failure.name : phase.kind)).reverse();

  /** One window queues a file and sleeps; another takes it over and sends it. */
  async function sentByAnother(store: TemporaryStore, now: () => number) {
    const [sleeper, other] = [store.list(now), store.list(now)];
    const [{ key } = { key: 0 }] = await sleeper.add([newTask({ ...facts, source: sourceOf('a.txt') })]);
    forgetWindows(store);
    await other.sync();
    assert.equal(await other.begin(key), true);
    await other.changeOurs(key, { phase: { kind: 'accepted', report: undefined }, checkedMs: NOON });
    return { sleeper, other, key };
  }

  it('lets nothing be sent again that another window has sent meanwhile', async () => {
    await using store = await TemporaryStore.make();
    let now = NOON;
    const { sleeper, other, key } = await sentByAnother(store, () => now);
    now += LEASE_MS;
    damage(store);
    await other.sync();
    assert.equal(await sleeper.begin(key), false);
    assert.deepEqual([phases(sleeper), phases(await known(other))], [['accepted'], ['accepted']]);
  });

  it('leaves as unconfirmed what nobody remembers who may have sent it', async () => {
    await using store = await TemporaryStore.make();
    let now = NOON;
    const { sleeper, key } = await sentByAnother(store, () => now);
    now += LEASE_MS;
    damage(store);
    await store.list(() => now).sync();
    assert.equal(await sleeper.begin(key), false);
    assert.deepEqual([failures(sleeper), failures(await known(store.list()))], [['StoreSetAside'], ['StoreSetAside']]);
  });

  it('lets nothing be sent on the word of a window that has only seen it queued, once the one that had it is gone', async () => {
    await using store = await TemporaryStore.make();
    let now = NOON;
    const [owner, watcher] = [store.list(() => now), store.list(() => now)];
    const [{ key } = { key: 0 }] = await owner.add([newTask({ ...facts, source: sourceOf('a.txt') })]);
    await watcher.sync();
    assert.equal(await owner.begin(key), true);
    await owner.changeOurs(key, { phase: { kind: 'accepted', report: undefined }, checkedMs: NOON });
    damage(store);
    for (let third = 0; third <= 3; third++) {
      await watcher.sync();
      now += LEASE_MS / 3;
    }
    assert.deepEqual(failures(await known(watcher)), ['WindowClosed']);
  });

  it('counts and tells what is unconfirmed by that at the end of its run', async () => {
    await using store = await TemporaryStore.make();
    const clock = new HandClock();
    let sleptMs = 0;
    await using server = await RawServer.start(async (peer) => {
      if (!(await peer.readRequest())) return;
      sleptMs += LEASE_MS;
      damage(store);
      await store.list().sync();
      peer.send(response('200 OK', TAKEN));
      await peer.readToEnd();
    });
    using window = editorWindow(
      store.list(() => clock.now() + sleptMs),
      server.url,
      { clock, allowed: () => 1 },
    );
    await window.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
    await until(() => window.queue.progress === undefined);
    assert.deepEqual(
      window.ended.map(({ results }) => results.map(({ end }) => end.kind).toSorted()),
      [['accepted', 'unconfirmed', 'unconfirmed']],
    );
    assert.deepEqual([failures(window.list), server.posts], [['accepted', 'StoreSetAside', 'StoreSetAside'], 1]);
    await until(() => leasesIn(store) === 0);
  });

  it('keeps the end that comes while a window puts what it remembers into the new one', async () => {
    await using store = await TemporaryStore.make();
    const parts = store.parts();
    const taskStore = parts.tasks;
    const [here, there] = [new TaskList(parts), store.list()];
    const [{ key } = { key: 0 }] = await here.add([newTask({ ...facts, source: sourceOf('a.txt') })]);
    await here.begin(key);
    await there.sync();
    damage(store);
    await there.sync();
    const restore = taskStore.restore.bind(taskStore);
    let ended: Promise<boolean> | undefined;
    taskStore.restore = (...remembered) => {
      ended ??= here.changeOurs(key, { phase: { kind: 'accepted', report: undefined }, checkedMs: NOON });
      return restore(...remembered);
    };
    await here.sync();
    assert.equal(await ended, true);
    await here.sync();
    assert.deepEqual([phases(here), phases(await known(there))], [['accepted'], ['accepted']]);
  });
});

describe('The lease of a window with imports to send', () => {
  const queued = newTask({ dataset: 'Books', createdMs: NOON, phase: QUEUED, source: sourceOf('a') });
  const notSent = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } } as const;

  it('is removed only once no window has an import to send', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [store.list(), store.list()];
    const [mine] = await here.add([queued]);
    const [theirs] = await there.add([queued]);
    assert.ok(mine && theirs);
    await here.change(mine.key, { phase: notSent }, always);
    await here.clearUnusedLeases();
    assert.equal(leasesIn(store), 2);
    await there.change(theirs.key, { phase: notSent }, always);
    await here.clearUnusedLeases();
    assert.equal(leasesIn(store), 0);
  });

  it('begins with an import that is put back into the queue', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await list.add([{ ...queued, phase: notSent }]);
    assert.equal(leasesIn(store), 0);
    assert.equal((await list.requeue([task?.key ?? 0], wasNotAccepted)).length, 1);
    assert.equal(leasesIn(store), 1);
  });

  it('is not needed for tasks that are only followed', async () => {
    await using store = await TemporaryStore.make();
    await store
      .list()
      .add([newTask({ dataset: 'Books', createdMs: NOON, phase: { kind: 'accepted', report: undefined } })]);
    assert.equal(leasesIn(store), 0);
  });
});

describe('Looking for imports that were left', () => {
  it('makes no store where there is none', async () => {
    await using store = await TemporaryStore.make();
    await store.list().takeOver();
    assert.equal(existsSync(store.path), false);
  });

  it('finds those of a window that is gone in a store that is opened for that', async () => {
    await using store = await TemporaryStore.make();
    await leave(store, 2);
    const list = store.list();
    await list.takeOver();
    assert.deepEqual(phases(list), ['queued', 'queued']);
    assert.ok(list.held.every((task) => list.isOurs(task)));
  });
});
