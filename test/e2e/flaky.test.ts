import assert from 'node:assert/strict';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';

/** How the imports end that go one after another through the troubles of the sandbox's flaky network. */
const ends = [
  'accepted',
  'unconfirmed',
  'accepted',
  'unconfirmed',
  'accepted',
  // Turned away with a 429 at first, and sent again by itself.
  'accepted',
  'unconfirmed',
  'accepted',
  'unconfirmed',
  'accepted',
  'unconfirmed',
  'accepted',
  'unconfirmed',
  'accepted',
  'accepted',
  'accepted',
  'rejected',
  'accepted',
  'unconfirmed',
  'accepted',
] as const;

describe('A flaky network', () => {
  const names = ends.map((_, index) => `file-${String(index + 1).padStart(2, '0')}.txt`);
  const open = useWorkbench(
    () => ({
      files: {
        ...Object.fromEntries(names.map((name) => [`docs/${name}`, `the text of ${name}\n`])),
        'dropped.txt': 'dropped\n',
      },
      settings: { 'datasetImport.concurrentImports': 1 },
    }),
    async ({ workbench }) => {
      await workbench.runCommand('Dataset Import: Start Sandbox As…');
      await workbench.quickInput.pick('Flaky network');
      await workbench.notifications.waitFor("dataset 'Sandbox'");
      await workbench.notifications.clear();
      await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
      await workbench.quickInput.waitFor('Import 20 files');
      await workbench.quickInput.accept();
      // The view opens by itself with the first import; a click at that moment would race with it.
      await workbench.notifications.waitFor(
        'Uploaded 12 of 20 files to Sandbox. 1 file was rejected. 7 files are unconfirmed.',
      );
      await workbench.notifications.clear();
      await workbench.openContainer('Dataset Import');
      await workbench.view('Tasks').expand('docs');
    },
  );
  afterEach(() => open().workbench.notifications.clear());

  const isIn = (state: string) => (row: TreeRow) => row.spoken.startsWith(state);

  it('leaves no doubt about any file: each is accepted, rejected or unconfirmed', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const isAccepted = ({ spoken }: TreeRow) => !/^(rejected|unconfirmed|not uploaded|queued|importing)/.test(spoken);
    for (const [index, end] of ends.entries()) {
      await tasks.waitForRow(names[index] ?? '', end === 'accepted' ? isAccepted : isIn(end));
    }
  });

  it('is met by sending again what was turned away, and every try is told in its details', async () => {
    const { workbench } = open();
    await workbench.view('Tasks').select('file-06.txt');
    await workbench.editors.waitForText((text) => /Attempt 1 was .* code 429: .* Attempt 2 was accepted/s.test(text));
  });

  it('lets a person settle what is not certain: look there and attach the task', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const value = (await tasks.tooltip('file-01.txt')).match(/Task ID: (\S+)/)?.[1] ?? '';
    await tasks.chooseFor('Attach Task ID…', 'file-11.txt');
    await workbench.quickInput.answer('Attach Task ID', 'no-such-task');
    await workbench.dialog.waitFor(/knows? task no-such-task/);
    await workbench.dialog.click('Cancel');
    await tasks.waitForRow('file-11.txt', isIn('unconfirmed'));
    await tasks.chooseFor('Attach Task ID…', 'file-11.txt');
    await workbench.quickInput.answer('Attach Task ID', value);
    await workbench.dialog.waitFor("is already attached to 'file-01.txt'. Attach it to 'file-11.txt' too?");
    await workbench.dialog.click('Attach');
    await tasks.waitForRow('file-11.txt', isIn('succeeded'));
  });

  it('lets a person send again what may have been taken, after a warning', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await tasks.chooseFor('Import Again', 'file-02.txt');
    assert.match(
      await workbench.dialog.waitFor("Import 'file-02.txt' again?"),
      /Importing again may create a duplicate/,
    );
    await workbench.dialog.click('Import Again');
    const told = await workbench.notifications.waitFor(/'file-02\.txt'/);
    // The next request meets the next trouble.
    assert.match(await told.text(), /Uploaded 'file-02\.txt'|The import of/);
  });

  it('lets a person remove what is not worth a look, and says where the service may have received it', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await tasks.chooseFor('Remove from List', 'file-17.txt');
    await tasks.waitForRows((rows) => !rows.some(({ label }) => label === 'file-17.txt'));
    await tasks.chooseFor('Remove from List', 'file-04.txt');
    await workbench.notifications.waitFor("Removed 'file-04.txt' from the list. Sandbox may have received it.");
    await tasks.waitForRows((rows) => !rows.some(({ label }) => label === 'file-04.txt'));
  });

  it('takes a file that is dropped on the view', async () => {
    const { workbench } = open();
    await workbench.dragToView('dropped.txt', 'Dataset Import', 'Tasks');
    await workbench.view('Tasks').waitForRow('dropped.txt');
  });
});
