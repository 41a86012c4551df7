import assert from 'node:assert/strict';
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { fileOf, refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

const COUNT = 60;
const LONG_AGO_S = 1_700_000_000;
const nameOf = (index: number) => `chapter-${String(index).padStart(3, '0')}.txt`;

describe('What has changed', () => {
  const service = ScriptedService.duringTests();
  const names = Array.from({ length: COUNT }, (_, index) => nameOf(index));
  const open = useWorkbench(
    () => ({
      files: {
        ...Object.fromEntries(names.map((name) => [`book/${name}`, `the first text of ${name}\n`])),
        ...{ 'rows/one.txt': 'one of the rows\n', 'rows/two.txt': 'two of the rows\n' },
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }], 'files.autoSave': 'off' },
    }),
    async (opened) => {
      // Files that lie there for longer than a moment.
      for (const name of names) utimesSync(join(opened.workspaceFolder, 'book', name), LONG_AGO_S, LONG_AGO_S);
      await giveKey(opened, 'Manuals', 'changes-key-0123456789');
    },
  );

  async function namesSince(since: number): Promise<(string | undefined)[]> {
    const files = await Promise.all(service.imports.slice(since).map(fileOf));
    return files.map(({ fileName }) => fileName).sort();
  }

  it('in a folder is imported again with three inputs, and nothing else', async () => {
    const { workbench, workspaceFolder } = open();
    const { explorer, quickInput, notifications } = workbench;
    const at = (name: string) => join(workspaceFolder, 'book', name);
    service.fileTask = ({ body }) =>
      body.includes('chapter-059.txt')
        ? refused('4711', 'not this one')
        : value(`{"taskId":"t-${service.imports.length}"}`);
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await explorer.chooseFor('Import Changes…', 'book');
    await quickInput.waitFor(`Import ${COUNT} files`);
    await quickInput.accept();
    await notifications.waitFor(`Uploaded ${COUNT - 1} of ${COUNT} files to Manuals. 1 file was rejected.`);
    await notifications.clear();
    await workbench.openContainer('Dataset Import');
    await workbench
      .view('Tasks')
      .waitForRow('book', ({ description }) => description.startsWith(`1 rejected · ${COUNT - 1} succeeded`));
    await explorer.show();

    const edited = names.filter((_, index) => index % 17 === 3);
    for (const name of edited) writeFileSync(at(name), `the second text of ${name}\n`);
    renameSync(at(nameOf(1)), at('moved.txt'));
    rmSync(at(nameOf(2)));
    writeFileSync(at('new.txt'), 'a new chapter\n');
    const since = service.imports.length;
    await explorer.chooseFor('Import Changes…', 'book');
    await quickInput.waitFor(`Import ${edited.length + 1} of ${COUNT} files`);
    assert.match(await describedRow('New'), /^1 file, /);
    assert.match(await describedRow('Changed'), new RegExp(`^${edited.length} files, `));
    // Further down, where it is not in sight.
    await quickInput.type('rejected');
    assert.match(await describedRow(`book/${nameOf(59)}`), / · rejected · code 4711: not this one · /);
    await quickInput.accept();
    await workbench.saysInStatusBar(`Uploaded ${edited.length + 1} files to Manuals.`);
    assert.deepEqual(await namesSince(since), [...edited, 'new.txt'].sort());
  });

  it('is found from the row of the batch and from that of the dataset', async () => {
    const { workbench, workspaceFolder } = open();
    await importAll('rows', 2);
    await workbench.openContainer('Dataset Import');
    for (const [view, row] of [
      ['Tasks', 'rows'],
      ['Datasets', 'Manuals'],
    ] as const) {
      writeFileSync(join(workspaceFolder, 'rows', `for ${row}.txt`), `for ${view}\n`);
      const since = service.imports.length;
      await workbench.view(view).chooseFor('Import Changes…', row);
      await workbench.quickInput.waitFor('Import 1 of ');
      await workbench.quickInput.accept();
      await waitUntil('the new file', async () => service.imports.length > since || undefined);
      assert.deepEqual(await namesSince(since), [`for ${row}.txt`]);
    }
  });

  /** Imports a folder whose files are all new. */
  async function importAll(folder: string, count: number): Promise<void> {
    const { explorer, quickInput } = open().workbench;
    const since = service.imports.length;
    await explorer.show();
    await explorer.chooseFor('Import Changes…', folder);
    await quickInput.waitFor(`Import ${count} files`);
    await quickInput.accept();
    await waitUntil('all to be sent', async () => service.imports.length === since + count || undefined);
  }

  async function describedRow(label: string): Promise<string> {
    const rows = await open().workbench.quickInput.rows();
    return rows.find((row) => row.label === label)?.description ?? '';
  }
});
