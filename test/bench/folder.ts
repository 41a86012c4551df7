import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openWorkbench } from '../e2e/openWorkbench';
import { setAccessKey } from '../e2e/setAccessKey';
import { waitUntil } from '../e2e/waitUntil';
import { packageExtension } from '../suites/build';
import type { Comparison } from './comparison';
import { makeFiles } from './makeFiles';
import { startReceiver } from './startReceiver';

/** The number of files in each subfolder of the imported folder. */
const FILES_PER_FOLDER = 1000;

/**
 * Measures importing a very large folder in a real window: the time from choosing Import to Dataset until the file list
 * appears, from confirming that list until the service receives the first file, and from confirming Cancel Import until
 * the last import is canceled. Then measures how long the Tasks view takes to show these files after a window reload.
 * Each measured time is shown with its limit.
 */
export async function folder(short: boolean): Promise<Comparison[]> {
  const count = short ? FILES_PER_FOLDER : 100_000;
  await packageExtension();
  const receiver = await startReceiver(20);
  const opened = await openWorkbench({
    files: { 'notes.txt': 'a file beside the folder\n' },
    settings: {
      'datasetImport.datasets': [{ name: 'Manuals', baseUrl: receiver.baseUrl.origin }],
      // Otherwise, VS Code's own watcher would also read all files.
      'files.watcherExclude': { '**': true },
    },
  });
  try {
    const { workbench, workspaceFolder } = opened;
    await setAccessKey(opened, 'Manuals', '9f86d081884c7d659a2feaa0c55ad015');
    mkdirSync(join(workspaceFolder, 'folder'));
    for (let made = 0; made < count; made += FILES_PER_FOLDER)
      makeFiles(join(workspaceFolder, 'folder', String(made)), FILES_PER_FOLDER);
    await workbench.explorer.show();
    await workbench.runCommand('Refresh Explorer');
    await workbench.explorer.waitFor('folder');

    const clicked = performance.now();
    await workbench.explorer.chooseFor('Import to Dataset…', 'folder');
    await workbench.quickInput.waitFor(`Import to Manuals: ${count.toLocaleString('en')} of`);
    const listed = performance.now();
    await workbench.quickInput.accept();
    const entered = performance.now();
    await waitUntil('the first file', async () => ((await receiver.received()).posts > 0 ? true : undefined));
    const sent = performance.now();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('folder', ({ description }) => description.includes('queued'));
    await workbench.runCommand('Dataset Import: Cancel Import');
    await workbench.quickInput.waitFor('Cancel Import');
    const canceling = performance.now();
    await workbench.quickInput.accept();
    await workbench.view('Tasks').waitForRow('folder', ({ description }) => !description.includes('queued'));
    const canceled = performance.now();
    await workbench.reload();
    const reloaded = performance.now();
    await workbench.view('Tasks').waitForRow('folder');
    const shown = performance.now();
    await workbench.view('Tasks').expand('folder');
    await workbench.view('Tasks').waitForRows((rows) => rows.length > 1);
    const expanded = performance.now();

    const withLimit = (title: string, ms: number, aim: number): Comparison => ({
      title,
      runs: [{ ms: { 'Dataset Import': ms, 'at most': aim } }],
      show: (value) => `${(value / 1000).toFixed(1)} s`,
    });
    return [
      withLimit(`A folder of ${count} files: from the click to the list`, listed - clicked, 6000),
      withLimit('… from Enter to the first file at the service', sent - entered, 5000),
      withLimit('… from Enter in the list of Cancel Import to the last import canceled', canceled - canceling, 3000),
      withLimit('… from the end of a window reload to the batch in the Tasks view', shown - reloaded, 3000),
      withLimit('… from a click on the batch to its first rows', expanded - shown, 1000),
    ];
  } finally {
    await opened.close();
  }
}
