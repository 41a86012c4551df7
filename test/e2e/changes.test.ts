import assert from 'node:assert/strict';
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { namesOf, refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';

const COUNT = 12;
const LONG_AGO_S = 1_700_000_000;
const nameOf = (index: number) => `chapter-${String(index).padStart(3, '0')}.txt`;

describe('Import Changes…', () => {
  const service = ScriptedService.duringTests();
  const names = Array.from({ length: COUNT }, (_, index) => nameOf(index));
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(names.map((name) => [`book/${name}`, `the first text of ${name}\n`])),
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    async (opened) => {
      // Files that are older than a moment.
      for (const name of names) utimesSync(join(opened.workspaceFolder, 'book', name), LONG_AGO_S, LONG_AGO_S);
      await giveKey(opened, 'Manuals', 'changes-key-0123456789');
    },
  );

  it('imports the new and edited files of a folder with three inputs, and no moved, deleted or rejected one', async () => {
    const { workbench, workspaceFolder } = open();
    const { explorer, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    const at = (name: string) => join(workspaceFolder, 'book', name);
    service.fileTask = ({ body }) =>
      body.includes(nameOf(11)) ? refused('4711', 'not this one') : value(`{"taskId":"t-${service.imports.length}"}`);
    await explorer.chooseFor('Import Changes…', 'book');
    await quickInput.waitFor(`Import ${COUNT} files`);
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('book', ({ description }) => description.startsWith('1 rejected · 11 succeeded'));
    await workbench.notifications.clear();

    const edited = [nameOf(3), nameOf(9)];
    for (const name of edited) writeFileSync(at(name), `the second text of ${name}\n`);
    renameSync(at(nameOf(1)), at('moved.txt'));
    rmSync(at(nameOf(2)));
    writeFileSync(at('new.txt'), 'a new chapter\n');
    const since = service.imports.length;
    await explorer.chooseFor('Import Changes…', 'book');
    await quickInput.waitFor(`Import 3 of ${COUNT} files`);
    assert.match(await describedRow('New'), /^1 file, /);
    assert.match(await describedRow('Changed'), /^2 files, /);
    // The rest is further down, out of sight.
    await quickInput.type('rejected');
    assert.match(await describedRow(`book/${nameOf(11)}`), / · rejected · code 4711: not this one · /);
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('book', ({ description }) => description.startsWith('1 rejected · 12 succeeded'));
    assert.deepEqual(await namesOf(service.imports.slice(since)), [...edited, 'new.txt']);
  });

  async function describedRow(label: string): Promise<string> {
    const rows = await open().workbench.quickInput.rows();
    return rows.find((row) => row.label === label)?.description ?? '';
  }
});
