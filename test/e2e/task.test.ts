import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { importFile } from './importOnce';
import { ScriptedService, value } from './scriptedService';
import { isIn } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('The details of a task', () => {
  const oddName = 'a%20b #1?é&.txt';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: { 'linked.txt': 'some text\n', [oddName]: 'some more text\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'task-details-key-0123'),
  );
  afterEach(async () => {
    await open().workbench.notifications.clear();
    await open().workbench.runCommand('View: Close All Editors');
  });

  it('offer each action as a link between the lines, and all of them by Enter', async () => {
    const { workbench, page } = open();
    const { editors } = workbench;
    const tasks = workbench.view('Tasks');
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await importFile(workbench, 'linked.txt');
    await tasks.select('linked.txt');
    await editors.clickLens('Open Source File');
    await editors.waitForActive(/^linked\.txt$/);
    await tasks.select('linked.txt');
    await editors.waitForText((text) => text.includes('Timeline'));
    await workbench.runCommand('View: Focus Active Editor Group');
    await page.keyboard.press('Enter');
    await workbench.quickInput.waitFor('Select what to do next');
    await workbench.quickInput.pick('Open Source File');
    await editors.waitForActive(/^linked\.txt$/);
  });

  it('open again after a reload, follow the task to its end, and cannot be edited', async () => {
    const { workbench, page } = open();
    const { editors } = workbench;
    const tab = `${oddName} (details)`;
    service.queryTask = () => value('{"status":"RUNNING"}');
    await workbench.explorer.chooseFor('Import to Dataset…', oddName);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow(oddName, isIn('running'));
    await workbench.view('Tasks').select(oddName);
    await editors.waitForText((text) => text.startsWith(`${oddName}\nRunning`));
    await workbench.reload();
    await editors.waitForText((text) => text.startsWith(`${oddName}\nRunning`));
    await editors.waitForActive(tab);
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await editors.waitForText((text) => text.startsWith(`${oddName}\nSucceeded`));
    await page.keyboard.press('ControlOrMeta+S');
    await page.keyboard.type('x');
    await page.locator('p', { hasText: 'Task details cannot be edited.' }).waitFor();
    assert.deepEqual(await editors.tabs(), [tab]);
    assert.equal(await page.locator('.tabs-container .tab.dirty').count(), 0);
  });
});
