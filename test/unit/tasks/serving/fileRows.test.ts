import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderBatch } from '../../../../src/tasks/folderBatch';
import { checkFile } from '../../../../src/tasks/sending/checkedSource';
import { moveRows } from '../../../../src/tasks/serving/movedFiles';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import { type Peer, RawServer } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { earlierContents } from '../comparing/earlierContents';
import { type EditorParts, editorWindow } from '../editorWindow';
import { HandClock } from '../handClock';
import { always, TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const BOOKS = { dataset: 'Books', origin: undefined };
const rejecting = answering(response('400 Bad Request', 'no'));
const done = ({ queue }: EditorParts) => until(() => queue.progress === undefined);

/** A service that rejects each file whose text says so. */
async function readingServer(): Promise<RawServer> {
  return RawServer.start(async (peer: Peer, count) => {
    await peer.readRequest();
    await (peer.received.includes('bad text') ? rejecting : taking)(peer, count);
  });
}

/** Writes files of a folder, and gives what is to be imported of it. */
async function filesIn(store: TemporaryStore, folder: string, texts: Readonly<Record<string, string>>) {
  mkdirSync(store.files.at(folder).path, { recursive: true });
  const files = await Promise.all(
    Object.entries(texts).map(([name, text]) => store.files.write(`${folder}/${name}`, text)),
  );
  return Promise.all(files.map(({ path, relativePath }) => checkFile(path, relativePath)));
}

function rowsOf({ list }: EditorParts): string[] {
  const row = ({ source, phase, earlier }: TrackedTask) =>
    `${source?.name} ${phase.kind}${earlier === undefined ? '' : ', earlier in'}`;
  return list.held.map(row).sort();
}

describe('A file', () => {
  const batchOf = (store: TemporaryStore, folder: string) =>
    folderBatch(BOOKS, store.files.at(folder).path, folder.split('/').at(-1) ?? '');

  it('of a folder that is imported again and again has one row, in one batch, which heals', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    using window = editorWindow(store.list(), server.url);
    const add = async (texts: Readonly<Record<string, string>>) => {
      await window.queue.add(await filesIn(store, 'docs', texts), 'Books', batchOf(store, 'docs'));
      await done(window);
    };
    await add({ 'a.md': 'good', 'b.md': 'bad text', 'c.md': 'good' });
    const keys = window.list.held.map(({ key }) => key).sort();
    assert.deepEqual(rowsOf(window), ['a.md accepted', 'b.md rejected', 'c.md accepted']);
    await add({ 'a.md': 'good and new', 'b.md': 'mended', 'd.md': 'new' });
    rmSync(store.files.at('docs/d.md').path);
    await add({ 'a.md': 'bad text', 'e.md': 'new' });
    assert.deepEqual(rowsOf(window), [
      'a.md rejected, earlier in',
      'b.md accepted',
      'c.md accepted',
      'd.md accepted',
      'e.md accepted',
    ]);
    const rows = window.list.held;
    assert.equal(new Set(rows.map(({ batch }) => batch?.id)).size, 1);
    assert.deepEqual(
      rows
        .map(({ key }) => key)
        .sort()
        .slice(0, 3),
      keys,
    );
  });

  it('of a folder keeps its row over edits, a failure, a rename and a removal of another row between the imports', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock });
    const { list } = window;
    const add = async (texts: Readonly<Record<string, string>>) => {
      clock.advance(1000);
      const checked = await filesIn(store, 'docs', texts);
      const { earlier, known } = await earlierContents(list, checked, BOOKS);
      await moveRows(list, earlier, known, BOOKS, batchOf(store, 'docs'));
      await window.queue.add(checked, 'Books', batchOf(store, 'docs'));
      await done(window);
      return new Map(list.held.map(({ source, key }) => [source?.name, key]));
    };
    const first = await add({
      'edited.md': 'as it was',
      'failed.md': 'fails there',
      'renamed.md': 'moves',
      'gone.md': 'x',
    });
    const report = { status: 'BAD', meaning: 'failed', progress: undefined, message: undefined, from: {} } as const;
    await list.change(first.get('failed.md') ?? 0, { phase: { kind: 'accepted', report } }, always);
    await list.remove([first.get('gone.md') ?? 0]);
    renameSync(store.files.at('docs/renamed.md').path, store.files.at('docs/after.md').path);
    const second = await add({ 'edited.md': 'bad text', 'failed.md': 'mended', 'after.md': 'moves', 'gone.md': 'x' });
    assert.deepEqual(
      ['edited.md', 'failed.md', 'after.md'].map((name) => second.get(name)),
      ['edited.md', 'failed.md', 'renamed.md'].map((name) => first.get(name)),
    );
    assert.notEqual(second.get('gone.md'), first.get('gone.md'));
    await add({ 'edited.md': 'mended too', 'failed.md': 'mended', 'after.md': 'moves', 'gone.md': 'x' });
    assert.deepEqual(rowsOf(window), [
      'after.md accepted, earlier in',
      'edited.md accepted, earlier in',
      'failed.md accepted, earlier in',
      'gone.md accepted, earlier in',
    ]);
    assert.equal((await list.history.runs(batchOf(store, 'docs').id)).length, 3);
  });

  it('of a folder is known to be in the dataset, though its row was cleared before the folder is imported again', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    using window = editorWindow(store.list(), server.url);
    const { list } = window;
    const files = await filesIn(store, 'docs', { 'a.md': 'good', 'b.md': 'bad text' });
    await window.queue.add(files, 'Books', batchOf(store, 'docs'));
    await done(window);
    await list.remove(list.held.map(({ key }) => key));
    const { earlier: found } = await earlierContents(list, files, BOOKS);
    assert.deepEqual([...found.keys()], files.slice(0, 1));
    await window.queue.add(files, 'Books', batchOf(store, 'docs'));
    await done(window);
    assert.deepEqual(rowsOf(window), ['a.md accepted', 'b.md rejected']);
  });

  it('that is imported again has what became of it before in its timeline, and nothing of it in its row', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    using window = editorWindow(store.list(), server.url);
    const [file] = await filesIn(store, 'docs', { 'a.md': 'good' });
    assert.ok(file);
    await window.queue.add([file], 'Books');
    await done(window);
    writeFileSync(file.source.path, 'bad text');
    await window.queue.add([await checkFile(file.source.path, 'docs/a.md')], 'Books');
    await done(window);
    const [task] = window.list.held;
    assert.ok(task);
    assert.deepEqual([task.phase.kind, task.taskId, task.hasImportResponse], ['rejected', undefined, false]);
    assert.equal(task.earlier?.taskId, '"T1"');
    const timeline = await window.list.history.timeline(task.key);
    assert.deepEqual(
      timeline.map((entry) => (entry.kind === 'taskId' ? entry.taskId : entry.kind)),
      ['queued', 'sending', 'accepted', '"T1"', 'queued', 'sending', 'rejected'],
    );
  });

  it('alone, in its folder and in a folder of that is one row, in the batch of the outermost folder', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    using window = editorWindow(store.list(), server.url);
    const at = (folder: string) => folderBatch(BOOKS, store.files.at(folder).path, folder);
    const files = await filesIn(store, 'docs/sub', { 'a.md': 'good', 'b.md': 'good' });
    const batches = async () => {
      await done(window);
      return [...new Set(window.list.held.map(({ batch }) => batch?.label))];
    };
    await window.queue.add(files.slice(0, 1), 'Books');
    assert.deepEqual(await batches(), [undefined]);
    await window.queue.add(files, 'Books', at('docs/sub'));
    assert.deepEqual(await batches(), ['docs/sub']);
    await window.queue.add(files, 'Books', at('docs'));
    assert.deepEqual(await batches(), ['docs']);
    // What is in a folder that was imported whole stays in its batch, and joins it.
    await window.queue.add(files, 'Books', at('docs/sub'));
    await window.queue.add(await filesIn(store, 'docs/other', { 'c.md': 'good' }), 'Books');
    assert.deepEqual(await batches(), ['docs']);
    assert.equal(window.list.held.length, 3);
  });

  it('that is reached through a link is the same one, under the name that it was chosen by', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    using window = editorWindow(store.list(), server.url);
    const files = await filesIn(store, 'docs', { 'a.md': 'good' });
    await window.queue.add(files, 'Books', batchOf(store, 'docs'));
    await done(window);
    const [folder, link] = [store.files.at('docs').path, store.files.at('link').path];
    symlinkSync(folder, link);
    symlinkSync(join(folder, 'a.md'), store.files.at('b.md').path);
    for (const linked of [join(link, 'a.md'), store.files.at('b.md').path]) {
      await window.queue.add([await checkFile(linked, 'linked.md')], 'Books');
      await done(window);
    }
    const rows = window.list.held.map(({ source, batch }) => [source?.name, source?.relativePath, batch?.label]);
    assert.deepEqual(rows, [['b.md', 'linked.md', 'docs']]);
    assert.equal(server.peers.filter(({ received }) => received.includes('filename="b.md"')).length, 1);
  });

  it('that is being imported is not begun again', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start((peer) => peer.readToEnd());
    using window = editorWindow(store.list(), server.url);
    const files = await filesIn(store, 'docs', { 'a.md': 'good' });
    await window.queue.add(files, 'Books');
    await until(() => server.posts === 1);
    const run = await window.queue.add(files, 'Books');
    assert.deepEqual([run.progress.total, run.alreadyImporting, window.list.held.length], [0, 1, 1]);
    await window.queue.cancel();
  });

  it('keeps what its dataset has accepted in mind, whatever comes of the next import', async () => {
    await using store = await TemporaryStore.make();
    await using server = await readingServer();
    using window = editorWindow(store.list(), server.url);
    const [file] = await filesIn(store, 'docs', { 'a.md': 'good' });
    assert.ok(file);
    await window.queue.add([file], 'Books');
    await done(window);
    writeFileSync(file.source.path, 'bad text, and longer');
    await window.queue.add([await checkFile(file.source.path, 'docs/a.md')], 'Books');
    await done(window);
    const kept = await window.list.store.contents.ofSame([{ sizeBytes: 4, path: file.source.path }]);
    assert.deepEqual(
      kept.map(({ source, state, taskId }) => [source.sizeBytes, state, taskId]),
      [[4, 'waiting', '"T1"']],
    );
  });
});
