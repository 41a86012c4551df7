import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import { importOnce } from './importOnce';
import { useWorkbench } from './useWorkbench';

describe('The installed extension', () => {
  const open = useWorkbench(() => ({ workspace: join(projectFolder, 'test', 'workspace') }));

  it('starts its sandbox, imports a file from the Explorer and shows that it succeeded', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Start Sandbox');
    await importOnce(workbench, 'notes.txt');
    const rows = await workbench.view('Tasks').rows();
    assert.deepEqual(
      rows.map(({ label, icon }) => [label, icon]),
      [['notes.txt', 'pass']],
    );
  });
});
