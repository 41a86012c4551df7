import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('The views, for a screen reader', () => {
  const service = ScriptedService.duringTests();
  service.fileTask = ({ body }) =>
    value(`{"taskId":"${body.includes('broken.txt') ? 'broken' : `task-${service.imports.length}`}"}`);
  // Of the task that failed, the extension asks twice.
  service.queryTask = ({ body }) =>
    value(body.includes('broken') ? '{"status":"FAILED","message":"line 3 is too long"}' : '{"status":"SUCCEEDED"}');
  const open = useWorkbench(
    () => ({
      files: {
        'notes.txt': 'notes\n',
        'broken.txt': 'broken\n',
        'later.txt': 'later\n',
        'docs/a.txt': 'a\n',
        'docs/b.txt': 'b\n',
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'accessibility-key-0123'),
  );
  afterEach(() => open().workbench.notifications.clear());

  it('say of each task its name, its state, when it was imported and where to', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    await workbench.explorer.chooseFor('Import to Dataset…', 'broken.txt');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('broken.txt', ({ spoken }) => spoken.startsWith('failed'));
    assert.deepEqual((await spokenRows()).slice(0, 2), [
      'broken.txt, failed, line 3 is too long, just now, dataset Manuals',
      'notes.txt, succeeded, just now, dataset Manuals',
    ]);
  });

  it('say of a batch how many files it has, and of a group how many tasks', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
    await workbench.quickInput.waitFor('Import 2 files');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('docs', ({ description }) => description.startsWith('2 succeeded'));
    assert.ok((await spokenRows()).includes('docs, 2 files, 4 bytes, 2 succeeded, just now, dataset Manuals'));
    await workbench.runCommand('Dataset Import: Group Tasks By…');
    await workbench.quickInput.pick('State');
    await workbench.view('Tasks').waitForRow('Failed');
    const groups = await spokenRows();
    for (const group of ['Failed, 1 task', 'Succeeded, 3 tasks']) assert.ok(groups.includes(group), groups.join(' | '));
  });

  it('name every icon', async () => {
    const { page, workbench } = open();
    // Icons are there where the view has the focus.
    await workbench.view('Tasks').select('Failed');
    const seen = await page
      .locator('.pane')
      .filter({ has: page.locator('.pane-header[aria-label^="Tasks"]') })
      .ariaSnapshot();
    assert.match(seen, /button "Import Files…"/);
    assert.doesNotMatch(seen, /- button(?! ")/);
  });

  it('have the focus again once a question, a list or an input that they opened is left', async () => {
    const { page, workbench } = open();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').select('Failed');
    const focused = async () => (await page.locator('.pane-body .monaco-list:focus-within').count()) === 1;
    assert.equal(await focused(), true);
    for (const [command, says] of [
      ['Group Tasks By…', 'Group Tasks By'],
      ['Filter Tasks…', 'Filter'],
    ] as const) {
      await workbench.runCommand(`Dataset Import: ${command}`);
      await workbench.quickInput.waitFor(says);
      await workbench.quickInput.cancel();
      await workbench.quickInput.closed();
      await waitUntil(`the view to have the focus after "${command}"`, async () => (await focused()) || undefined);
    }
    await workbench.runCommand('Dataset Import: Clear Finished Tasks');
    await workbench.dialog.waitFor('Clear');
    await page.keyboard.press('Escape');
    await waitUntil('the view to have the focus after the question', async () => (await focused()) || undefined);
  });

  it('do not move for a person who prefers that', async () => {
    const { page, workbench } = open();
    service.queryTask = () => value('{"status":"RUNNING"}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'later.txt');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('Running');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = "document.getAnimations().filter(({ playState }) => playState === 'running').length";
    await waitUntil('everything to stand still', async () => (await page.evaluate(moving)) === 0 || undefined);
  });

  /** The names of the rows of the view Tasks in the accessibility tree of the browser. */
  async function spokenRows(): Promise<string[]> {
    const { page } = open();
    const pane = page.locator('.pane').filter({ has: page.locator('.pane-header[aria-label^="Tasks"]') });
    const seen = await pane.ariaSnapshot();
    return [...seen.matchAll(/- 'treeitem "(.*?)"|- treeitem "(.*?)"/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
  }
});
