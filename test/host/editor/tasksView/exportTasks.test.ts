import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../../src/editor/commands';
import type { Services } from '../../../../src/editor/services';
import { writeTasks } from '../../../../src/editor/tasksView/exportTasks';
import type { ImportStore } from '../../../../src/tasks/store/importStore';
import { beforeEachOpenedStore, opened, rejected, uploaded } from './openedStore';

describe('A task export', () => {
  beforeEachOpenedStore();

  it('writes CSV or JSON Lines, depending on the file extension', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': rejected('No.') });
    const [csv, jsonl] = ['rows.csv', 'rows.JSONL'].map((name) => join(opened.folder, name)) as [string, string];
    const { signal } = new AbortController();
    await writeTasks(opened.store, { states: ['rejected'] }, csv, signal);
    assert.match(readFileSync(csv, 'utf8'), /^\ufeffname,path,.*\nb\.md,\/notes\/b\.md,.*,42: No\.,.*\n$/);
    await writeTasks(opened.store, {}, jsonl, signal);
    const lines = readFileSync(jsonl, 'utf8').trimEnd().split('\n');
    const paths = lines.map((line) => JSON.parse(line).path);
    assert.deepEqual(paths, ['/notes/a.md', '/notes/b.md']);
  });

  it('leaves no file behind if the user cancels', async () => {
    await opened.import({ 'a.md': uploaded('T1') });
    const before = readdirSync(opened.folder);
    const file = join(opened.folder, 'rows.csv');
    await assert.rejects(writeTasks(opened.store, {}, file, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual(readdirSync(opened.folder), before);
  });

  it('includes all selected batches and rows', async () => {
    for (const label of ['A', 'B'])
      await opened.import(
        { [`${label}1.md`]: uploaded('T1'), [`${label}2.md`]: uploaded('T2') },
        { batch: { label, folder: null } },
      );
    const counted: (readonly number[] | undefined)[] = [];
    const groups: ImportStore['groups'] = async ({ filter }) => {
      counted.push(filter.files);
      return [];
    };
    const store = { groups, rowsAfter: opened.store.rowsAfter.bind(opened.store) };
    const nodes = [1, 2].map((batch) => ({ group: `batch ${batch}`, filter: { batch } }));
    for (const call of [
      { args: [nodes[0], nodes], selection: [] },
      { args: [], selection: [{ file: 1 }, { file: 3 }] },
    ]) {
      const running = async () =>
        COMMANDS.exportTasks({ store } as unknown as Services, { name: 'exportTasks', ...call });
      await assert.rejects(running, { message: 'There are no tasks to export.' });
    }
    assert.deepEqual(counted, [
      [1, 2, 3, 4],
      [1, 3],
    ]);
  });
});
