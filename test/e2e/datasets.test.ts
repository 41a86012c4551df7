import assert from 'node:assert/strict';
import { ScriptedService } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { hasState } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('The Datasets view', () => {
  const key = 'first-dataset-key-0123';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(() => ({
    files: { 'dropped.txt': 'dropped\n' },
    settings: {
      'workbench.editor.useModal': 'off',
      'datasetImport.datasets': [
        { name: 'First', baseUrl: service.url },
        { name: 'With a user', baseUrl: 'https://me:secret@import.example.com' },
      ],
    },
  }));

  it('opens the settings without changing them if an entry is invalid, and imports files to the dataset they are dropped on', async () => {
    const { workbench, page } = open();
    await workbench.openContainer('Dataset Import');
    const message = await workbench.notifications.waitFor("Dataset 'With a user' in the settings cannot be used");
    await message.click('Open Dataset Settings');
    await workbench.editors.waitForActive('settings.json');
    assert.equal(await page.locator('.tab.dirty').count(), 0, 'opening the settings has changed them');
    await workbench.notifications.clear();

    await setAccessKey(open(), 'First', key);
    await workbench.dragToRow('dropped.txt', 'Dataset Import', 'Datasets', 'First');
    await workbench.view('Tasks').waitForRow('dropped.txt', hasState('succeeded'));
    assert.deepEqual(
      service.imports.map(({ headers }) => headers['access-key']),
      [key],
    );
  });
});
