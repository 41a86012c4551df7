import assert from 'node:assert/strict';
import { type ReceivedRequest, ScriptedService } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { hasState } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('With multiple datasets, the extension', () => {
  const [firstKey, secondKey] = ['first-dataset-key-0123', 'second-dataset-key-0123'];
  const first = ScriptedService.duringTests();
  const second = ScriptedService.duringTests();
  const open = useWorkbench(() => ({
    files: { 'notes.txt': 'notes\n', 'dropped.txt': 'dropped\n' },
    settings: {
      'workbench.editor.useModal': 'off',
      'datasetImport.duplicates': 'import',
      'datasetImport.datasets': [
        { name: 'First', baseUrl: first.url },
        { name: 'With a user', baseUrl: 'https://me:secret@import.example.com' },
        { name: 'Second', baseUrl: second.url },
      ],
    },
  }));

  const keyOf = ({ headers }: ReceivedRequest) => headers['access-key'];
  const next = (service: ScriptedService, since: number) =>
    waitUntil('the import to arrive', async () => service.imports[since]);

  it('reports invalid entries, asks which dataset to use, and imports files to the dataset they are dropped on', async () => {
    const { workbench, page } = open();
    const { explorer, quickInput } = workbench;
    const [tasks, datasets] = [workbench.view('Tasks'), workbench.view('Datasets')];
    await workbench.openContainer('Dataset Import');
    const message = await workbench.notifications.waitFor("Dataset 'With a user' in the settings cannot be used");
    assert.match(await message.text(), /must not contain a user name/);
    await datasets.waitForRow('First', ({ description }) => description === `no access key · ${first.host}`);
    await datasets.waitForRow('Second', ({ description }) => description === `no access key · ${second.host}`);
    await datasets.waitForRow('With a user', ({ description }) => description === 'cannot be used');
    await message.click('Open Dataset Settings');
    await workbench.editors.waitForActive('settings.json');
    assert.equal(await page.locator('.tab.dirty').count(), 0, 'opening the settings has changed them');
    await workbench.notifications.clear();

    await setAccessKey(open(), 'First', firstKey);
    await explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await quickInput.waitFor('Select a dataset');
    await quickInput.pick('Second');
    assert.match(await quickInput.waitFor("Access Key of 'Second'"), new RegExp(second.url));
    await quickInput.type(secondKey);
    await quickInput.accept();
    assert.equal(keyOf(await next(second, 0)), secondKey);
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('notes.txt', hasState('succeeded'));

    await workbench.dragToRow('dropped.txt', 'Dataset Import', 'Datasets', 'First');
    assert.equal(keyOf(await next(first, 0)), firstKey);
    await tasks.waitForRow('dropped.txt', hasState('succeeded'));
    assert.equal(second.imports.length, 1);
  });
});
