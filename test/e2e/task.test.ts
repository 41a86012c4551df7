import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsFile } from './editSettings';
import { giveKey } from './giveKey';
import { refused, ScriptedService, value } from './scriptedService';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('A task', () => {
  const oddName = 'a%20b #1?é&.txt';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: { 'linked.txt': 'some text\n', [oddName]: 'some more text\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'task-actions-key-0123'),
  );
  afterEach(() => open().workbench.notifications.clear());

  it('has its actions in its details, each a click away, and by Enter', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'linked.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('linked.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    await tasks.select('linked.txt');
    await workbench.editors.clickLens('Open Source File');
    await workbench.editors.waitForActive(/^linked\.txt$/);
    await tasks.select('linked.txt');
    await workbench.editors.waitForText((text) => text.includes('Timeline'));
    await workbench.runCommand('View: Focus Active Editor Group');
    await page.keyboard.press('Enter');
    await workbench.quickInput.waitFor('Select what to do next');
    await workbench.quickInput.pick('Show Last Response');
    await workbench.editors.waitForActive('linked.txt (last response).json');
  });

  it('with an id of letters is followed by Track Task by ID…', async () => {
    const { workbench } = open();
    service.queryTask = () => value('{"taskId":"abc-1","status":"SUCCEEDED"}');
    await workbench.openContainer('Dataset Import');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.waitFor("Enter the ID of a task of dataset 'Manuals'");
    await workbench.quickInput.type('  ');
    await workbench.quickInput.waitFor('Enter the ID of a task.');
    await workbench.quickInput.type(' abc-1 ');
    await workbench.quickInput.accept();
    await workbench.view('Tasks').waitForRow('abc-1', ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal(service.queries.at(-1), '{"taskId":"abc-1"}');
  });

  it('with an id of digits is followed by Track Task by ID…, which asks whether they are a number and sends them so', async () => {
    const { workbench } = open();
    const id = '9007199254740993555';
    service.queryTask = () => value(`{"taskId":${id},"status":"SUCCEEDED"}`);
    await workbench.openContainer('Dataset Import');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.answer("Enter the ID of a task of dataset 'Manuals'", id);
    await workbench.quickInput.waitFor('Select how the service writes this ID in JSON');
    await workbench.quickInput.pick(id);
    await workbench.view('Tasks').waitForRow(id, ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal(service.queries.at(-1), `{"taskId":${id}}`);
  });

  it('whose id the service does not know is told of, and its row shows it', async () => {
    const { workbench } = open();
    service.queryTask = () => refused('1003', 'There is no such task.');
    await workbench.openContainer('Dataset Import');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.answer("Enter the ID of a task of dataset 'Manuals'", 'no-such-task');
    const told = await workbench.notifications.waitFor(
      /The status check of 'no-such-task' failed: code 1003: .*There is no such task\./,
    );
    assert.equal(await told.severity(), 'error');
    await workbench
      .view('Tasks')
      .waitForRow('no-such-task', ({ description }) => description.includes('status check rejected'));
  });

  it('has its details open again after a reload, with the focus, and they follow it; a sandbox starts then that the settings ask for', async () => {
    const { workbench, page } = open();
    const tab = `${oddName} (details)`;
    const tasks = workbench.view('Tasks');
    service.queryTask = () => value('{"status":"RUNNING"}');
    await workbench.runCommand('View: Close All Editors');
    await workbench.explorer.chooseFor('Import to Dataset…', oddName);
    await workbench.openContainer('Dataset Import');
    const isRunning = ({ spoken }: TreeRow) => spoken.startsWith('running');
    await tasks.waitForRow(oddName, isRunning);
    await tasks.select(oddName);
    await workbench.editors.waitForText((text) => text.startsWith(`${oddName}\nRunning`));
    const settings = readFileSync(settingsFile(open()), 'utf8');
    writeFileSync(settingsFile(open()), settings.replace('{', '{ "datasetImport.sandbox.startAutomatically": true,'));
    await workbench.reload();
    await workbench.editors.waitForText((text) => text.startsWith(`${oddName}\nRunning`));
    await workbench.editors.waitForActive(tab);
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.editors.waitForText((text) => text.startsWith(`${oddName}\nSucceeded`));
    await page.keyboard.press('ControlOrMeta+S');
    await page.keyboard.type('x');
    await page.locator('p', { hasText: 'Task details cannot be edited.' }).waitFor();
    assert.deepEqual(await workbench.editors.tabs(), [tab]);
    assert.equal(await page.locator('.tabs-container .tab.dirty').count(), 0);
    await workbench.view('Datasets').waitForRow('Sandbox');
  });
});
