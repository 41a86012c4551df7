import assert from 'node:assert/strict';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox';
import { english } from '../unit/sandbox/runSandbox';
import { hasState } from './treeView';
import { useWorkbench } from './useWorkbench';

describe("A user's first import", () => {
  // Tasks make progress only when the test advances the service's clock.
  const clock = { nowMs: 0 };
  let service: Sandbox;
  before(async () => {
    service = await startSandbox({ l10n: english, now: () => clock.nowMs });
  });
  after(() => service.close());
  const open = useWorkbench(() => ({ files: { 'notes.txt': 'notes\n', 'library.csv': 'a,b\n' } }));
  afterEach(() => open().workbench.notifications.clear());

  it('starts by asking for a dataset, and survives a window reload', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    const { host } = new URL(service.baseUrl);
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await quickInput.waitFor('No dataset is set up yet');
    assert.equal((await quickInput.rows()).map(({ label }) => label).join(), 'Add Dataset…,Try It with the Sandbox');
    await quickInput.pick('Add Dataset…');
    await quickInput.answer('Enter the base URL of the service.', service.baseUrl);
    const prompt = await quickInput.waitFor('Paste the access key');
    assert.ok(prompt.includes(`stored securely and sent only to ${service.baseUrl}. `), prompt);
    assert.equal(await quickInput.isSecret(), true);
    await quickInput.type(`  ${service.accessKey} `);
    await quickInput.accept();
    await quickInput.waitFor('Enter a name for the dataset.');
    await quickInput.waitForValue(host);
    await quickInput.accept();

    // The user's first import opens the view.
    await tasks.waitForRow('notes.txt', hasState('running'));
    await workbench.explorer.show();
    await workbench.openContainer('Dataset Import');
    clock.nowMs += 10_000;
    await tasks.waitForRow('notes.txt', hasState('succeeded'));

    // The next import doesn't ask for anything and leaves the side bar unchanged.
    await workbench.explorer.chooseFor('Import to Dataset…', 'library.csv');
    assert.equal(await tasks.isShown(), false);
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('library.csv', hasState('running'));
    await workbench.reload();
    await tasks.waitForRow('library.csv', hasState('running'));
    await workbench.view('Datasets').expand(host);
    assert.equal((await workbench.view('Datasets').waitForRow('Access Key')).description, 'set');
    clock.nowMs += 10_000;
    await tasks.waitForRow('library.csv', hasState('succeeded'));
    assert.equal((await tasks.rows()).length, 2);
  });
});
