import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import { editSettings } from './editSettings';
import { giveKey } from './giveKey';
import { importOnce } from './importOnce';
import { ScriptedService, taken } from './scriptedService';
import { useWorkbench } from './useWorkbench';

describe('The walkthrough', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(() => ({ workspace: join(projectFolder, 'test', 'workspace') }));

  /** Waits until these steps are completed, and no others. */
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

  async function showWalkthrough(): Promise<void> {
    await open()
      .page.locator('.tabs-container .tab', { hasText: /^Welcome$/ })
      .click();
  }

  it('opens from the welcome, and completes each step once it is so, up to an import to an own dataset', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    await workbench.openContainer('Dataset Import');
    await tasks.clickWelcome('Open the walkthrough');
    await page.locator('[data-step-id$="#dataset"]').first().click();
    await waitForSteps();

    await tasks.clickWelcome('Start the sandbox');
    await waitForSteps('sandbox');
    await importOnce(workbench, 'notes.txt');
    await waitForSteps('sandbox', 'import', 'follow');

    service.fileTask = () => taken('{"taskId":"t-1"}');
    await editSettings(
      open(),
      JSON.stringify({ 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] }),
    );
    await giveKey(open(), 'Manuals', 'a-key-0123456789');
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await showWalkthrough();
    await waitForSteps('sandbox', 'import', 'follow', 'dataset');
    await importOnce(workbench, 'welcome.md', 'Manuals');
    await waitForSteps('sandbox', 'import', 'follow', 'dataset', 'ownImport');
  });
});
