import assert from 'node:assert/strict';
import { join } from 'node:path';
import { importFile } from './importFile';
import { fileOf, ScriptedService } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { hasState } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', metadata: {}, source: ['print(1)'], outputs: [], execution_count: null }],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 4,
});

describe('The import commands', () => {
  const hostileName = `it's "a" 读书 😀 #1 100%25 done.txt`;
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        'loud.TXT': 'loud\n',
        'notes.ipynb': NOTEBOOK,
        'one.txt': 'one\n',
        'picture.png': Buffer.from('89504e470d0a1a0a', 'hex'),
        'two.csv': 'a,b\r\n1,2\r\n',
        [hostileName]: '\ufeff一\r\n二\n',
      },
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'datasetImport.duplicates': 'import',
      },
    }),
    (opened) => setAccessKey(opened, 'Manuals', 'import-from-key-012345'),
  );
  afterEach(() => open().workbench.notifications.clear());

  /**
   * Waits until the service has received more than `since` imports, and returns the file from the first import after
   * those.
   */
  async function nextFile(since: number) {
    return await fileOf(await waitUntil('the file to arrive', async () => service.imports[since]));
  }

  it('appear in the context menus of text files, editors and tabs, and in the Tasks view', async () => {
    const { workbench, workspaceFolder } = open();
    const { explorer, editors, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    const since = service.imports.length;
    for (const [name, isOffered] of [
      ['loud.TXT', true],
      ['notes.ipynb', true],
      ['picture.png', false],
    ] as const) {
      const menu = await explorer.openMenu(name);
      assert.equal((await menu.titles()).includes('Import to Dataset…'), isOffered, name);
      await menu.close();
    }
    await workbench.openContainer('Dataset Import');
    await tasks.clickWelcome('Import Files…');
    await quickInput.pickPath('Import Files', join(workspaceFolder, 'loud.TXT'));
    await tasks.waitForRow('loud.TXT', hasState('succeeded'));
    await tasks.clickTitleAction('Import Files…');
    await quickInput.pickPath('Import Files', join(workspaceFolder, 'one.txt'));
    await tasks.waitForRow('one.txt', hasState('succeeded'));

    await importFile(workbench, hostileName);
    const { fileName, content } = await nextFile(since + 2);
    assert.equal(fileName?.replaceAll('%22', '"'), hostileName);
    assert.equal(content.toString(), '\ufeff一\r\n二\n');
    assert.match(await tasks.tooltip(hostileName), /😀 #1 100%25 done\.txt/);

    await explorer.open('two.csv');
    await editors.waitForActive('two.csv');
    await editors.chooseFromText('Import to Dataset…');
    assert.equal((await nextFile(since + 3)).fileName, 'two.csv');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('two.csv', hasState('succeeded'));
    await explorer.open('one.txt');
    await editors.waitForActive('one.txt');
    await editors.chooseFromTab('Import to Dataset…', 'two.csv');
    assert.equal((await nextFile(since + 4)).fileName, 'two.csv');
  });

  it('include Import Selection…, which can import a notebook cell', async () => {
    const { explorer, editors, quickInput } = open().workbench;
    const since = service.imports.length;
    await explorer.open('notes.ipynb');
    await editors.chooseFromText('Import Selection…');
    await quickInput.waitFor('Import Text');
    await quickInput.accept();
    const { fileName, content } = await nextFile(since);
    assert.deepEqual([fileName, content.toString()], ['notes, cell 1.py', 'print(1)']);
  });
});
