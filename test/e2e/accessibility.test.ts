import assert from 'node:assert/strict';
import { importFile } from './importFile';
import { rejected, ScriptedService, value } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('The Tasks view', () => {
  const service = ScriptedService.duringTests();
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
    (opened) => setAccessKey(opened, 'Manuals', 'accessibility-key-0123'),
  );

  it('supports screen readers, restores focus, and respects reduced motion', async () => {
    const { workbench, page } = open();
    const { explorer, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    service.fileTask = ({ body }) =>
      body.includes('broken.txt')
        ? rejected('7', 'line 3 is too long')
        : value(`{"taskId":"task-${service.imports.length}"}`);
    await importFile(workbench, 'notes.txt');
    await importFile(workbench, 'broken.txt', 'rejected');
    await explorer.chooseFor('Import to Dataset…', 'docs');
    await quickInput.waitFor('Import to Manuals: 2 of 2');
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('docs', ({ description }) => description.startsWith('succeeded: 2'));
    for (const row of [
      /^broken\.txt, rejected, code 7: line 3 is too long, .*$/m,
      /^notes\.txt, succeeded, .*$/m,
      /^docs, .*succeeded: 2, .*$/m,
    ])
      assert.match(await spokenRows(), row);

    await workbench.runCommand('Dataset Import: Group Tasks By…');
    await quickInput.pick('State');
    await tasks.waitForRow('Rejected');
    for (const group of [/^Rejected, .*1/m, /^Succeeded, .*3/m]) assert.match(await spokenRows(), group);

    // The view's buttons are shown only while the view has focus.
    await tasks.select('Rejected');
    const seen = await pane().ariaSnapshot();
    assert.match(seen, /button "Import Files…"/);
    assert.doesNotMatch(seen, /- button(?! ")/, 'a button has no name');

    const focused = async () => (await page.locator('.pane-body .monaco-list:focus-within').count()) === 1;
    assert.equal(await focused(), true);
    for (const [command, title] of [
      ['Group Tasks By…', 'Group Tasks By'],
      ['Filter Tasks…', 'Filter'],
    ] as const) {
      await workbench.runCommand(`Dataset Import: ${command}`);
      await quickInput.waitFor(title);
      await quickInput.cancel();
      await quickInput.closed();
      await waitUntil(`the focus to return after "${command}"`, focused);
    }

    service.queryTask = () => value('{"status":"RUNNING"}');
    await explorer.chooseFor('Import to Dataset…', 'later.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('Running');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = "document.getAnimations().filter(({ playState }) => playState === 'running').length";
    await waitUntil('everything to stand still', async () => (await page.evaluate(moving)) === 0 || undefined);
  });

  const pane = () =>
    open()
      .page.locator('.pane')
      .filter({ has: open().page.locator('.pane-header[aria-label^="Tasks"]') });

  /** The row names in the browser's accessibility tree, one per line. */
  async function spokenRows(): Promise<string> {
    const seen = await pane().ariaSnapshot();
    return [...seen.matchAll(/- 'treeitem "(.*?)"|- treeitem "(.*?)"/g)]
      .map(([, quoted, plain]) => quoted ?? plain ?? '')
      .join('\n');
  }
});
