import assert from 'node:assert/strict';
import { importFile } from './importFile';
import { useWorkbench } from './useWorkbench';

describe('A first import with the sandbox', () => {
  const open = useWorkbench(() => ({ files: { 'notes.txt': 'notes\n' } }));

  it('starts in the welcome view, continues in the Explorer, and finishes in the Tasks view', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForWelcome(/Nothing leaves this machine/);
    await tasks.clickWelcome('Start the sandbox');
    const { description } = await workbench.view('Datasets').waitForRow('Sandbox');
    assert.match(description, /127\.0\.0\.1:\d+$/);
    assert.equal((await importFile(workbench, 'notes.txt')).icon, 'pass');
    assert.equal((await tasks.rows()).map(({ label }) => label).join(), 'notes.txt');
  });
});
