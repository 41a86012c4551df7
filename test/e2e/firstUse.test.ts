import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox';
import { projectFolder } from '../suites/project';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('A first import with nothing set up', () => {
  const accessKey = 'first-use-key-0123456789';
  // The service's tasks stand still until the test moves its clock on.
  const clock = { nowMs: 0 };
  let service: Sandbox;
  before(async () => {
    service = await startSandbox({ accessKey, now: () => clock.nowMs });
  });
  after(() => service.close());
  const open = useWorkbench(() => ({ workspace: join(projectFolder, 'test', 'workspace') }));

  it('leads from a right-click over adding a dataset to a task that is followed to its end, over a reload too', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    const tasks = workbench.view('Tasks');
    const { host } = new URL(service.baseUrl);
    const isIn = (state: string) => (row: TreeRow) => row.spoken.startsWith(state);
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    assert.match(await quickInput.waitFor('No dataset is set up yet'), /Import 'notes\.txt'/);
    assert.deepEqual(
      (await quickInput.rows()).map(({ label }) => label),
      ['Add Dataset…', 'Try It with the Sandbox'],
    );
    await quickInput.pick('Add Dataset…');
    assert.match(await quickInput.waitFor('Enter the base URL of the service.'), /Add Dataset \(1\/2\)/);
    await quickInput.type(`${host}/openapi/open/v1/file-task`);
    await quickInput.waitFor(`'/openapi/open/v1/file-task' belongs to an operation and is left out. The base URL is`);
    await quickInput.accept();
    const prompt = await quickInput.waitFor('Paste the access key');
    assert.match(prompt, /Add Dataset \(2\/2\)/);
    assert.ok(prompt.includes(`stored securely and sent only to ${service.baseUrl}. `), prompt);
    assert.equal(await quickInput.isSecret(), true);
    await quickInput.type('two words');
    await quickInput.waitFor('The access key contains a space or a line break.');
    await quickInput.type(`  ${accessKey} `);
    await quickInput.waitFor('It is stored securely');
    await quickInput.accept();

    const told = await notifications.waitFor(`Uploaded 'notes.txt' to ${host}.`);
    assert.equal(await told.severity(), 'info');
    await notifications.waitForCount(1);
    // The view has opened with the very first import.
    await tasks.waitForRow('notes.txt', isIn('running'));
    await workbench.explorer.show();
    await told.click('Show Task');
    await tasks.waitForRow('notes.txt', isIn('running'));
    await workbench.saysInStatusBar('1 task running');
    clock.nowMs += 10_000;
    const row = await tasks.waitForRow('notes.txt', isIn('succeeded'));
    assert.equal(row.icon, 'pass');
    // The only dataset goes without saying.
    assert.doesNotMatch(row.description, /127\.0\.0\.1/);

    // A further import asks for nothing.
    await workbench.explorer.chooseFor('Import to Dataset…', 'library.csv');
    await workbench.saysInStatusBar(`Uploaded 'library.csv' to ${host}.`);
    // The side bar stays as it is with every further import.
    assert.equal(await tasks.isShown(), false);
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('library.csv', isIn('running'));
    // Over a reload, the view that is open is filled, the key is still there, and a task that has not ended is followed on.
    await workbench.reload();
    await tasks.waitForRow('notes.txt', isIn('succeeded'));
    await tasks.waitForRow('library.csv', isIn('running'));
    await workbench.view('Datasets').expand(host);
    assert.equal((await workbench.view('Datasets').waitForRow('Access Key')).description, 'set');
    clock.nowMs += 10_000;
    await tasks.waitForRow('library.csv', isIn('succeeded'));
    assert.equal((await tasks.rows()).length, 2);
    await waitUntil('the status bar to tell of no task', async () =>
      (await workbench.statusBar()).some((text) => text.includes('running')) ? undefined : true,
    );
  });

  it('checks the base URL as it is typed', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.runCommand('Dataset Import: Add Dataset…');
    await quickInput.waitFor('Enter the base URL of the service.');
    for (const [typed, says] of [
      ['import service', 'Enter a valid URL'],
      ['https:import.example.com', 'Enter a valid URL'],
      ['ftp://import.example.com', 'The URL must begin with https://.'],
      ['https://user@import.example.com', 'The URL must not contain a user name or password.'],
      ['http://import.example.com', 'Plain HTTP would expose the access key on the network.'],
      ['https://import.example.com/?key=1', 'The URL must not contain a query (?) or fragment (#).'],
    ] as const) {
      await quickInput.type(typed);
      await quickInput.waitFor(says);
      await quickInput.accept();
    }
    // What was not accepted has led nowhere: the same box takes what can be used.
    await quickInput.type('import.example.com');
    await quickInput.waitFor('The base URL is https://import.example.com.');
    await quickInput.accept();
    await quickInput.waitFor('Paste the access key');
    await quickInput.cancel();
    await quickInput.closed();
  });

  it('begins with what was typed before, goes back a step, and offers what comes next', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    await workbench.runCommand('Dataset Import: Add Dataset…');
    await quickInput.waitFor('The base URL is https://import.example.com.');
    await quickInput.waitForValue('import.example.com');
    await quickInput.accept();
    await quickInput.waitFor('Paste the access key');
    await quickInput.type('a-key-that-is-kept-0123');
    await quickInput.goBack();
    await quickInput.waitFor('The base URL is https://import.example.com.');
    assert.equal(await quickInput.isSecret(), false);
    await quickInput.type('https://letters.example.com');
    await quickInput.accept();
    await quickInput.waitFor('stored securely and sent only to letters.example.com.');
    await quickInput.waitForValue('a-key-that-is-kept-0123');
    assert.equal(await quickInput.isSecret(), true);
    await quickInput.accept();
    const told = await notifications.waitFor("Dataset 'letters.example.com' added.");
    assert.deepEqual(await told.buttons(), ['Test Connection', 'Set as Default', 'Import Files…']);
    await told.click('Set as Default');
    await workbench.openContainer('Dataset Import');
    const isDefault = ({ description }: TreeRow) => description === 'default';
    await workbench.view('Datasets').waitForRow('letters.example.com', isDefault);
    await notifications.clear();
  });
});
