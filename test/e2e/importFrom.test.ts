import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { fileOf, ScriptedService, sha256 } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('Import to Dataset, from wherever a person finds it', () => {
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
        'three.jsonl': '{"n":3}\n',
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

  /** Waits for the next import to have arrived, and gives its file. */
  async function nextFile(since: number) {
    return await fileOf(await waitUntil('the file to arrive', async () => service.imports[since]));
  }

  it('sends a file with a hostile name whole and under its name', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    await workbench.explorer.chooseFor('Import to Dataset…', hostileName);
    await workbench.saysInStatusBar(`Uploaded '${hostileName}' to Manuals.`);
    const { fileName, content } = await nextFile(since);
    assert.equal(fileName?.replaceAll('%22', '"'), hostileName);
    assert.equal(sha256(content), sha256('\ufeff一\r\n二\n'));
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow(hostileName, ({ spoken }) => spoken.startsWith('succeeded'));
    assert.match(await workbench.view('Tasks').tooltip(hostileName), /😀 #1 100%25 done\.txt/);
  });

  it('is in the menu of folders and of text files whatever the case of their extension, and of nothing else', async () => {
    const { explorer } = open().workbench;
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
  });

  it("is in the editor's own menu and in its tab's", async () => {
    const { workbench } = open();
    const since = service.imports.length;
    await workbench.explorer.open('two.csv');
    await workbench.editors.waitForActive('two.csv');
    await workbench.editors.chooseFromText('Import to Dataset…');
    assert.equal((await nextFile(since)).fileName, 'two.csv');
    await workbench.saysInStatusBar("Uploaded 'two.csv' to Manuals.");
    await workbench.notifications.clear();
    await workbench.explorer.open('one.txt');
    await workbench.editors.waitForActive('one.txt');
    await workbench.editors.chooseFromTab('Import to Dataset…', 'two.csv');
    assert.equal((await nextFile(since + 1)).fileName, 'two.csv');
    await workbench.saysInStatusBar("Uploaded 'two.csv' to Manuals.");
  });

  it('asks for a file from the palette where none is meant', async () => {
    const { workbench, workspaceFolder } = open();
    const since = service.imports.length;
    await workbench.runCommand('Dataset Import: Import Files…');
    await workbench.quickInput.pickPath('Import Files', join(workspaceFolder, 'loud.TXT'));
    assert.equal((await nextFile(since)).fileName, 'loud.TXT');
    await workbench.saysInStatusBar("Uploaded 'loud.TXT' to Manuals.");
  });

  it('asks what to import of an editor with unsaved changes: nothing, what is on disk, or all once it is saved', async () => {
    const { workbench, workspaceFolder } = open();
    const { editors, dialog } = workbench;
    const onDisk = () => readFileSync(join(workspaceFolder, 'draft.md'), 'utf8');
    const since = service.imports.length;
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
    // The first one that came: nothing was sent of what was canceled.
    assert.equal((await nextFile(since)).content.toString(), '# Draft\n');
    assert.equal(onDisk(), '# Draft\n');
    assert.match(await editors.text(), /typed/);
    await workbench.saysInStatusBar("Uploaded 'draft.md' to Manuals.");
    await importWith('Save and Import');
    const { content } = await nextFile(since + 1);
    assert.match(content.toString(), /typed/);
    assert.equal(content.toString(), onDisk());
  });
});
