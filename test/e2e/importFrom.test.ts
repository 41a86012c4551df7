import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, ScriptedService, sha256 } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('Import File, from wherever a person finds it', () => {
  const hostileName = `it's "a" 读书 😀 #1 100%25 done.txt`;
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
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
  }));
  afterEach(() => open().workbench.notifications.clear());

  /** Waits for the next import to have arrived, and gives its file. */
  async function nextFile(since: number) {
    return await fileOf(await waitUntil('the file to arrive', async () => service.imports[since]));
  }

  it('sends a file with a hostile name whole and under its name', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import File', hostileName);
    await workbench.quickInput.response("Access-Key of dataset 'Manuals'", 'import-from-key-012345');
    await workbench.notifications.waitFor(`'Manuals' accepted '${hostileName}' as task task-1.`);
    const { fileName, content } = await nextFile(0);
    assert.equal(fileName?.replaceAll('%22', '"'), hostileName);
    assert.equal(sha256(content), sha256('\ufeff一\r\n二\n'));
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow(hostileName, ({ description }) => description.startsWith('succeeded'));
    assert.match(await workbench.view('Tasks').tooltip(hostileName), /😀 #1 100%25 done\.txt/);
  });

  it('is in the menu of text files whatever the case of their ending, and of nothing else', async () => {
    const { explorer } = open().workbench;
    for (const [name, isThere] of [
      ['one.txt', true],
      ['loud.TXT', true],
      ['picture.png', false],
      ['folder', false],
    ] as const) {
      const menu = await explorer.openMenu(name);
      assert.equal((await menu.titles()).includes('Import File'), isThere, name);
      await menu.close();
    }
  });

  it("takes the active editor's file from the palette", async () => {
    const { workbench } = open();
    const since = service.imports.length;
    await workbench.explorer.open('two.csv');
    await workbench.editors.waitForActive('two.csv');
    await workbench.runCommand('Dataset Import: Import File');
    assert.equal((await nextFile(since)).content.toString(), 'a,b\r\n1,2\r\n');
    await workbench.notifications.waitFor("'Manuals' accepted 'two.csv'");
  });

  it("is in the editor's own menu and in its tab's", async () => {
    const { workbench } = open();
    const since = service.imports.length;
    await workbench.editors.chooseFromText('Import File');
    assert.equal((await nextFile(since)).fileName, 'two.csv');
    await workbench.notifications.waitFor("'Manuals' accepted 'two.csv'");
    await workbench.notifications.clear();
    await workbench.explorer.open('one.txt');
    await workbench.editors.waitForActive('one.txt');
    await workbench.editors.chooseFromTab('Import File', 'two.csv');
    assert.equal((await nextFile(since + 1)).fileName, 'two.csv');
    await workbench.notifications.waitFor("'Manuals' accepted 'two.csv'");
  });

  it('asks for a file where no editor is open', async () => {
    const { workbench, workspaceFolder } = open();
    const since = service.imports.length;
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Dataset Import: Import File');
    await workbench.quickInput.pickFile('Import Files', join(workspaceFolder, 'loud.TXT'));
    assert.equal((await nextFile(since)).fileName, 'loud.TXT');
    await workbench.notifications.waitFor("'Manuals' accepted 'loud.TXT'");
  });

  it('imports all selected files and sums them up in one message', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    await workbench.explorer.chooseFor('Import File', 'one.txt', 'three.jsonl', 'two.csv');
    await workbench.notifications.waitFor("'Manuals' accepted all 3 files.");
    await workbench.notifications.waitForCount(1);
    const names = await Promise.all(
      service.imports.slice(since).map(async (request) => (await fileOf(request)).fileName),
    );
    assert.deepEqual(names.sort(), ['one.txt', 'three.jsonl', 'two.csv']);
    await workbench.openContainer('Dataset Import');
    for (const name of ['one.txt', 'three.jsonl', 'two.csv']) {
      await workbench.view('Tasks').waitForRow(name, ({ description }) => description.startsWith('succeeded'));
    }
  });

  describe('of an editor with unsaved changes', () => {
    const onDisk = '# Draft\n';
    const typed = 'typed ';

    beforeEach(async () => {
      const { workbench } = open();
      await workbench.explorer.open('draft.md');
      await workbench.editors.waitForActive('draft.md');
    });

    it('does nothing where the question is cancelled', async () => {
      const { workbench } = open();
      const since = service.imports.length;
      await workbench.editors.type(typed);
      await workbench.editors.chooseFromText('Import File');
      await workbench.dialog.waitFor("'draft.md' has unsaved changes.");
      assert.deepEqual((await workbench.dialog.buttons()).sort(), ['Cancel', 'Import as on Disk', 'Save and Import']);
      await workbench.dialog.click('Cancel');
      assert.equal(service.imports.length, since);
    });

    it('imports what is on disk', async () => {
      const { workbench, workspaceFolder } = open();
      const since = service.imports.length;
      await workbench.editors.chooseFromText('Import File');
      await workbench.dialog.waitFor("'draft.md' has unsaved changes.");
      await workbench.dialog.click('Import as on Disk');
      assert.equal(sha256((await nextFile(since)).content), sha256(onDisk));
      assert.equal(readFileSync(join(workspaceFolder, 'draft.md'), 'utf8'), onDisk);
      assert.match(await workbench.editors.text(), /typed/);
    });

    it('saves, then imports what was saved', async () => {
      const { workbench, workspaceFolder } = open();
      const since = service.imports.length;
      await workbench.editors.chooseFromText('Import File');
      await workbench.dialog.waitFor("'draft.md' has unsaved changes.");
      await workbench.dialog.click('Save and Import');
      const { content } = await nextFile(since);
      assert.match(content.toString(), /typed/);
      assert.equal(sha256(content), sha256(readFileSync(join(workspaceFolder, 'draft.md'))));
    });
  });
});
