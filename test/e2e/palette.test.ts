import assert from 'node:assert/strict';
import { globSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { importOnce } from './importOnce';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

/** VS Code's own for the views. */
const ofVsCode = ['Focus on Tasks View', 'Focus on Datasets View'];

const dayOne = [
  'Add Dataset from Clipboard',
  'Add Dataset…',
  'Import Files…',
  'Import Folder…',
  'Import Sample Files',
  'Import from List…',
  'Import to Dataset…',
  'Open Dataset Settings',
  'Show Log',
  'Start Sandbox',
  'Start Sandbox As…',
];

const afterFirstImport = [
  'Import Again',
  'Add Dataset from Clipboard',
  'Add Dataset…',
  'Choose the Status…',
  'Choose the Task ID…',
  'Clear Finished Tasks',
  'Copy Request as cURL',
  'Copy Task ID',
  'Edit Request…',
  'Export Tasks…',
  'Filter Tasks…',
  'Group Tasks By…',
  'Import Changes…',
  'Import Files…',
  'Import Folder…',
  'Import Sample Files',
  'Import from List…',
  'Import to Dataset…',
  'Map Responses…',
  'Check Task Status Now',
  'Open Dataset Settings',
  'Open Source File',
  'Preview Import…',
  'Preview Status Check…',
  'Remove from List',
  'Select Default Dataset…',
  'Set Webhook…',
  'Show Last Response',
  'Show Log',
  'Show Sandbox Requests',
  'Show Details',
  'Start Sandbox As…',
  'Stop Sandbox',
  'Test Connection',
  'Track Task by ID…',
  'Map Statuses…',
];

const forDatasets = [
  'Copy Request as cURL',
  'Edit Request…',
  'Map Responses…',
  'Preview Import…',
  'Select Default Dataset…',
  'Set Webhook…',
  'Show Sandbox Requests',
  'Stop Sandbox',
  'Test Connection',
  'Track Task by ID…',
];

describe('The Command Palette', () => {
  const open = useWorkbench(() => ({
    files: { 'notes.txt': 'notes\n', 'docs/a.txt': 'a\n', 'docs/b.txt': 'b\n', LICENSE: 'no extension\n' },
  }));

  it('shows on day one only what can be done', async () => {
    await untilOffered(dayOne);
  });

  it('imports the active file whatever its extension, and offers that only while an editor is open', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Start Sandbox');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').waitForRow('Sandbox');
    await workbench.explorer.open('LICENSE');
    await workbench.editors.waitForActive('LICENSE');
    await workbench.runCommand('Dataset Import: Import Active File');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('LICENSE', ({ spoken }) => spoken.startsWith('succeeded'));
  });

  it('asks which file, and says what for, while the request of another one is shown', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Preview Import…');
    await workbench.editors.waitForActive(/import request/);
    await workbench.runCommand('Dataset Import: Preview Import…');
    await workbench.quickInput.waitFor('Preview Import: Select the File to Import');
    await workbench.quickInput.cancel();
    await workbench.runCommand('View: Close All Editors');
  });

  it('does not offer to import what is no file but a page of ours', async () => {
    const { workbench } = open();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').select('LICENSE');
    await workbench.editors.waitForText((text) => text.startsWith('LICENSE\n'));
    const isOffered = async () =>
      (await workbench.quickInput.commandsOf('Dataset Import')).includes('Import Active File');
    assert.equal(await isOffered(), false);
    await workbench.runCommand('View: Focus Active Editor Group');
    assert.equal(await isOffered(), false);
    await workbench.explorer.open('notes.txt');
    await workbench.editors.waitForActive('notes.txt');
    assert.equal(await isOffered(), true);
    await workbench.runCommand('View: Close All Editors');
  });

  it('imports a folder that the user selects', async () => {
    const { workbench, workspaceFolder } = open();
    await workbench.runCommand('Dataset Import: Import Folder…');
    await workbench.quickInput.pickPath('Import to Dataset…', join(workspaceFolder, 'docs'));
    await workbench.quickInput.waitFor('Import 2 files');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('docs', ({ description }) => description.startsWith('2 succeeded'));
  });

  it('shows after an import what fits it, and nothing for tasks in other states', async () => {
    const { workbench } = open();
    await importOnce(workbench, 'notes.txt');
    await untilOffered(afterFirstImport);
  });

  it('still shows in the next window what fits the tasks, and nothing for datasets that are gone', async () => {
    const { workbench } = open();
    await workbench.explorer.show();
    const [database = ''] = globSync(join(open().dataFolder, 'User', 'globalStorage', '*', 'tasks.sqlite'));
    await waitUntil('the note that nothing is to be done', async () => isNotedIdle(database) || undefined);
    await workbench.reload();
    await untilOffered([...afterFirstImport.filter((title) => !forDatasets.includes(title)), 'Start Sandbox']);
    assert.equal(isOpen(database), false, 'the task database is open though nothing is to be done');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('notes.txt');
  });

  /** Whether the note beside the task database is about it as it is. */
  function isNotedIdle(database: string): boolean {
    const [note] = globSync(`${database}-idle`);
    if (note === undefined) return false;
    const changes = readFileSync(database).readUInt32BE(24);
    return readFileSync(note, 'utf8').includes(`"${statSync(database).ino}:${changes}"`);
  }

  /** Whether a process has a file open, where the system says so. */
  function isOpen(file: string): boolean {
    return globSync('/proc/[0-9]*/fd/*').some((descriptor) => {
      try {
        return readlinkSync(descriptor) === file;
      } catch {
        return false; // closed meanwhile
      }
    });
  }

  /** Waits until the palette lists these commands of the extension, and no others. */
  async function untilOffered(expected: readonly string[]): Promise<void> {
    const { quickInput } = open().workbench;
    let offered: readonly string[] = [];
    const wanted = expected.toSorted();
    await waitUntil('the commands in the palette', async () => {
      const listed = await quickInput.commandsOf('Dataset Import');
      offered = listed.filter((title) => !ofVsCode.includes(title)).toSorted();
      return offered.join() === wanted.join() || undefined;
    }).catch(() => assert.deepEqual(offered, wanted));
  }
});
