import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../../../../src/service/response/outcome';
import type { QueueDeps } from '../../../../src/tasks/serving/importQueue';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type Peer, RawServer, type Script } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { target } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf, takeTurn } from '../editorWindow';
import { HandClock } from '../handClock';
import { lockStore, type StoreLock } from '../storeLock';
import { always, asStored, NOON, TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const done = ({ queue }: EditorParts) => until(() => queue.progress === undefined);
const phases = (list: TaskList) => list.held.map(({ phase }) => phase.kind).reverse();
const failures = (list: TaskList) =>
  list.held.map(({ phase }) => ('failure' in phase ? phase.failure.name : phase.kind)).reverse();

/** Runs the scripts in turn, then accepts everything. */
function inTurn(...scripts: Script[]): Script {
  return (peer, count) => (scripts[count - 1] ?? taking)(peer, count);
}

/** Accepts the first import, which is sent alone, and runs the script for the others. */
function afterOne(script: Script): Script {
  return (peer, count) => (count === 1 ? taking : script)(peer, count);
}

/** Delays all responses until they are released. */
function holding(): { readonly script: Script; release(): void; readonly most: number } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let [open, most] = [0, 0];
  const script: Script = async (peer, count) => {
    if (!(await peer.readRequest())) return;
    open += 1;
    most = Math.max(most, open);
    await released;
    open -= 1;
    await taking(peer, count);
  };
  return {
    script,
    release,
    get most() {
      return most;
    },
  };
}

const tenNames = Array.from({ length: 10 }, (_, index) => `${index}.txt`);
const BUSY = response('429 Too Many Requests', '{"code":"9","message":"later","data":null}', 'Retry-After: 7');

describe('An import', () => {
  it('is stored as sending before the service gets its first byte', async () => {
    await using store = await TemporaryStore.make();
    const seen: unknown[] = [];
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readBytes(1);
      for (const { source, phase } of await store.read()) seen.push([source?.name, phase.kind]);
      await taking(peer, count);
    });
    using window = editorWindow(store.list(), server.url);
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await done(window);
    assert.deepEqual(seen, [['a.txt', 'sending']]);
  });

  it('is stored as queued while it connects, and nothing is sent before it is stored as sending', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list(() => NOON, 50);
    await using server = await RawServer.start(async (peer) => peer.readToEnd());
    const clock = new HandClock();
    using window = editorWindow(list, server.url, { clock });
    const files = await filesOf(store, 'a.txt');
    let lock: StoreLock | undefined;
    window.serving.events.once('turn', () => {
      lock = lockStore(store);
    });
    await window.queue.add(files, 'Books');
    await until(() => window.troubles.length === 1);
    assert.deepEqual([server.peers.length, server.received.length, phases(list)], [1, 0, ['queued']]);
    lock?.release();
    assert.deepEqual(phases(await readList(store)), ['queued']);
    await window.queue.cancel();
  });

  it('is sent over another connection after a pause if the first one closes before anything was sent', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(inTurn(async (peer) => peer.readToEnd()));
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock });
    let lock: StoreLock | undefined;
    window.serving.events.once('turn', () => {
      lock = lockStore(store);
    });
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => server.peers.length === 1);
    server.peers[0]?.end();
    await until(() => server.peers[0]?.socket.destroyed === true);
    lock?.release();
    await until(() => window.pausedUntilMs !== undefined);
    assert.equal(server.peers.length, 1);
    clock.advance(1000);
    await done(window);
    assert.deepEqual([server.posts, server.peers.length], [1, 2]);
    const [task] = window.list.held;
    assert.deepEqual(
      task?.attempts.map(({ end, sentBytes }) => [end.kind, sentBytes > 0]),
      [
        ['notSent', false],
        ['accepted', true],
      ],
    );
  });

  it('is sent again after a 429, even if the store was locked when that arrived', async () => {
    await using store = await TemporaryStore.make();
    const clock = new HandClock();
    const list = store.list(() => NOON, 50);
    const unsaved: unknown[] = [];
    list.events.on('unsaved', (error) => unsaved.push(error));
    let lock: StoreLock | undefined;
    const busyAndLocked: Script = async (peer) => {
      await peer.readRequest();
      lock = lockStore(store);
      peer.send(BUSY);
      await peer.readToEnd();
    };
    await using server = await RawServer.start(inTurn(busyAndLocked));
    using window = editorWindow(list, server.url, { clock });
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => unsaved.length === 1);
    lock?.release();
    await until(() => window.pausedUntilMs !== undefined);
    clock.advance(7000);
    await done(window);
    assert.deepEqual([server.posts, phases(list)], [2, ['accepted']]);
    await isStored(store, list);
  });

  const REFUSED = '{"code":"17","message":"no such dataset","data":{"id":9007199254740993123}}';
  const ends: Record<
    string,
    { script: Script; phase: Outcome<unknown>['kind']; lastResponse?: string; taskId?: string; idAt?: string }
  > = {
    'an answer with a numeric id of 19 digits': {
      script: answering(response('200 OK', '{"code":"0","message":null,"data":{"id":9007199254740993123}}')),
      phase: 'accepted',
      lastResponse: '{"code":"0","message":null,"data":{"id":9007199254740993123}}',
      taskId: '9007199254740993123',
      idAt: '/id',
    },
    'an answer without an id': {
      script: answering(response('200 OK', '{"code":"0","message":null,"data":{"queued":true}}')),
      phase: 'accepted',
      lastResponse: '{"code":"0","message":null,"data":{"queued":true}}',
    },
    'another code': { script: answering(response('200 OK', REFUSED)), phase: 'rejected', lastResponse: REFUSED },
  };
  for (const [how, { script, phase, lastResponse, taskId, idAt }] of Object.entries(ends)) {
    it(`that gets ${how} is stored as ${phase} with the response and the attempt, and was sent once`, async () => {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(script);
      using window = editorWindow(store.list(), server.url);
      const run = await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
      await done(window);
      const [task] = await store.read();
      assert.deepEqual([run.results[0]?.end.kind, task?.phase.kind], [phase, phase]);
      const responses = await store.responses(task?.key ?? 0);
      assert.deepEqual([responses.lastResponse, task?.taskId, task?.checkedMs], [lastResponse, taskId, NOON]);
      assert.deepEqual(task?.taskIdFrom, idAt === undefined ? undefined : { pointer: idAt, how: 'recognized' });
      assert.equal(responses.importResponse, phase === 'accepted' ? lastResponse : undefined);
      assert.deepEqual([task?.key], [run.results[0]?.key]);
      assert.deepEqual(
        task?.attempts.map(({ end, sentBytes }) => [end.kind, sentBytes]),
        [[phase, server.request.body.length]],
      );
      assert.equal(window.list.progress(task?.key ?? 0), undefined);
      assert.equal(server.posts, 1);
    });
  }

  it('has the SHA-256 and size of the bytes that were sent, even if the file grew after it was checked', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    const files = await filesOf(store, 'a.txt');
    const now = await store.files.write('a.txt', `more than there was ${'x'.repeat(3_000_000)}`);
    await window.queue.add(files, 'Books');
    await done(window);
    const { source } = (await store.read())[0] ?? {};
    const sent = `more than there was ${'x'.repeat(3_000_000)}`;
    assert.ok(server.request.body.includes(sent));
    assert.equal(source?.path, now.path);
    assert.equal(source?.sizeBytes, sent.length);
    assert.equal(source?.sha256, createHash('sha256').update(sent).digest('hex'));
  });

  it('shares one read of the access key with the others until the key may have changed', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    let asked = 0;
    const findTarget = async () => {
      asked += 1;
      return target(server.url);
    };
    using window = editorWindow(store.list(), server.url, { findTarget, allowed: () => 2 });
    window.queue.events.on('change', () => {
      if (server.posts >= 4 && asked === 1) void window.queue.targetsChanged();
    });
    await window.queue.add(await filesOf(store, ...Array.from({ length: 9 }, (_, index) => `${index}.txt`)), 'Books');
    await done(window);
    assert.equal(server.posts, 9);
    assert.equal(asked, 2);
  });

  for (const [how, findTarget] of Object.entries<QueueDeps['findTarget']>({
    'is no longer known': async () => undefined,
    'has a key that cannot be read': () => Promise.reject(new Error('no key ring')),
  })) {
    it(`whose dataset ${how} waits until it can be sent`, async () => {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(taking);
      let find = findTarget;
      using window = editorWindow(store.list(), server.url, { findTarget: (dataset) => find(dataset) });
      await window.queue.add(await filesOf(store, 'a.txt', 'b.txt'), 'Books');
      await until(() => window.queue.progress?.pause?.reason.kind === 'noTarget');
      assert.deepEqual([phases(window.list), server.peers.length], [['queued', 'queued'], 0]);
      find = async () => target(server.url);
      await window.queue.targetsChanged();
      await done(window);
      assert.deepEqual(phases(window.list), ['accepted', 'accepted']);
    });
  }
});

describe('The import queue', () => {
  it('sends a few files at a time, in order', async () => {
    await using store = await TemporaryStore.make();
    const hold = holding();
    await using server = await RawServer.start(afterOne(hold.script));
    using window = editorWindow(store.list(), server.url, { allowed: () => 3 });
    await window.queue.add(await filesOf(store, ...tenNames), 'Books');
    await until(() => server.posts === 4);
    await until(() => phases(window.list)[0] === 'accepted');
    assert.deepEqual(phases(window.list), ['accepted', ...Array(3).fill('sending'), ...Array(6).fill('queued')]);
    assert.equal(window.queue.progress?.total, 10);
    hold.release();
    await done(window);
    assert.deepEqual([hold.most, server.posts], [3, 10]);
    const sentBytes = window.list.held.reduce((sum, { source }) => sum + (source?.sizeBytes ?? 0), 0);
    assert.equal(window.ended.length, 1);
    assert.deepEqual(window.ended[0]?.progress, { ended: 10, total: 10, sentBytes, totalBytes: sentBytes });
  });

  it('sends several files at once if the service accepted one before, even after the window gave up its lease', async () => {
    await using store = await TemporaryStore.make();
    const held = holding();
    await using server = await RawServer.start(afterOne(held.script));
    using window = editorWindow(store.list(), server.url);
    const turns: number[] = [];
    window.serving.events.on('turn', (state) => turns.push(state.held.size));
    const [first] = (await window.queue.add(await filesOf(store, 'a.txt'), 'Books')).keys;
    await done(window);
    const report = { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from: {} } as const;
    await window.list.change(first ?? 0, { phase: { kind: 'accepted', report } }, always);
    await takeTurn(window);
    assert.equal(turns.at(-1), 0);
    await window.queue.add(await filesOf(store, 'b.txt', 'c.txt', 'd.txt'), 'Books');
    await until(() => held.most === 3);
    held.release();
    await done(window);
    assert.deepEqual(phases(window.list), Array(4).fill('accepted'));
  });

  it('that is canceled closes open connections immediately, and ends waiting imports as not uploaded', async () => {
    await using store = await TemporaryStore.make();
    const closed: Peer[] = [];
    await using server = await RawServer.start(async (peer) => {
      await peer.readRequest();
      await peer.readToEnd();
      closed.push(peer);
    });
    using window = editorWindow(store.list(), server.url, { allowed: () => 1 });
    await window.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
    await until(() => server.posts === 1 && window.list.held.some(({ phase }) => phase.kind === 'sending'));
    await window.queue.cancel();
    await done(window);
    await until(() => closed.length === 1);
    assert.deepEqual(phases(window.list), ['unconfirmed', 'notSent', 'notSent']);
    assert.deepEqual(failures(window.list), Array(3).fill('CanceledError'));
    await isStored(store, window.list);
    assert.deepEqual([server.posts, window.ended.length], [1, 1]);
  });

  it('announces a pause once, when it is longer than ten seconds', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    await server.close();
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock });
    const paused: [string, number][] = [];
    window.queue.events.on('paused', ({ dataset }, { untilMs }) => paused.push([dataset, untilMs]));
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    for (let count = 0; count < 7; count++) {
      await until(() => window.pausedUntilMs !== undefined);
      clock.advance((window.pausedUntilMs ?? 0) - clock.monotonicMs());
    }
    assert.deepEqual(paused, [['Books', 750 + 1500 + 3000 + 6000 + 12_000]]);
    await window.queue.cancel();
  });

  it('keeps everything queued if the access key is rejected, and continues with a new key', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(inTurn(answering(response('401 Unauthorized', ''))));
    let accessKey = target(server.url).accessKey;
    const findTarget = async () => ({ ...target(server.url), accessKey });
    using window = editorWindow(store.list(), server.url, { findTarget });
    const paused: string[] = [];
    window.queue.events.on('paused', (_, { reason }) => paused.push(reason.kind));
    const shown: (string | undefined)[] = [];
    window.queue.events.on('pausesChanged', () => shown.push(window.queue.progress?.pause?.reason.kind));
    await window.queue.add(await filesOf(store, ...tenNames), 'Books');
    await until(() => paused.length === 1);
    await window.queue.targetsChanged();
    assert.deepEqual([paused, window.pausedUntilMs], [['badKey'], Number.POSITIVE_INFINITY]);
    assert.deepEqual([server.posts, phases(window.list)], [1, Array(10).fill('queued')]);
    accessKey = 'another-key-000';
    await window.queue.targetsChanged();
    await done(window);
    assert.deepEqual([server.posts, phases(window.list)], [11, Array(10).fill('accepted')]);
    assert.deepEqual(shown, [undefined, 'badKey', undefined]);
  });

  it('stops after three files that were rejected alike or are unconfirmed, until the user continues', async () => {
    for (const [status, kind] of [
      ['400 Bad Request', 'rejected'],
      ['502 Bad Gateway', 'unconfirmed'],
    ] as const) {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(answering(response(status, '')));
      const clock = new HandClock();
      using window = editorWindow(store.list(), server.url, { clock, allowed: () => 8 });
      await window.queue.add(await filesOf(store, ...tenNames), 'Books');
      await until(() => {
        if (Number.isFinite(window.pausedUntilMs)) clock.advance((window.pausedUntilMs ?? 0) - clock.monotonicMs());
        return window.pausedUntilMs === Number.POSITIVE_INFINITY && !phases(window.list).includes('sending');
      });
      assert.deepEqual([server.posts, phases(window.list)], [3, [...Array(3).fill(kind), ...Array(7).fill('queued')]]);
      await window.queue.tryNow();
      await until(() => server.posts >= 4);
      await window.queue.cancel();
    }
  });

  it('uploads a failed file again in its own row', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(inTurn(answering(response('404 Not Found', ''))));
    using window = editorWindow(store.list(), server.url, { allowed: () => 1 });
    await window.queue.add(await filesOf(store, 'a.txt', 'b.txt'), 'Books');
    await done(window);
    assert.deepEqual(phases(window.list), ['rejected', 'accepted']);
    const keys = window.list.held.map(({ key }) => key);
    await window.queue.retry(window.list.held.filter(({ phase }) => phase.kind === 'rejected'));
    await done(window);
    assert.deepEqual(phases(window.list), ['accepted', 'accepted']);
    assert.deepEqual(
      window.list.held.map(({ key }) => key),
      keys,
    );
    assert.deepEqual([server.posts, window.ended.map(({ keys: { length } }) => length)], [3, [2, 1]]);
  });

  it('skips a rejected file that is retried after another retry of it ended unconfirmed', async () => {
    await using store = await TemporaryStore.make();
    const lost: Script = async (peer) => {
      await peer.readRequest();
      peer.socket.resetAndDestroy();
    };
    await using server = await RawServer.start(inTurn(answering(response('404 Not Found', '')), lost, taking));
    using window = editorWindow(store.list(), server.url);
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await done(window);
    const rejected = [...window.list.held];
    await window.queue.retry(rejected);
    await done(window);
    assert.deepEqual(phases(window.list), ['unconfirmed']);
    assert.deepEqual(await window.queue.retry(rejected), []);
    await done(window);
    assert.equal(server.posts, 2);
    await window.queue.retry(window.list.held);
    await done(window);
    assert.deepEqual([server.posts, phases(window.list)], [3, ['accepted']]);
  });

  it('does not let another window remove a row that is being sent', async () => {
    await using store = await TemporaryStore.make();
    const hold = holding();
    await using server = await RawServer.start(inTurn(answering(response('404 Not Found', '')), hold.script));
    using window = editorWindow(store.list(), server.url);
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await done(window);
    const there = await readList(store);
    const [{ key = 0 } = {}] = there.held;
    await window.queue.retry(window.list.held);
    await until(() => server.posts === 2);
    assert.deepEqual(
      (await there.remove([key])).map(({ phase }) => phase.kind),
      ['sending'],
    );
    assert.deepEqual(phases(there), ['sending']);
    hold.release();
    await done(window);
    assert.deepEqual(phases(window.list), ['accepted']);
    await isStored(store, window.list);
  });

  it('does not send imports that were deleted from the store', async () => {
    await using store = await TemporaryStore.make();
    const hold = holding();
    await using server = await RawServer.start(hold.script);
    using window = editorWindow(store.list(), server.url, { allowed: () => 1 });
    await window.queue.add(await filesOf(store, 'a.txt', 'b.txt'), 'Books');
    await until(() => server.posts === 1);
    const db = new DatabaseSync(store.path);
    db.exec(`UPDATE revisions SET latest = latest + 1;
      INSERT INTO removals SELECT latest, key FROM tasks, revisions WHERE state = 'queued';
      DELETE FROM tasks WHERE state = 'queued'`);
    db.close();
    hold.release();
    await done(window);
    assert.deepEqual(
      [server.posts, phases(window.list), phases(await readList(store))],
      [1, ['accepted'], ['accepted']],
    );
    assert.equal(window.ended[0]?.results.length, 1);
  });

  it('that is disposed of starts nothing, including retries of failed connections', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    await server.close();
    const clock = new HandClock();
    const window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
    await window.queue.add(await filesOf(store, 'a.txt', 'b.txt'), 'Books');
    await until(() => window.pausedUntilMs !== undefined);
    window.queue.dispose();
    await server.listenAgain();
    assert.equal(clock.alarms, 0);
    clock.advance(60_000);
    assert.deepEqual([server.peers.length, phases(await readList(store))], [0, ['queued', 'queued']]);
    await server.close();
  });

  it('sends to one dataset while another one is paused', async () => {
    await using store = await TemporaryStore.make();
    await using busy = await RawServer.start(answering(BUSY));
    await using server = await RawServer.start(taking);
    const findTarget = async (name: string) => target(name === 'Busy' ? busy.url : server.url);
    using window = editorWindow(store.list(), server.url, { findTarget });
    await window.queue.add(await filesOf(store, 'a.txt'), 'Busy');
    await until(() => window.pausedUntilMs !== undefined);
    await window.queue.add(await filesOf(store, 'b.txt'), 'Books');
    assert.equal(window.pausedUntilMs, undefined);
    await until(() => window.ended.length === 1);
    assert.notEqual(window.pausedUntilMs, undefined);
    assert.deepEqual(phases(window.list), ['queued', 'accepted']);
    await window.queue.cancel();
  });
});

async function readList(store: TemporaryStore): Promise<TaskList> {
  const list = store.list();
  await list.loaded();
  return list;
}

/** Asserts that the store has exactly what the window shows. */
async function isStored(store: TemporaryStore, { held }: TaskList): Promise<void> {
  assert.deepEqual(asStored(await store.read()), asStored(held));
}
