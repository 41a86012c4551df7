import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import { importOnce } from './importOnce';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('The sandbox, for a first try without an account', () => {
  const open = useWorkbench(() => ({ workspace: join(projectFolder, 'test', 'workspace') }));
  afterEach(() => open().workbench.notifications.clear());

  const hasSucceeded = ({ spoken }: TreeRow) => spoken.startsWith('succeeded');

  it("starts from the welcome's button, takes files to their end and shows the requests as they came, the key masked; the walkthrough completes its steps", async () => {
    const { workbench, page } = open();
    const [tasks, datasets] = [workbench.view('Tasks'), workbench.view('Datasets')];
    await workbench.openContainer('Dataset Import');
    await tasks.waitForWelcome(/Nothing leaves this machine/);
    await tasks.clickWelcome('Open the walkthrough');
    await page.locator('[data-step-id$="#dataset"]').first().click();
    await waitForSteps();
    await tasks.clickWelcome('Start the sandbox');
    await waitForSteps('sandbox');
    await workbench.notifications.waitFor("Files are imported to dataset 'Sandbox' and stay on this machine.");
    const { description: where } = await datasets.waitForRow('Sandbox');
    assert.match(where, /^default · 127\.0\.0\.1:\d+$/);

    const { taskId, tasks: rows } = await importOnce(workbench, 'notes.txt');
    assert.deepEqual(
      rows.map(({ label, icon }) => [label, icon]),
      [['notes.txt', 'pass']],
    );
    await waitForSteps('sandbox', 'import', 'follow');
    assert.match(await tasks.tooltip('notes.txt'), new RegExp(taskId));
    await datasets.clickInline('Show Sandbox Requests', 'Sandbox');
    await workbench.editors.waitForActive('Sandbox Requests');
    await workbench.editors.waitForText((shown) => /^# Last \d+ of \d+ requests, newest first$/m.test(shown));
    await workbench.page.keyboard.press('ControlOrMeta+End');
    const text = await workbench.editors.waitForText(
      (shown) => /^### 1 · \d/m.test(shown) && shown.includes('SHA-256'),
    );
    assert.match(text, /^POST \/openapi\/open\/v1\/file-task HTTP\/1\.1$/m);
    assert.match(text, /^Access-Key: [•*]+$/m);
    assert.match(text, /^Content-Type: multipart\/form-data;\s+boundary=/m);
    assert.match(text, /^cache-control: no-cache$/m);
    assert.match(text, /^scheme: https$/m);
    assert.match(text, /^# Form part 'file' with file 'notes\.txt'$/m);
    await workbench.explorer.chooseFor('Import to Dataset…', 'library.csv', '读书会记录.txt');
    await workbench.openContainer('Dataset Import');
    for (const name of ['library.csv', '读书会记录.txt']) await tasks.waitForRow(name, hasSucceeded);

    // It goes with its dataset when it is stopped, and the tasks stay.
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await workbench.openContainer('Dataset Import');
    await datasets.waitForWelcome(/Add Dataset…/);
    await tasks.waitForRow('notes.txt', hasSucceeded);
  });

  it('has sample files, of which one fails with its reason, within a click of its start', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await workbench.runCommand('Dataset Import: Start Sandbox');
    const started = await workbench.notifications.waitFor("Files are imported to dataset 'Sandbox'");
    await started.click('Import Sample Files');
    await workbench.openContainer('Dataset Import');
    const { description } = await tasks.waitForRow('Sample files', ({ description }) =>
      /7 succeeded/.test(description),
    );
    assert.match(description, /^1 failed · 7 succeeded · /);
    const failed = await tasks.waitForRow('Letter from 1998.txt', ({ spoken }) => spoken.startsWith('failed'));
    assert.match(failed.description, /The text is not UTF-8: see byte 72, counted from 0/);
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
  });

  it('is offered by an import that finds no dataset, which then goes on', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import to Dataset…', 'questions.jsonl');
    await workbench.quickInput.waitFor('No dataset is set up yet');
    await workbench.quickInput.pick('Try It with the Sandbox');
    await workbench.saysInStatusBar("Uploaded 'questions.jsonl' to Sandbox.");
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('questions.jsonl', hasSucceeded);
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
  });

  /** Waits until these steps of the walkthrough are completed, and no others. */
  async function waitForSteps(...completed: string[]): Promise<void> {
    const { page } = open();
    const marks = page.locator('.getting-started-step [data-done-step-id]');
    for (const step of ['sandbox', 'import', 'follow', 'dataset', 'ownImport']) {
      const checked = completed.includes(step) ? 'true' : 'false';
      await marks
        .and(page.locator(`[data-done-step-id$="#${step}"][aria-checked="${checked}"]`))
        .first()
        .waitFor();
    }
  }
});
