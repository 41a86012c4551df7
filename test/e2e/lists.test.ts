import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { fileOf, refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('Lists of tasks', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: { 'one, two.txt': '1\n', '@three.txt': '3\n', '四.txt': '4\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'lists-key-0123456789'),
  );
  beforeEach(() => {
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
  });
  afterEach(() => open().workbench.notifications.clear());

  it('are exported with every digit, and lead back to the files that are still to be imported', async () => {
    const { workbench, workspaceFolder } = open();
    const { explorer, notifications, quickInput } = workbench;
    let count = 0;
    service.fileTask = () =>
      ++count === 2 ? refused('4001', 'No, "thanks"') : value(`{"taskId":900719925474099312${count}}`);
    await explorer.chooseFor('Import to Dataset…', '@three.txt', 'one, two.txt', '四.txt');
    await notifications.waitFor('Uploaded 2 of 3 files to Manuals. 1 file was rejected.');
    await notifications.clear();
    await workbench.openContainer('Dataset Import');
    const list = join(workspaceFolder, 'campaign.csv');
    await workbench.runCommand('Dataset Import: Export Tasks…');
    await quickInput.waitFor('Export Tasks');
    await waitUntil('the name of the file', async () => (await quickInput.value()).endsWith('tasks.csv') || undefined);
    await quickInput.type(list);
    await quickInput.accept();
    await notifications.waitFor("Exported 3 tasks to 'campaign.csv'.");
    const text = readFileSync(list, 'utf8');
    assert.match(text, /,accepted,,9007199254740993121,/);
    assert.match(text, /,rejected,"code 4001: No, ""thanks""",,/);
    assert.equal(text.split('\n').length, 5, text);
    assert.ok(['@three.txt', 'one, two.txt', '四.txt'].every((name) => text.includes(name)));

    const since = service.imports.length;
    await workbench.runCommand('Dataset Import: Import from List…');
    await quickInput.pickPath('Import from List', list);
    await quickInput.waitFor('Import 1 of 3 files');
    await quickInput.accept();
    await waitUntil('the one that was rejected', async () => service.imports.length > since || undefined);
    const [again, ...more] = await Promise.all(service.imports.slice(since).map(fileOf));
    assert.equal(more.length, 0);
    assert.ok(text.split('\n').some((row) => row.includes(again?.fileName ?? '?') && row.includes('rejected')));
    assert.ok(readdirSync(workspaceFolder).every((name) => !name.includes('partial')));
  });

  it('that name files outside of the workspace are asked about, with where these are stored', async () => {
    const { workbench, workspaceFolder } = open();
    service.fileTask = () => value('{"taskId":7}');
    const outside = join(workspaceFolder, '..', 'diary.txt');
    for (const [path, content] of [
      [outside, 'nobody is to read this\n'],
      [join(workspaceFolder, 'five.txt'), '5\n'],
      [join(workspaceFolder, 'list.txt'), `five.txt\n../diary.txt\n`],
    ] as const)
      writeFileSync(path, content);
    const since = service.imports.length;
    await workbench.runCommand('Dataset Import: Import from List…');
    await workbench.quickInput.pickPath('Import from List', join(workspaceFolder, 'list.txt'));
    await workbench.quickInput.waitFor('Import 1 of 2 files');
    const rows = await workbench.quickInput.rows();
    assert.match(rows.find(({ label }) => label === 'diary.txt')?.description ?? '', /stored in \/.*\/diary\.txt$/);
    await workbench.quickInput.accept();
    await waitUntil('the file of the workspace', async () => service.imports.length > since || undefined);
    const names = (await Promise.all(service.imports.slice(since).map(fileOf))).map(({ fileName }) => fileName);
    assert.deepEqual(names, ['five.txt']);
  });
});
