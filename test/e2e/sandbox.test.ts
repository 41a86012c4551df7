import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import { useWorkbench } from './useWorkbench';

describe('The sandbox, for a first try without an account', () => {
  const open = useWorkbench(() => ({ workspace: join(projectFolder, 'test', 'workspace') }));
  afterEach(() => open().workbench.notifications.clear());

  it("starts from the welcome's button and is a dataset while it runs", async () => {
    const { workbench } = open();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForWelcome(/nothing leaves this machine/);
    await workbench.view('Tasks').clickWelcome('Start Sandbox');
    await workbench.notifications.waitFor("Imports go to dataset 'Sandbox' and stay on this machine.");
    const row = await workbench.view('Datasets').waitForRow('Sandbox');
    assert.match(row.description, /^default · 127\.0\.0\.1:\d+$/);
  });

  it('takes a file to its end and shows the requests as they came, the key masked', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import File', 'notes.txt');
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('notes.txt', ({ description }) => description.startsWith('succeeded'));
    await workbench.view('Datasets').clickInline('Show Sandbox Requests', 'Sandbox');
    await workbench.editors.waitForActive('Sandbox requests');
    const text = await workbench.editors.waitForText((shown) => shown.includes('SHA-256'));
    assert.match(text, /^POST \/openapi\/open\/v1\/file-task HTTP\/1\.1$/m);
    assert.match(text, /^Access-Key: [•*]+$/m);
    assert.match(text, /^Content-Type: multipart\/form-data; boundary=/m);
    assert.match(text, /^cache-control: no-cache$/m);
    assert.match(text, /^scheme: https$/m);
    assert.match(text, /Part "file": file name "notes\.txt", text\/plain/);
  });

  it('goes with its dataset when it is stopped', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('succeeded'));
  });

  it('is offered by an import that finds no dataset, which then goes on', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import File', 'library.csv');
    await workbench.quickInput.waitFor('No dataset is set up yet');
    await workbench.quickInput.pick('Try It with the Sandbox');
    await workbench.notifications.waitFor("'Sandbox' accepted 'library.csv' as task");
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('library.csv', ({ description }) => description.startsWith('succeeded'));
  });
});
