import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { ScriptedService, value } from './scriptedService';
import type { TreeRow, TreeView } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('The details of a task that were open before the window was reloaded', () => {
  const name = 'a%20b #1?é&.txt';
  const tab = `${name} (details)`;
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: { [name]: 'some text\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'details-key-0123'),
  );

  it('are open again, with the focus, and follow their task', async () => {
    const { workbench, page } = open();
    service.queryTask = () => value('{"status":"RUNNING"}');
    await workbench.explorer.chooseFor('Import to Dataset…', name);
    await workbench.openContainer('Dataset Import');
    const isRunning = ({ spoken }: TreeRow) => spoken.startsWith('running');
    await tasks().waitForRow(name, isRunning);
    await tasks().select(name);
    await workbench.editors.waitForText((text) => text.startsWith(`${name}\nRunning`));
    await reload();
    await workbench.editors.waitForText((text) => text.startsWith(`${name}\nRunning`));
    await workbench.editors.waitForActive(tab);
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.editors.waitForText((text) => text.startsWith(`${name}\nSucceeded`));
    await page.keyboard.press('ControlOrMeta+S');
    await page.keyboard.type('x');
    await page.locator('p', { hasText: 'Task details cannot be edited.' }).waitFor();
    assert.deepEqual(await workbench.editors.tabs(), [tab]);
    assert.equal(await page.locator('.tabs-container .tab.dirty').count(), 0);
  });

  it('say so where the task is no longer in the list', async () => {
    const { workbench } = open();
    await tasks().chooseFor('Remove from List', name);
    await workbench.editors.waitForText((text) => text.startsWith('This task is no longer in the list.'));
    await reload();
    await workbench.editors.waitForText((text) => text.startsWith('This task is no longer in the list.'));
    assert.deepEqual(await workbench.editors.tabs(), [tab]);
  });

  function tasks(): TreeView {
    return open().workbench.view('Tasks');
  }

  /** By the command, which waits until the browser has stored what is open. */
  async function reload(): Promise<void> {
    const { workbench, page } = open();
    await Promise.all([page.waitForEvent('load'), workbench.runCommand('Developer: Reload Window')]);
    await workbench.ready();
  }
});
