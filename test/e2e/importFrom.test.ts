import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { fileOf, ScriptedService } from './scriptedService';
import { isIn } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('Import to Dataset…', () => {
  const hostileName = `it's "a" 读书 😀 #1 100%25 done.txt`;
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        'draft.md': '# Draft\n',
        'folder/inside.txt': 'inside\n',
        'loud.TXT': 'loud\n',
        'one.txt': 'one\n',
        'picture.png': Buffer.from('89504e470d0a1a0a', 'hex'),
        'two.csv': 'a,b\r\n1,2\r\n',
        [hostileName]: '\ufeff一\r\n二\n',
      },
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'datasetImport.duplicates': 'import',
        'files.autoSave': 'off',
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'import-from-key-012345'),
  );
  afterEach(() => open().workbench.notifications.clear());

  /** Waits for the next import, and gives its file. */
  async function nextFile(since: number) {
    return await fileOf(await waitUntil('the file to arrive', async () => service.imports[since]));
  }

  it("is in the menus of folders, text files, editors and tabs, and in the Tasks view's welcome and title", async () => {
    const { workbench, workspaceFolder } = open();
    const { explorer, editors, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    const since = service.imports.length;
    for (const [name, isThere] of [
      ['one.txt', true],
      ['loud.TXT', true],
      ['picture.png', false],
      ['folder', true],
    ] as const) {
      const menu = await explorer.openMenu(name);
      assert.equal((await menu.titles()).includes('Import to Dataset…'), isThere, name);
      await menu.close();
    }
    await workbench.openContainer('Dataset Import');
    await tasks.clickWelcome('Import Files…');
    await quickInput.pickPath('Import Files', join(workspaceFolder, 'loud.TXT'));
    await tasks.waitForRow('loud.TXT', isIn('succeeded'));
    await tasks.clickTitleAction('Import Files…');
    await quickInput.pickPath('Import Files', join(workspaceFolder, 'one.txt'));
    await tasks.waitForRow('one.txt', isIn('succeeded'));

    await explorer.chooseFor('Import to Dataset…', hostileName);
    const { fileName, content } = await nextFile(since + 2);
    assert.equal(fileName?.replaceAll('%22', '"'), hostileName);
    assert.equal(content.toString(), '\ufeff一\r\n二\n');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow(hostileName, isIn('succeeded'));
    assert.match(await tasks.tooltip(hostileName), /😀 #1 100%25 done\.txt/);

    await explorer.open('two.csv');
    await editors.waitForActive('two.csv');
    await editors.chooseFromText('Import to Dataset…');
    assert.equal((await nextFile(since + 3)).fileName, 'two.csv');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('two.csv', isIn('succeeded'));
    await explorer.open('one.txt');
    await editors.waitForActive('one.txt');
    await editors.chooseFromTab('Import to Dataset…', 'two.csv');
    assert.equal((await nextFile(since + 4)).fileName, 'two.csv');
  });

  it('asks what to import of an editor with unsaved changes: nothing, the saved version, or all of it', async () => {
    const { workbench, workspaceFolder } = open();
    const { editors, dialog } = workbench;
    const onDisk = () => readFileSync(join(workspaceFolder, 'draft.md'), 'utf8');
    const drafts = () => service.imports.filter(({ body }) => body.includes('filename="draft.md"'));
    const importWith = async (button: string) => {
      await editors.chooseFromText('Import to Dataset…');
      await dialog.waitFor("'draft.md' has unsaved changes.");
      assert.deepEqual((await dialog.buttons()).sort(), ['Cancel', 'Import Saved Version', 'Save and Import']);
      await dialog.click(button);
    };
    await workbench.explorer.open('draft.md');
    await editors.waitForActive('draft.md');
    await editors.type('typed ');
    await importWith('Cancel');
    await importWith('Import Saved Version');
    // The first to arrive: nothing was sent of the canceled import.
    const saved = await waitUntil('the saved version', async () => drafts()[0]);
    assert.equal((await fileOf(saved)).content.toString(), '# Draft\n');
    assert.equal(onDisk(), '# Draft\n');
    assert.match(await editors.text(), /typed/);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('draft.md', isIn('succeeded'));
    await importWith('Save and Import');
    const { content } = await fileOf(await waitUntil('the typed version', async () => drafts()[1]));
    assert.match(content.toString(), /typed/);
    assert.equal(content.toString(), onDisk());
  });
});
