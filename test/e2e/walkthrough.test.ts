import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import { importOnce } from './importOnce';
import { useWorkbench } from './useWorkbench';

describe('The walkthrough', () => {
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

  it('opens from the welcome, and completes each step of the sandbox once it is so, and no other', async () => {
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
  });
});
