import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import { importOnce } from './importOnce';
import { useWorkbench } from './useWorkbench';

describe('Import File, with the sandbox', () => {
  const open = useWorkbench(() => ({
    workspace: join(projectFolder, 'test', 'workspace'),
    settings: { 'datasetImport.sandbox.startAutomatically': true },
  }));

  it('brings a file from a right-click in the Explorer to a task that has succeeded', async () => {
    const { workbench } = open();
    const { taskId, tasks } = await importOnce(workbench, 'notes.txt');
    assert.equal(tasks.length, 1);
    assert.equal(tasks[0]?.icon, 'pass');
    assert.match(await workbench.view('Tasks').tooltip('notes.txt'), new RegExp(taskId));
  });

  it('takes several selected files, a Chinese name among them', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import File', 'library.csv', '读书会记录.txt');
    await workbench.openContainer('Dataset Import');
    for (const name of ['library.csv', '读书会记录.txt']) {
      await workbench.view('Tasks').waitForRow(name, ({ description }) => description.includes('succeeded'));
    }
  });

  it('still shows the tasks after the window is loaded anew', async () => {
    const { workbench } = open();
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    const row = await workbench.view('Tasks').waitForRow('notes.txt');
    assert.match(row.description, /succeeded/);
  });
});
