import assert from 'node:assert/strict';
import { importFile } from './importFile';
import { hasState } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

/** Commands that are always available, and commands that need a task or dataset. */
const always = ['Add Dataset…', 'Import Files…', 'Import Folder…', 'Import to Dataset…', 'Show Log', 'Start Sandbox'];
const forTasks = ['Copy Task ID', 'Export Tasks…', 'Filter Tasks…', 'Import Again', 'Show Details'];
const forDatasets = ['Stop Sandbox', 'Test Connection'];

describe('The sandbox', () => {
  const open = useWorkbench(() => ({ files: { 'notes.txt': 'notes\n' } }));
  afterEach(() => open().workbench.notifications.clear());

  it('completes walkthrough steps, enables palette commands, and leaves its rows in the list when it stops', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    await untilOffered(always, [...forTasks, ...forDatasets]);
    await workbench.openContainer('Dataset Import');
    await tasks.clickWelcome('Open the walkthrough');
    await page.locator('[data-step-id$="#dataset"]').first().click();
    await waitForSteps();
    await tasks.clickWelcome('Start the sandbox');
    await waitForSteps('sandbox');
    await importFile(workbench, 'notes.txt');
    await waitForSteps('sandbox', 'import', 'follow');
    await untilOffered([...always.filter((title) => title !== 'Start Sandbox'), ...forTasks, ...forDatasets], []);
    await workbench.runCommand('Dataset Import: Stop Sandbox');
    await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
    await tasks.waitForRow('notes.txt', hasState('succeeded'));
    // If the walkthrough reopened, it would steal focus from the palette.
    await workbench.runCommand('View: Close All Editors');
    await workbench.explorer.show();
    await workbench.reload();
    // The Tasks view is closed, so nothing has loaded the tasks yet.
    await untilOffered([...always, ...forTasks], forDatasets);
  });

  it('offers sample files when it starts, and explains why one of them fails', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await workbench.runCommand('Dataset Import: Start Sandbox');
    const started = await workbench.notifications.waitFor("The sandbox is running as dataset 'Sandbox'");
    await started.click('Import Sample Files');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('Sample files', ({ description }) => description.startsWith('failed: 1 · succeeded: 7'));
    const failed = await tasks.waitForRow('Letter from 1998.txt', hasState('failed'));
    assert.match(failed.description, /Line 3, column 57 is not UTF-8/);
  });

  /** Waits until exactly these walkthrough steps are completed. */
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

  /** Waits until the palette lists all of the `present` titles and none of the `absent` titles. */
  async function untilOffered(present: readonly string[], absent: readonly string[]): Promise<void> {
    let offered: readonly string[] = [];
    const wrong = () => [
      ...present.filter((title) => !offered.includes(title)),
      ...absent.filter((title) => offered.includes(title)),
    ];
    await waitUntil('the commands in the palette', async () => {
      offered = await open().workbench.quickInput.commandsOf('Dataset Import');
      return wrong().length === 0 || undefined;
    }).catch((error: Error) => assert.fail(`${error.message}; wrong: ${wrong().join(', ')}`));
  }
});
