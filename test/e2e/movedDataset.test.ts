import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editSettings, settingsFile } from './editSettings';
import { ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('A dataset whose base URL moves', () => {
  let before_: ScriptedService;
  let after_: ScriptedService;
  before(async () => {
    before_ = await ScriptedService.start();
    after_ = await ScriptedService.start();
    before_.queryTask = () => value('{"status":"RUNNING","progress":37}');
    after_.queryTask = () => value('{"status":"FAILED"}');
  });
  after(async () => {
    await before_.close();
    await after_.close();
  });
  const open = useWorkbench(() => ({
    files: { 'notes.txt': 'notes\n' },
    // So that settings.json opens as any other file does.
    settings: {
      'datasetImport.datasets': [{ name: 'Manuals', baseUrl: before_.url }],
      'workbench.editor.useModal': 'off',
    },
  }));

  it('leaves its tasks unasked at the new address, says so in their rows, and asks again once it is back', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await workbench.quickInput.answer("Access Key of 'Manuals'", 'moved-dataset-key-0123');
    await workbench.openContainer('Dataset Import');
    const row = (beginning: string) =>
      workbench.view('Tasks').waitForRow('notes.txt', ({ spoken }) => spoken.startsWith(beginning));
    await row('running 37%');
    const settings = readFileSync(settingsFile(open()), 'utf8');
    await workbench.view('Datasets').chooseFor('Change Base URL…', 'Manuals');
    await workbench.quickInput.waitFor('Change Base URL');
    await workbench.quickInput.waitForValue(before_.url);
    await workbench.quickInput.type(after_.url);
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor(`The current access key is not sent to ${after_.url}.`);
    await workbench.quickInput.type('key-of-the-new-address-0123');
    await workbench.quickInput.accept();
    await workbench.notifications.waitFor(`The base URL of 'Manuals' is now ${after_.url}.`);
    await workbench.notifications.clear();
    await row(`not checked: moved to ${after_.host}`);
    await workbench.runCommand('Dataset Import: Check All Tasks Now');
    await workbench.notifications.waitFor(`This task belongs to ${before_.host}, and dataset 'Manuals' has moved to`);
    const asked = before_.queries.length;
    await editSettings(open(), settings);
    await workbench.openContainer('Dataset Import');
    await row('running 37%');
    await waitUntil('a query at the former address', async () => before_.queries.length > asked || undefined);
    assert.deepEqual(after_.requests, []);
  });
});
