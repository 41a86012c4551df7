import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { findDuplicates, importsOfSame } from '../../../../src/tasks/sending/duplicates';
import { checkFile } from '../../../../src/tasks/sending/sources';
import { moveRows } from '../../../../src/tasks/serving/movedFiles';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
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

/** Looks for what was imported before, as an import of this file does. */
async function find(list: StoredList, file: string): Promise<void> {
  const checked = [await checkFile(file, path.basename(file))];
  const earlier = await importsOfSame(list.unfinished, list.store.contents, checked);
  await moveRows(list, await findDuplicates(checked, earlier, BOOKS, new AbortController().signal), BOOKS);
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
    await find(list, after);
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
    await find(window.list, copy.path);
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
    await find(list, after);
    assert.deepEqual(rows(list).toSorted(), [
      ['a.txt', 'notes/a.txt', 'a.txt'],
      ['b.txt', 'b.txt', 'b.txt'],
    ]);
  });
});
