import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import type { Outcome } from '../../../src/service/outcome';
import { type CheckedFile, type Destination, Importer, type ImportResult } from '../../../src/tasks/importer';
import type { TaskList } from '../../../src/tasks/taskList';
import { LEASE_MS } from '../../../src/tasks/taskStore';
import { answer, answering, TAKEN, taking } from '../service/answers';
import { RawServer, type Script } from '../service/rawServer';
import { target, wire } from '../service/wire';
import { NOON, TemporaryStore } from './temporaryStore';
import { until } from './until';

function importerTo(list: TaskList, now = () => NOON): Importer {
  return new Importer(wire(), list, now);
}

function to(server: RawServer): Destination {
  return { dataset: 'Books', target: target(server.url) };
}

async function checked(store: TemporaryStore, importer: Importer, ...names: string[]): Promise<CheckedFile[]> {
  const files = await Promise.all(names.map((name) => store.files.write(name)));
  return Promise.all(files.map(({ path, relativePath }) => importer.check(path, relativePath)));
}

async function all(results: AsyncIterable<ImportResult>): Promise<ImportResult[]> {
  const collected: ImportResult[] = [];
  for await (const result of results) collected.push(result);
  return collected;
}

const going = () => new AbortController().signal;

describe('Importer.check', () => {
  const faults: Record<string, (file: string) => void> = {
    missing: () => {},
    folder: (file) => mkdirSync(file),
    empty: (file) => writeFileSync(file, ''),
    binary: (file) => writeFileSync(file, 'PK\u0003\u0004\0\0'),
  };
  for (const [reason, make] of Object.entries(faults)) {
    it(`names a file that is ${reason}, and begins no task`, async () => {
      await using store = await TemporaryStore.make();
      const file = store.files.at('a.txt');
      make(file.path);
      const checking = importerTo(store.list()).check(file.path, file.relativePath);
      await assert.rejects(checking, { name: 'SourceError', reason, fileName: 'a.txt' });
      assert.deepEqual(await store.read(), []);
    });
  }

  it('gives name, size and both paths of a good one', async () => {
    await using store = await TemporaryStore.make();
    const file = await store.files.write('a.txt', 'Grüße');
    const { path, relativePath } = file;
    assert.deepEqual(await importerTo(store.list()).check(path, relativePath), {
      path,
      relativePath,
      name: 'a.txt',
      sizeBytes: 7,
    });
  });
});

describe('An import', () => {
  it('stands in the store before the service gets a byte of it', async () => {
    await using store = await TemporaryStore.make();
    const seen: unknown[] = [];
    await using server = await RawServer.start(async (peer, count) => {
      for (const { source, phase } of await store.read()) seen.push([peer.received.length, source?.name, phase.kind]);
      await taking(peer, count);
    });
    const importer = importerTo(store.list());
    await all(importer.import(await checked(store, importer, 'a.txt'), to(server), going()));
    assert.deepEqual(seen, [[0, 'a.txt', 'sending']]);
  });

  it('that cannot be put into the store sends nothing', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const importer = importerTo(store.list());
    const files = await checked(store, importer, 'a.txt', 'b.txt');
    writeFileSync(path.dirname(store.path), 'a file in the place of the folder');
    await assert.rejects(all(importer.import(files, to(server), going())), { name: 'StoreError', reason: 'unusable' });
    assert.equal(server.peers.length, 0);
  });

  it('of which the store fails when the answer comes keeps the id in memory and is saved later', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const folder = path.dirname(store.path);
    await using server = await RawServer.start(async (peer, count) => {
      // A lock that stays: held by a connection of this very process.
      const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync(path.join(folder, 'tasks.sqlite'));
      db.exec('BEGIN EXCLUSIVE');
      await taking(peer, count);
      await until(() => list.tasks[0]?.taskId !== undefined);
      db.exec('COMMIT');
      db.close();
    });
    const importer = importerTo(list);
    const files = await checked(store, importer, 'a.txt');
    const [result] = await all(importer.import(files, to(server), going()));
    assert.equal(result?.outcome.kind, 'accepted');
    await list.sync();
    assert.equal((await store.read())[0]?.taskId, '"T1"');
  });

  const REFUSED = '{"code":"17","message":"no such dataset","data":{"id":9007199254740993123}}';
  const ends: Record<
    string,
    { script: Script; phase: Outcome<unknown>['kind']; lastAnswer?: string; taskId?: string; idAt?: string }
  > = {
    'an answer with an id': { script: taking, phase: 'accepted', lastAnswer: TAKEN, taskId: '"T1"', idAt: '/taskId' },
    'an answer with a numeric id of 19 digits': {
      script: answering(answer('200 OK', '{"code":"0","message":null,"data":{"id":9007199254740993123}}')),
      phase: 'accepted',
      lastAnswer: '{"code":"0","message":null,"data":{"id":9007199254740993123}}',
      taskId: '9007199254740993123',
      idAt: '/id',
    },
    'an answer without an id': {
      script: answering(answer('200 OK', '{"code":"0","message":null,"data":{"queued":true}}')),
      phase: 'accepted',
      lastAnswer: '{"code":"0","message":null,"data":{"queued":true}}',
    },
    'another code': { script: answering(answer('200 OK', REFUSED)), phase: 'rejected', lastAnswer: REFUSED },
    'a 404 of a web server': { script: answering(answer('404 Not Found', '<h1>nothing here</h1>')), phase: 'rejected' },
    'a 502 of a gateway': { script: answering(answer('502 Bad Gateway', '<h1>later</h1>')), phase: 'unconfirmed' },
    'a connection that breaks off after the body': {
      script: async (peer) => {
        await peer.readRequest();
        peer.reset();
      },
      phase: 'unconfirmed',
    },
  };
  for (const [how, { script, phase, lastAnswer, taskId, idAt }] of Object.entries(ends)) {
    it(`with ${how} is ${phase} in the store, the answer kept`, async () => {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(script);
      const list = store.list();
      const importer = importerTo(list, () => NOON + 1);
      const [result] = await all(importer.import(await checked(store, importer, 'a.txt'), to(server), going()));
      const [task] = await store.read();
      assert.deepEqual([result?.outcome.kind, task?.phase.kind], [phase, phase]);
      assert.deepEqual([task?.lastAnswer, task?.taskId, task?.checkedMs], [lastAnswer, taskId, NOON + 1]);
      assert.deepEqual(task?.taskIdFrom, idAt === undefined ? undefined : { pointer: idAt, how: 'recognised' });
      assert.equal(task?.importAnswer, phase === 'accepted' ? lastAnswer : undefined);
      assert.equal(task?.key, result?.task.key);
      assert.equal(list.progress(task?.key ?? 0), undefined);
    });
  }

  it('that reaches nobody is not sent', async () => {
    await using store = await TemporaryStore.make();
    const server = await RawServer.start(taking);
    const destination = to(server);
    await server.close();
    const importer = importerTo(store.list());
    await all(importer.import(await checked(store, importer, 'a.txt'), destination, going()));
    const [task] = await store.read();
    assert.equal(task?.phase.kind === 'notSent' && task.phase.failure.name, 'ConnectError');
  });

  it('of a file that is gone by then is not sent, and the next one goes on', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const importer = importerTo(store.list());
    const [good] = await checked(store, importer, 'b.txt');
    assert.ok(good);
    const gone = { ...good, ...store.files.at('a.txt'), name: 'a.txt' };
    const results = await all(importer.import([gone, good], to(server), going()));
    assert.deepEqual(
      results.map(({ outcome }) => outcome.kind),
      ['notSent', 'accepted'],
    );
    assert.equal(server.posts, 1);
  });

  it('that is stopped is recorded as such, and the rest is neither sent nor recorded', async () => {
    await using store = await TemporaryStore.make();
    const stop = new AbortController();
    await using server = await RawServer.start(async (peer) => {
      await peer.readRequest();
      stop.abort();
      await peer.readToEnd();
    });
    const importer = importerTo(store.list());
    const files = await checked(store, importer, 'a.txt', 'b.txt', 'c.txt');
    const results = await all(importer.import(files, to(server), stop.signal));
    assert.equal(results.length, 1);
    assert.equal(server.peers.length, 1);
    const tasks = await store.read();
    assert.deepEqual(
      tasks.map(({ source, phase }) => [source?.name, phase.kind, 'failure' in phase && phase.failure.name]),
      [['a.txt', 'unconfirmed', 'CancelledError']],
    );
  });

  it('tells how many bytes have left', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const importer = importerTo(store.list());
    const sent: number[] = [];
    const files = await checked(store, importer, 'a.txt');
    await all(importer.import(files, to(server), going(), (bytes) => sent.push(bytes)));
    assert.equal(sent.at(-1), server.request.body.length);
  });
});

describe('The lease of an import', () => {
  // Only the importer's own rhythm is driven by hand.
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('is renewed as long as it takes, even where others begin and end all the while', async () => {
    await using store = await TemporaryStore.make();
    let now = NOON;
    const list = store.list(() => now);
    const importer = importerTo(list, () => now);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using server = await RawServer.start(async (peer, count) => {
      if (count === 1) await released;
      await taking(peer, count);
    });
    const [long, short] = await checked(store, importer, 'long.txt', 'short.txt');
    assert.ok(long && short);
    const sendingLong = all(importer.import([long], to(server), going()));
    await until(() => server.peers.length === 1);
    for (let passed = 0; passed < 3 * LEASE_MS; passed += LEASE_MS / 6) {
      now += LEASE_MS / 6;
      mock.timers.tick(LEASE_MS / 6);
      await all(importer.import([short], to(server), going()));
    }
    const states = (await store.read(() => now)).map(({ source, phase }) => `${source?.name} ${phase.kind}`);
    assert.ok(states.includes('long.txt sending'), states.join());
    release();
    await sendingLong;
    importer.dispose();
  });

  it('ends with it: nothing is written any more', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const list = store.list();
    const importer = importerTo(list);
    await all(importer.import(await checked(store, importer, 'a.txt'), to(server), going()));
    let renewals = 0;
    list.renewLeases = async () => {
      renewals++;
    };
    mock.timers.tick(3 * LEASE_MS);
    assert.equal(renewals, 0);
  });
});
