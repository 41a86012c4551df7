import assert from 'node:assert/strict';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { folderBatch } from '../../../../src/tasks/folderBatch';
import { checkFile } from '../../../../src/tasks/sending/checkedSource';
import { moveRows } from '../../../../src/tasks/serving/movedFiles';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { Batch } from '../../../../src/tasks/trackedTask';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
import { earlierContents } from '../comparing/earlierContents';
import { type EditorParts, editorWindow, filesOf } from '../editorWindow';
import { type StoredList, TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const BOOKS = { dataset: 'Books', origin: undefined };

/** A window that has imported a file, in a store of its own. */
async function imported(store: TemporaryStore, server: RawServer): Promise<EditorParts> {
  const window = editorWindow(store.list(), server.url);
  await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
  await until(() => window.list.held.every(({ phase }) => phase.kind === 'accepted') && window.ended.length > 0);
  return window;
}

/** Looks for what was imported before, as an import of these files does, in this batch. */
async function find(list: StoredList, files: readonly string[], batch?: Batch): Promise<void> {
  const checked = await Promise.all(files.map((file) => checkFile(file, path.basename(file))));
  const { earlier, known } = await earlierContents(list, checked, BOOKS);
  await moveRows(list, earlier, known, BOOKS, batch);
}

/** Imports a folder of these files and moves it then; gives where it is, and the keys of its rows by name. */
async function movedFolder(store: TemporaryStore, window: EditorParts, texts: Readonly<Record<string, string>>) {
  const { queue, ended, list } = window;
  const folder = store.files.at('old').path;
  await mkdir(folder, { recursive: true });
  const files = Object.entries(texts).map(([name, text]) => store.files.write(`old/${name}`, text));
  const checked = (await Promise.all(files)).map((file) => checkFile(file.path, file.relativePath));
  await queue.add(await Promise.all(checked), 'Books', folderBatch(BOOKS, folder, 'old'));
  await until(() => ended.length === 1);
  const now = path.join(path.dirname(folder), 'new');
  await rename(folder, now);
  return { now, keys: keysByName(list) };
}

function keysByName(list: TaskList) {
  return new Map(list.held.map(({ source, key }) => [source?.name, key]));
}

function rows(list: TaskList) {
  return list.held.map(({ source }) => [source?.name, source?.relativePath, path.basename(source?.path ?? '')]);
}

describe('A file that was imported and is found elsewhere', () => {
  const sending = () => RawServer.start(taking);

  it('takes its row along where it was moved, and is imported in it from then on', async () => {
    await using store = await TemporaryStore.make();
    await using server = await sending();
    using window = await imported(store, server);
    const { list, queue } = window;
    const [before = ''] = list.held.map(({ source }) => source?.path);
    const after = path.join(path.dirname(before), 'b.txt');
    await rename(before, after);
    await find(list, [after]);
    assert.deepEqual(rows(list), [['b.txt', 'b.txt', 'b.txt']]);
    await queue.add([await checkFile(after, 'b.txt')], 'Books');
    await until(() => window.ended.length === 2);
    assert.deepEqual(rows(list), [['b.txt', 'b.txt', 'b.txt']]);
  });

  it('leaves its row to the file that is still there where it was copied', async () => {
    await using store = await TemporaryStore.make();
    await using server = await sending();
    using window = await imported(store, server);
    const copy = await store.files.write('copy.txt', 'the text of a.txt\n');
    await find(window.list, [copy.path]);
    assert.deepEqual(rows(window.list), [['a.txt', 'notes/a.txt', 'a.txt']]);
  });

  it('leaves the row of another file alone that had the content before', async () => {
    await using store = await TemporaryStore.make();
    await using server = await sending();
    using window = await imported(store, server);
    const { list, queue } = window;
    const [before = ''] = list.held.map(({ source }) => source?.path);
    const after = path.join(path.dirname(before), 'b.txt');
    await store.files.write('b.txt', 'another text\n');
    await queue.add([await checkFile(after, 'b.txt')], 'Books');
    await until(() => window.ended.length === 2);
    await rename(before, after);
    await find(list, [after]);
    assert.deepEqual(rows(list).toSorted(), [
      ['a.txt', 'notes/a.txt', 'a.txt'],
      ['b.txt', 'b.txt', 'b.txt'],
    ]);
  });

  it('takes the row of its own name along where several of the same content were moved', async () => {
    await using store = await TemporaryStore.make();
    await using server = await sending();
    using window = editorWindow(store.list(), server.url);
    const { list } = window;
    const { now, keys } = await movedFolder(store, window, { 'a.txt': 'same\n', 'b.txt': 'same\n' });
    await find(list, [path.join(now, 'a.txt'), path.join(now, 'b.txt')]);
    assert.deepEqual(keysByName(list), keys);
    assert.deepEqual(list.held.map(({ source }) => source?.path).toSorted(), [`${now}/a.txt`, `${now}/b.txt`]);
  });

  it('joins the batch of the folder that it is in by then', async () => {
    await using store = await TemporaryStore.make();
    await using server = await sending();
    using window = editorWindow(store.list(), server.url);
    const { now } = await movedFolder(store, window, { 'a.txt': 'one\n' });
    await find(window.list, [path.join(now, 'a.txt')], folderBatch(BOOKS, now, 'new'));
    const labels = window.list.held.map(({ batch }) => batch?.label);
    assert.deepEqual(labels, ['new']);
  });

  it('is one of very many in a few changes of the list', async () => {
    await using store = await TemporaryStore.make();
    await using server = await sending();
    using window = editorWindow(store.list(), server.url);
    const { list } = window;
    const texts = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.txt`, `text ${index}\n`]));
    const { now } = await movedFolder(store, window, texts);
    let changes = 0;
    list.events.on('change', () => changes++);
    const files = Object.keys(texts).map((name) => path.join(now, name));
    await find(list, files);
    assert.ok(list.held.every(({ source }) => source?.path.startsWith(now)));
    assert.ok(changes < 5, `${changes} changes`);
  });
});
