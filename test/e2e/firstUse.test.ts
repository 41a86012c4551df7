import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox';
import { projectFolder } from '../suites/project';
import { useWorkbench } from './useWorkbench';

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

  it('leads from a right-click to adding a dataset', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    await workbench.explorer.chooseFor('Import File', 'notes.txt');
    assert.match(await quickInput.waitFor('No dataset is set up yet'), /Import 'notes\.txt'/);
    assert.deepEqual(
      (await quickInput.rows()).map(({ label }) => label),
      ['Add Dataset…', 'Try It with the Sandbox'],
    );
    await quickInput.pick('Add Dataset…');
    await quickInput.waitFor('Add Dataset (1 of 3)');
  });

  it('checks the name as it is typed', async () => {
    const { quickInput } = open().workbench;
    await quickInput.type('   ');
    await quickInput.waitFor('Enter a name.');
    await quickInput.type('Sandbox');
    await quickInput.waitFor("The name 'Sandbox' is kept for the sandbox.");
    await quickInput.type('Manuals');
    await quickInput.waitFor('A name for the dataset');
    await quickInput.accept();
    await quickInput.waitFor('Add Dataset (2 of 3)');
  });

  for (const [typed, says] of [
    ['import service', 'This is not a URL.'],
    ['ftp://import.example.com', 'The URL must begin with https://.'],
    ['https://user@import.example.com', 'The URL must not hold a user name or a password.'],
    ['http://import.example.com', 'plain http would show the Access-Key to the network'],
    ['https://import.example.com/?key=1', 'The URL must not hold a query (?) or a fragment (#).'],
  ] as const) {
    it(`refuses the base URL '${typed}' as it is typed`, async () => {
      const { quickInput } = open().workbench;
      await quickInput.type(typed);
      await quickInput.waitFor(says);
      await quickInput.accept();
      assert.match((await quickInput.text()) ?? '', /2 of 3/);
    });
  }

  it('takes plain http to this machine and asks for the key, naming where it will be sent', async () => {
    const { quickInput } = open().workbench;
    await quickInput.type(service.baseUrl);
    await quickInput.waitFor('without the path of an operation');
    await quickInput.accept();
    const prompt = await quickInput.waitFor('Add Dataset (3 of 3)');
    assert.ok(prompt.includes(`It is sent to ${service.baseUrl} only`), prompt);
    assert.equal(await quickInput.isSecret(), true);
  });

  it('refuses a key with a space inside and trims the spaces around one', async () => {
    const { quickInput } = open().workbench;
    await quickInput.type('two words');
    await quickInput.waitFor('There is a space or a line break inside the key.');
    await quickInput.type(`  ${accessKey} `);
    await quickInput.waitFor('kept in the secret storage');
    await quickInput.accept();
  });

  it('goes on with the import that was wanted, and the tree follows the task to its end', async () => {
    const { workbench } = open();
    const told = await workbench.notifications.waitFor("'Manuals' accepted 'notes.txt' as task");
    assert.equal(await told.severity(), 'info');
    await workbench.notifications.waitForCount(1);
    await told.click('Show Task');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('notes.txt', ({ description }) => description.startsWith('running'));
    clock.nowMs += 10_000;
    const row = await tasks.waitForRow('notes.txt', ({ description }) => description.startsWith('succeeded'));
    assert.equal(row.icon, 'pass');
    assert.match(row.description, /Manuals/);
  });

  it('keeps the key over a reload of the window, and a further import asks for nothing', async () => {
    const { workbench } = open();
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('succeeded'));
    await workbench.view('Datasets').expand('Manuals');
    const key = await workbench.view('Datasets').waitForRow('Access-Key');
    assert.equal(key.description, 'set');
    await workbench.explorer.chooseFor('Import File', 'library.csv');
    await workbench.notifications.waitFor("'Manuals' accepted 'library.csv' as task");
  });

  it('goes on following an unfinished task after a reload', async () => {
    const { workbench } = open();
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('library.csv', ({ description }) => description.startsWith('running'));
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('library.csv', ({ description }) => description.startsWith('running'));
    clock.nowMs += 10_000;
    await tasks.waitForRow('library.csv', ({ description }) => description.startsWith('succeeded'));
    assert.equal((await tasks.rows()).length, 2);
  });
});
