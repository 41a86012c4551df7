import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CheckedSource, checkText } from '../../../../src/tasks/sending/checkedSource';
import { Sources } from '../../../../src/tasks/sending/sources';
import type { QueueDeps } from '../../../../src/tasks/serving/importQueue';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { Phase } from '../../../../src/tasks/trackedTask';
import { RawServer } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { type EditorParts, editorWindow, takeTurn } from '../editorWindow';
import { sharedFiles } from '../sharedFiles';
import { goneWindow, NOON, SENDING, TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';

const BYTES = Buffer.from('\uFEFFGrüße');
const DAY = 86_400_000;
const rejecting = answering(response('400 Bad Request', 'no'));
const done = ({ queue }: EditorParts) => until(() => queue.progress === undefined);

function textNamed(name: string): Promise<CheckedSource> {
  return checkText({ name, path: name, relativePath: name }, BYTES);
}

/** A window with the folder for texts. */
function windowOf(store: TemporaryStore, server: RawServer, list = store.list(), facts: Partial<QueueDeps> = {}) {
  return editorWindow(list, server.url, { sources: new Sources(store.texts, sharedFiles), ...facts });
}

/** The files of texts that there are. */
function filesIn({ texts }: TemporaryStore): string[] {
  return existsSync(texts) ? readdirSync(texts) : [];
}

/** Tracks a text in a phase; returns its file, which is as old as said. */
async function textIn(phase: Phase, ageMs: number, store: TemporaryStore, list: TaskList): Promise<string> {
  const text = await textNamed('Untitled-1');
  assert.ok('bytes' in text);
  const add = () => list.add([taskOf({ source: text.source, phase })]);
  await new Sources(store.texts, sharedFiles).withTexts([text], add);
  return aged(store, text.source.textFile, ageMs);
}

/** Makes the file of a text as old as said; returns its name. */
function aged({ texts }: TemporaryStore, file = '', ageMs = 0): string {
  const seconds = (NOON - ageMs) / 1000;
  utimesSync(path.join(texts, file), seconds, seconds);
  return file;
}

describe('A text without a file', () => {
  it('is in a file that only its owner can read until it is accepted, and is sent as it is under its own name', async () => {
    await using store = await TemporaryStore.make();
    const modes: unknown[] = [];
    const kept: Buffer[] = [];
    await using server = await RawServer.start(async (peer, count) => {
      for (const file of [store.texts, ...filesIn(store).map((name) => path.join(store.texts, name))]) {
        modes.push((statSync(file).mode & 0o777).toString(8));
        if (file !== store.texts) kept.push(readFileSync(file));
      }
      await taking(peer, count);
    });
    using window = windowOf(store, server);
    const run = await window.queue.add([await textNamed('Untitled-1')], 'Books');
    await done(window);
    assert.deepEqual(kept, [BYTES]);
    if (process.platform !== 'win32') assert.deepEqual(modes, ['700', '600']);
    assert.match(server.request.body.toString(), /filename="Untitled-1"/);
    assert.ok(server.request.body.includes(BYTES));
    assert.equal(run.results[0]?.end.kind, 'accepted');
    await until(() => filesIn(store).length === 0);
  });

  it('is sent whole by the next window where its own is gone', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const gone = windowOf(
      store,
      server,
      store.list(() => NOON, undefined, goneWindow()),
      {
        findTarget: async () => undefined,
      },
    );
    await gone.queue.add([await textNamed('Untitled-1')], 'Books');
    gone.queue.dispose();
    using window = windowOf(store, server);
    await takeTurn(window);
    await until(() => window.ended.length > 0);
    assert.ok(server.request.body.includes(BYTES));
    assert.deepEqual([server.posts, window.list.held[0]?.phase.kind], [1, 'accepted']);
    await until(() => filesIn(store).length === 0);
  });

  it('that was rejected can be sent again by any window', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start((peer, count) => (count === 1 ? rejecting : taking)(peer, count));
    using here = windowOf(store, server);
    using there = windowOf(store, server);
    await here.queue.add([await textNamed('Untitled-1')], 'Books');
    await done(here);
    assert.equal(filesIn(store).length, 1);
    await there.queue.retry(here.list.held);
    await done(there);
    assert.ok(server.request.body.includes(BYTES));
    assert.equal(there.list.held[0]?.phase.kind, 'accepted');
    await until(() => filesIn(store).length === 0);
  });

  it('whose file is gone is not sent, and it is said that it was not found', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const list = store.list();
    await textIn({ kind: 'notSent', failure: { name: 'CanceledError', detail: '' } }, 0, store, list);
    rmSync(store.texts, { recursive: true });
    using window = windowOf(store, server, list);
    await window.queue.retry(list.held);
    await done(window);
    const [{ phase } = assert.fail()] = list.held;
    assert.ok(phase.kind === 'notSent' && phase.failure.name === 'SourceError');
    assert.deepEqual([phase.failure.reason, phase.failure.fileName, server.posts], ['missing', 'Untitled-1', 0]);
  });

  it('loses its file once its task is removed, by any window, and not where that stays', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(rejecting);
    using here = windowOf(store, server);
    using there = windowOf(store, server);
    await here.queue.add([await textNamed('Untitled-1'), await textNamed('Untitled-2')], 'Books');
    await done(here);
    const [stays, goes] = here.list.held;
    assert.ok(stays && goes);
    await there.list.remove([goes.key]);
    await there.sources.deleteUnneeded([stays.source, goes.source], there.list.history);
    assert.deepEqual(filesIn(store), [stays.source?.textFile]);
  });

  it('is not queued, nor any file beside it, where it cannot be written; what was written goes', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = windowOf(store, server);
    const [first, second] = [await textNamed('Untitled-1'), await textNamed('Untitled-2')];
    // Nothing can be written in place of a folder.
    mkdirSync(path.join(store.texts, second.source.textFile ?? ''), { recursive: true });
    await assert.rejects(window.queue.add([first, second], 'Books'), {
      name: 'StoreError',
      reason: 'unusable',
      path: store.texts,
    });
    assert.deepEqual(await store.read(), []);
    assert.deepEqual(filesIn(store), [second.source.textFile]);
  });

  it('leaves no file where it cannot be queued', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = windowOf(store, server);
    await window.list.loaded();
    window.list.add = async () => {
      assert.equal(filesIn(store).length, 1);
      throw new Error('no');
    };
    await assert.rejects(window.queue.add([await textNamed('Untitled-1')], 'Books'), /no/);
    assert.deepEqual(filesIn(store), []);
  });
});

describe('The sweep of texts', () => {
  it('deletes what no import needs a day after it was written', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const failure = { name: 'CanceledError', detail: '' } as const;
    const needed = await Promise.all([
      textIn({ kind: 'queued' }, 2 * DAY, store, list),
      textIn(SENDING, 2 * DAY, store, list),
      textIn({ kind: 'notSent', failure }, 2 * DAY, store, list),
      textIn({ kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } }, 2 * DAY, store, list),
      textIn({ kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 }, 2 * DAY, store, list),
    ]);
    await textIn({ kind: 'accepted', report: undefined }, 2 * DAY, store, list);
    for (const [name, ageMs] of Object.entries({ young: DAY - 1000, old: DAY + 1000 })) {
      writeFileSync(path.join(store.texts, name), BYTES);
      aged(store, name, ageMs);
    }
    await new Sources(store.texts, sharedFiles).sweep(list.history, NOON);
    assert.deepEqual(filesIn(store), [...needed, 'young'].sort());
  });

  it('makes neither a folder nor a task database', async () => {
    await using store = await TemporaryStore.make();
    await new Sources(store.texts, sharedFiles).sweep(store.list().history, NOON);
    assert.deepEqual([existsSync(store.texts), existsSync(store.path)], [false, false]);
  });
});
