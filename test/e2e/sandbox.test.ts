import assert from 'node:assert/strict';
import { importFile, spokenRow } from './importOnce';
import { isIn } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('The sandbox', () => {
  const open = useWorkbench(() => ({ files: { 'notes.txt': 'notes\n' } }));
  afterEach(() => open().workbench.notifications.clear());

  it('completes the steps of the walkthrough one by one, and its rows stay when it stops', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    await workbench.openContainer('Dataset Import');
    await tasks.clickWelcome('Open the walkthrough');
    await page.locator('[data-step-id$="#dataset"]').first().click();
    await waitForSteps();
    await tasks.clickWelcome('Start the sandbox');
    await waitForSteps('sandbox');
    const row = await importFile(workbench, 'notes.txt');
    assert.match(spokenRow(row), /^notes\.txt {2}succeeded\b/);
    await waitForSteps('sandbox', 'import', 'follow');
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
    await tasks.waitForRow('notes.txt', isIn('succeeded'));
  });

  it('offers sample files when it starts, one of which fails with its reason', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await workbench.runCommand('Dataset Import: Start Sandbox');
    const started = await workbench.notifications.waitFor("Files are imported to dataset 'Sandbox'");
    await started.click('Import Sample Files');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('Sample files', ({ description }) => description.startsWith('1 failed · 7 succeeded · '));
    const failed = await tasks.waitForRow('Letter from 1998.txt', isIn('failed'));
    assert.match(failed.description, /Line 3, column 57 is not UTF-8/);
  });

  /** Waits until exactly these steps of the walkthrough are completed. */
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
