import assert from 'node:assert/strict';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { RawServer, type Script } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { HandClock } from '../handClock';
import { lockStore } from '../storeLock';
import { always, TemporaryStore } from '../temporaryStore';
import { type FollowingWindow, followingWindow, passUntil } from './followingWindow';
import { refresh } from './refresherOf';

const status = (word: string) =>
  answering(response('200 OK', `{"code":"0","message":null,"data":{"status":"${word}"}}`));
const running = status('RUNNING');
const silent: Script = async (peer) => {
  await peer.readRequest();
  await peer.readToEnd();
};

/** Says these one after another, to one request each; the last one to all that come after. */
function inTurn(...scripts: Script[]): Script {
  return (peer, count) => (scripts[count - 1] ?? scripts.at(-1) ?? running)(peer, count);
}

/** Says the same to all, and keeps which access keys and task IDs came. */
function noting(asked: string[], script: Script = running): Script {
  return async (peer, count) => {
    await peer.readRequest();
    const text = peer.received.toString();
    asked.push(`${/access-key: (\S+)/i.exec(text)?.[1]} ${/"taskId":"(\w+)"/.exec(text)?.[1]}`);
    await script(peer, count);
  };
}

function now({ list }: FollowingWindow, { key }: TrackedTask): TrackedTask {
  return list.get(key) ?? assert.fail('The task is gone.');
}

/** How many changes the store has seen. */
function revision(store: TemporaryStore): Promise<number> {
  return store.file().read((db) => Number(db.prepare('SELECT latest FROM revisions').get()?.['latest']));
}

describe('Follower', () => {
  let store: TemporaryStore;
  let clock: HandClock;

  beforeEach(async () => {
    store = await TemporaryStore.make();
    clock = new HandClock();
  });

  afterEach(() => store[Symbol.asyncDispose]());

  it('checks a task until it ends, even if no view is visible, and not after that', async () => {
    await using server = await RawServer.start(inTurn(running, status('IN_LIMBO'), status('DONE')));
    await using witness = await RawServer.start(running);
    await using window = followingWindow({ store, clock, servers: { Books: server, Maps: witness } });
    const [task = assert.fail()] = await window.add('Books');
    await passUntil(clock, () => taskState(now(window, task)) === 'succeeded');
    await window.add('Maps');
    await passUntil(clock, () => witness.posts === 3);
    assert.deepEqual([server.posts, window.errors], [3, []]);
  });

  it('checks what is in the store when its window opens', async () => {
    await using server = await RawServer.start(status('DONE'));
    const facts = { store, clock, servers: { Books: server } };
    const before = followingWindow(facts);
    const [task = assert.fail()] = await before.add('Books');
    await before[Symbol.asyncDispose]();
    await using window = followingWindow(facts);
    await passUntil(clock, () => taskState(window.list.get(task.key) ?? task) === 'succeeded');
  });

  it('writes a response only if its report differs', async () => {
    const report = (percent: number, at: number) =>
      answering(
        response('200 OK', `{"code":"0","message":null,"data":{"status":"RUNNING","progress":${percent},"at":${at}}}`),
      );
    await using server = await RawServer.start(inTurn(report(10, 1), report(10, 2), report(10, 3), report(20, 4)));
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    const [task = assert.fail()] = await window.add('Books');
    await passUntil(clock, () => server.posts === 1 && now(window, task).checkedMs !== undefined);
    const [first, { checkedMs }] = [await revision(store), now(window, task)];
    await passUntil(clock, () => server.posts === 3);
    assert.deepEqual([await revision(store), now(window, task).checkedMs], [first, checkedMs]);
    await passUntil(clock, () => now(window, task).checkedMs !== checkedMs);
    assert.equal(await revision(store), first + 1);
  });

  it('records a failure only if a check 10 s later agrees, because some services go on from there', async () => {
    await using server = await RawServer.start(inTurn(status('FAILED'), running, status('FAILED')));
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    const [task = assert.fail()] = await window.add('Books');
    const states: [state: string, posts: number, atMs: number][] = [];
    window.list.events.on('change', () =>
      states.push([taskState(now(window, task)), server.posts, clock.monotonicMs()]),
    );
    await passUntil(clock, () => taskState(now(window, task)) === 'failed');
    assert.deepEqual(
      states.map(([state, posts]) => [state, posts]),
      [
        ['running', 2],
        ['failed', 4],
      ],
    );
    const [[, , runningMs = 0] = [], [, , failedMs = 0] = []] = states;
    assert.ok(failedMs - runningMs >= 10_000, `${failedMs - runningMs} ms`);
  });

  it('writes each different response while no status is recognized, because the user may map one', async () => {
    const page = (n: number) => answering(response('200 OK', `{"code":"0","message":null,"data":{"page_${n}":"x"}}`));
    await using server = await RawServer.start(inTurn(page(1), page(2), page(3)));
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    const [task = assert.fail()] = await window.add('Books');
    const isKept = async () =>
      (await window.list.history.responses(task.key)).lastResponse?.includes('page_3') ?? false;
    await passUntil(clock, isKept);
  });

  describe('in two windows', () => {
    it('checks from one of them, and shows the end in both', async () => {
      const asked: string[] = [];
      const ends = () => (asked.length > 12 ? status('DONE') : running);
      await using server = await RawServer.start(noting(asked, (peer, count) => ends()(peer, count)));
      const facts = { store, clock, servers: { Books: server } };
      await using one = followingWindow({ ...facts, accessKey: 'one' });
      await using other = followingWindow({ ...facts, accessKey: 'other' });
      const tasks = await one.add('Books', 3);
      await passUntil(clock, () =>
        [one, other].every(({ list }) =>
          tasks.every(({ key }) => taskState(list.get(key) ?? assert.fail()) === 'succeeded'),
        ),
      );
      assert.equal(new Set(asked.map((line) => line.split(' ')[0])).size, 1, asked.join());
    });

    it('continues from the other one if the first no longer renews its lease, even if its process runs', async () => {
      const asked: string[] = [];
      await using server = await RawServer.start(noting(asked));
      const hung = new HandClock();
      let sleptMs = 0;
      const sleepy = { now: hung.now, random: hung.random, monotonicMs: () => hung.monotonicMs() + sleptMs };
      const facts = { store, servers: { Books: server } };
      await using one = followingWindow({
        ...facts,
        clock: { ...sleepy, after: (ms, call) => hung.after(ms, call) },
        accessKey: 'one',
      });
      const [task = assert.fail()] = await one.add('Books');
      await passUntil(hung, () => asked.length === 1);
      await using _other = followingWindow({ ...facts, clock, accessKey: 'other' });
      await passUntil(clock, () => asked.length === 3);
      assert.deepEqual(
        asked.map((line) => line.split(' ')[0]),
        ['one', 'other', 'other'],
      );
      // The first one wakes up.
      sleptMs = 60_000;
      await passUntil(hung, () => one.follower.followingOf(task)?.by === 'otherWindow');
      assert.ok(asked.filter((line) => line.startsWith('one ')).length === 1, asked.join());
    });

    it('checks from the one that has a key, and from the other after that one lost it', async () => {
      const asked: string[] = [];
      await using server = await RawServer.start(noting(asked));
      const facts = { store, clock, servers: { Books: server } };
      await using one = followingWindow({ ...facts, accessKey: 'one' });
      one.lacksKey.add('Books');
      const [task = assert.fail()] = await one.add('Books');
      await using other = followingWindow({ ...facts, accessKey: 'other' });
      await passUntil(clock, () => asked.length === 2);
      await passUntil(clock, () => one.follower.followingOf(task)?.by === 'otherWindow');
      assert.equal(other.follower.followingOf(task)?.by, 'thisWindow');
      other.lacksKey.add('Books');
      one.lacksKey.clear();
      one.follower.endPauses();
      await passUntil(clock, () => asked.length === 4);
      assert.deepEqual(
        asked.map((line) => line.split(' ')[0]),
        ['other', 'other', 'one', 'one'],
      );
    });
  });

  it('takes no lease without a key, and checks as soon as there is one', async () => {
    await using server = await RawServer.start(running);
    await using witness = await RawServer.start(running);
    await using window = followingWindow({ store, clock, servers: { Books: server, Maps: witness } });
    window.lacksKey.add('Books');
    const [task = assert.fail()] = await window.add('Books');
    await window.add('Maps');
    await passUntil(clock, () => witness.posts === 3);
    assert.equal(server.peers.length, 0);
    assert.equal(window.follower.followingOf(task), undefined);
    window.lacksKey.clear();
    window.follower.endPauses();
    await passUntil(clock, () => server.posts === 1);
  });

  it('respects a pause that the service asked for, and checks another destination as usual', async () => {
    const tooMuch = answering(response('429 Too Many Requests', 'later', 'Retry-After: 60'));
    await using server = await RawServer.start(inTurn(tooMuch, running));
    await using witness = await RawServer.start(running);
    await using window = followingWindow({ store, clock, servers: { Books: server, Maps: witness } });
    const [task = assert.fail()] = await window.add('Books');
    await window.add('Maps');
    await passUntil(clock, () => window.refresher.checksOf(task).gate.checkPauseMs > 0);
    const [posts, before] = [server.posts, witness.posts];
    assert.equal(posts, 1);
    const untilMs = clock.monotonicMs() + window.refresher.checksOf(task).gate.checkPauseMs;
    const following = window.follower.followingOf(task);
    assert.ok(following?.by === 'thisWindow' && following.inMs > 50_000, JSON.stringify(following));
    await passUntil(clock, () => clock.monotonicMs() >= untilMs - 1000);
    assert.ok(witness.posts > before);
    assert.equal(server.posts, posts);
    await passUntil(clock, () => server.posts === 2);
  });

  it('is not delayed by a destination that does not respond', async () => {
    await using stuck = await RawServer.start(silent);
    await using healthy = await RawServer.start(inTurn(...Array.from({ length: 20 }, () => running), status('DONE')));
    await using window = followingWindow({ store, clock, servers: { Stuck: stuck, Healthy: healthy } });
    await window.add('Stuck', 10);
    const [task = assert.fail()] = await window.add('Healthy');
    await passUntil(clock, () => taskState(now(window, task)) === 'succeeded');
    assert.equal(stuck.posts, 4);
  });

  it('tries one task after another while nothing can be sent, and checks all when it works again', async () => {
    const asked: string[] = [];
    await using server = await RawServer.start(noting(asked));
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    const tasks = await window.add('Books', 20);
    await server.close();
    const tried = () => tasks.filter((task) => now(window, task).lastQueryError !== undefined).length;
    await passUntil(clock, () => tried() === 6);
    await server.listenAgain();
    await passUntil(clock, () => new Set(asked).size === 20 && tried() === 0);
  });

  it('checks each task in turn, even if the service allows only a few between its pauses', async () => {
    const asked: string[] = [];
    const tooMuch = answering(response('429 Too Many Requests', 'later'));
    await using server = await RawServer.start(
      noting(asked, (peer, count) => (count % 6 === 0 ? tooMuch : running)(peer, count)),
    );
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    await window.add('Books', 20);
    await passUntil(clock, () => new Set(asked).size === 20);
    assert.ok(asked.length < 60, `${asked.length} queries for 20 tasks`);
  });

  it('does not check a task whose results cannot be stored, until they can', async () => {
    await using server = await RawServer.start(inTurn(running, status('IN_LIMBO'), status('DONE')));
    await using witness = await RawServer.start(running);
    const facts = { store, clock, servers: { Books: server, Maps: witness }, patienceMs: 1 };
    await using window = followingWindow(facts);
    const [task = assert.fail()] = await window.add('Books');
    await window.add('Maps');
    await passUntil(clock, () => now(window, task).checkedMs !== undefined);
    using lock = lockStore(store);
    await passUntil(clock, () => window.list.isUnsaved(task.key));
    const [{ posts }, before] = [server, witness.posts];
    // Its lease is not renewed either, so that in the end nothing is asked.
    const isOver = () => window.follower.followingOf(task) === undefined;
    await passUntil(clock, () => witness.posts >= before + 3 || isOver());
    assert.equal(server.posts, posts);
    lock.release();
    await passUntil(clock, () => taskState(now(window, task)) === 'succeeded');
    assert.equal(server.posts, posts + 1);
  });

  it('counts a check by the user, and says when the next one is', async () => {
    await using server = await RawServer.start(running);
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    const [task = assert.fail()] = await window.add('Books');
    clock.advance(3_600_000);
    await passUntil(clock, () => now(window, task).checkedMs !== undefined);
    const inMs = () => {
      const following = window.follower.followingOf(task);
      return following?.by === 'thisWindow' ? following.inMs : assert.fail(JSON.stringify(following));
    };
    await passUntil(clock, () => inMs() < 30_000);
    await refresh(window.refresher, task);
    assert.equal(inMs(), 60_000);
    assert.equal(server.posts, 2);
  });

  it('cancels the checks in flight when its window closes, and stores nothing about them', async () => {
    await using server = await RawServer.start(silent);
    const window = followingWindow({ store, clock, servers: { Books: server } });
    const [task = assert.fail()] = await window.add('Books');
    await passUntil(clock, () => server.posts === 1);
    await window[Symbol.asyncDispose]();
    assert.deepEqual([now(window, task), window.errors], [task, []]);
    const left = await store.file().read((db) => db.prepare('SELECT * FROM leases').all());
    assert.deepEqual(left, []);
  });

  it('forgets a removed task, and checks a corrected id', async () => {
    const asked: string[] = [];
    await using server = await RawServer.start(noting(asked));
    await using window = followingWindow({ store, clock, servers: { Books: server } });
    const [gone = assert.fail(), corrected = assert.fail()] = await window.add('Books', 2);
    await passUntil(clock, () => asked.length === 2);
    await window.list.remove([gone.key]);
    const taskId = (await window.add('Books'))[0]?.taskId;
    await window.list.change(corrected.key, { taskId }, always);
    const before = asked.length;
    await passUntil(clock, () => asked.length >= before + 6);
    assert.deepEqual(new Set(asked.slice(before + 1).map((line) => line.split(' ')[1])), new Set(['T2']));
    assert.equal(window.follower.followingOf(gone), undefined);
  });
});
