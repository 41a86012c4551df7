import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { header, ScriptedService, value } from './scriptedService';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { Workbench } from './workbench';

describe('Two windows of the same editor', () => {
  const service = ScriptedService.duringTests();
  let other: Workbench;
  const open = useWorkbench(
    () => ({
      files: {
        'first.txt': 'first\n',
        'notes.txt': 'notes\n',
        'second.txt': 'second\n',
        'third.txt': 'third\n',
        'fourth.txt': 'fourth\n',
        'fifth.txt': 'fifth\n',
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    async (opened) => {
      // Before the other opens: in a browser, VS Code reads the secrets once, when a window opens.
      await giveKey(opened, 'Manuals', 'two-windows-key-0123');
      const otherPage = await opened.page.context().newPage();
      other = new Workbench(otherPage);
      await otherPage.goto(opened.page.url());
      await other.ready();
    },
  );
  beforeEach(() => open().page.bringToFront());

  it('show an import of one in the other, and its end in both', async () => {
    const { workbench, page } = open();
    const isIn = (state: string) => (row: TreeRow) => row.spoken.startsWith(state);
    await other.openContainer('Dataset Import');
    await page.bringToFront();
    service.queryTask = () => value('{"status":"RUNNING","progress":37}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await other.view('Tasks').waitForRow('notes.txt', isIn('running 37%'));
    await workbench.openContainer('Dataset Import');
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    for (const window of [workbench, other]) await window.view('Tasks').waitForRow('notes.txt', isIn('succeeded'));
  });

  it('both lose a task that one removes from the list', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import to Dataset…', 'first.txt', 'second.txt');
    await workbench.saysInStatusBar('Uploaded 2 files to Manuals.');
    await workbench.openContainer('Dataset Import');
    await other.openContainer('Dataset Import');
    for (const window of [workbench, other]) await window.view('Tasks').waitForRow('second.txt');
    await workbench.view('Tasks').chooseFor('Remove from List', 'first.txt', 'second.txt');
    await workbench.dialog.waitFor('Remove 2 tasks from the list?');
    await workbench.dialog.click('Remove');
    const areGone = (rows: readonly TreeRow[]) => !rows.some(({ label }) => /^(first|second)\.txt$/.test(label));
    for (const window of [workbench, other]) await window.view('Tasks').waitForRows(areGone);
  });

  it('ask before one imports what the other has, though the one does not show its tasks', async () => {
    const { workbench, page } = open();
    await workbench.explorer.show();
    await other.page.bringToFront();
    await other.explorer.chooseFor('Import to Dataset…', 'third.txt');
    await other.saysInStatusBar("Uploaded 'third.txt' to Manuals.");
    await page.bringToFront();
    await workbench.explorer.chooseFor('Import to Dataset…', 'third.txt');
    await workbench.dialog.waitFor("The content of 'third.txt' was uploaded to Manuals before.");
    await workbench.dialog.click('Cancel');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('third.txt', ({ spoken }) => spoken.startsWith('succeeded'));
  });

  it('use no key any more that the one has replaced: the other cannot read the new one, says so and asks', async () => {
    const { workbench, page } = open();
    const present = 'replaced-key-4567';
    await workbench.runCommand('Dataset Import: Set Access Key…');
    await workbench.quickInput.answer("Access Key of 'Manuals'", present);
    await workbench.quickInput.closed();
    const since = service.requests.length;
    await other.page.bringToFront();
    await other.explorer.chooseFor('Import to Dataset…', 'fourth.txt');
    await other.quickInput.answer("Access Key of 'Manuals'", present);
    await other.saysInStatusBar("Uploaded 'fourth.txt' to Manuals.");
    await page.bringToFront();
    await workbench.explorer.chooseFor('Import to Dataset…', 'fifth.txt');
    await workbench.saysInStatusBar("Uploaded 'fifth.txt' to Manuals.");
    const keys = service.requests.slice(since).map((request) => header(request, 'Access-Key'));
    assert.ok(keys.length >= 2 && keys.every((key) => key === present), keys.join());
  });
});
