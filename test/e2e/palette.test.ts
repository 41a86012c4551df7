import assert from 'node:assert/strict';
import { importOnce } from './importOnce';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

/** Commands that need nothing, and commands that need a task or a dataset. */
const always = ['Add Dataset…', 'Import Files…', 'Import Folder…', 'Import to Dataset…', 'Show Log', 'Start Sandbox'];
const forTasks = ['Copy Task ID', 'Export Tasks…', 'Filter Tasks…', 'Import Again', 'Show Details'];
const forDatasets = ['Stop Sandbox', 'Test Connection'];

describe('The Command Palette', () => {
  const open = useWorkbench(() => ({ files: { 'notes.txt': 'notes\n' } }));

  it('offers only what can be done: on day one, after an import, and in the next window', async () => {
    const { workbench } = open();
    await untilOffered(always, [...forTasks, ...forDatasets]);
    await workbench.runCommand('Dataset Import: Start Sandbox');
    await importOnce(workbench, 'notes.txt');
    await untilOffered([...always.filter((title) => title !== 'Start Sandbox'), ...forTasks, ...forDatasets], []);
    await workbench.explorer.show();
    await workbench.reload();
    // The view is closed: nothing has loaded the tasks yet.
    await untilOffered([...always, ...forTasks], forDatasets);
  });

  /** Waits until the palette lists all of the first titles and none of the others. */
  async function untilOffered(present: readonly string[], absent: readonly string[]): Promise<void> {
    let offered: readonly string[] = [];
    const wrong = () => [
      ...present.filter((title) => !offered.includes(title)),
      ...absent.filter((title) => offered.includes(title)),
    ];
    await waitUntil('the commands in the palette', async () => {
      offered = await open().workbench.quickInput.commandsOf('Dataset Import');
      return wrong().length === 0 || undefined;
    }).catch((error: Error) => assert.fail(`${error.message}; wrong are ${wrong().join(', ')}`));
  }
});
