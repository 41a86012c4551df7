import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportTasks, writeTasks } from '../../../../src/editor/tasksView/exportTasks';
import { OpenedStore, rejected, uploaded } from './openedStore';

describe('A task export', () => {
  let opened: OpenedStore;

  beforeEach(() => {
    opened = new OpenedStore();
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  it('writes CSV or JSON Lines, depending on the file extension', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': rejected('No.') });
    const [csv, jsonl] = ['rows.csv', 'rows.JSONL'].map((name) => join(opened.folder, name)) as [string, string];
    const { signal } = new AbortController();
    assert.equal(await writeTasks(opened.store, { states: ['rejected'] }, csv, signal), 1);
    assert.match(readFileSync(csv, 'utf8'), /^\ufeffpath,.*\n\/notes\/b\.md,.*,42: No\.,.*\n$/);
    assert.equal(await writeTasks(opened.store, {}, jsonl, signal), 2);
    assert.deepEqual(
      readFileSync(jsonl, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).path),
      ['/notes/a.md', '/notes/b.md'],
    );
  });

  it('leaves no file behind if the user cancels', async () => {
    await opened.import({ 'a.md': uploaded('T1') });
    const before = readdirSync(opened.folder);
    const file = join(opened.folder, 'rows.csv');
    await assert.rejects(writeTasks(opened.store, {}, file, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual(readdirSync(opened.folder), before);
  });

  it('fails if there is nothing to export', async () => {
    const messages = { done: () => assert.fail() };
    await assert.rejects(exportTasks(opened.store, messages, {}), { message: 'There are no tasks to export.' });
  });
});
