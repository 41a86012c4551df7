import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { header, ScriptedService, value } from './scriptedService';
import { isIn, type TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { Workbench } from './workbench';

describe('Two windows', () => {
  const service = ScriptedService.duringTests();
  let other: Workbench;
  const open = useWorkbench(
    () => ({
      files: { 'notes.txt': 'notes\n', 'fourth.txt': 'fourth\n', 'fifth.txt': 'fifth\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    async (opened) => {
      // In a browser, VS Code reads the secrets once, when a window opens.
      await giveKey(opened, 'Manuals', 'two-windows-key-0123');
      const otherPage = await opened.page.context().newPage();
      other = new Workbench(otherPage);
      await otherPage.goto(opened.page.url());
      await other.ready();
    },
  );
  beforeEach(() => open().page.bringToFront());

  it('show the same row from its import to its end, and lose it when one of them removes it', async () => {
    const { workbench, page } = open();
    await other.openContainer('Dataset Import');
    await page.bringToFront();
    service.queryTask = () => value('{"status":"RUNNING","progress":37}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await other.view('Tasks').waitForRow('notes.txt', isIn('running 37%'));
    await workbench.openContainer('Dataset Import');
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    for (const window of [workbench, other]) await window.view('Tasks').waitForRow('notes.txt', isIn('succeeded'));
    await workbench.view('Tasks').chooseFor('Remove from List', 'notes.txt');
    const isGone = (rows: readonly TreeRow[]) => !rows.some(({ label }) => label === 'notes.txt');
    for (const window of [workbench, other]) await window.view('Tasks').waitForRows(isGone);
  });

  it('use no replaced key: the window that cannot read the new key asks for it', async () => {
    const { workbench, page } = open();
    const present = 'replaced-key-4567';
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.runCommand('Dataset Import: Set Access Key…');
    await workbench.quickInput.answer("Access Key of 'Manuals'", present);
    await workbench.quickInput.closed();
    const since = service.requests.length;
    await other.page.bringToFront();
    await other.explorer.chooseFor('Import to Dataset…', 'fourth.txt');
    await other.quickInput.answer("Access Key of 'Manuals'", present);
    await other.openContainer('Dataset Import');
    await other.view('Tasks').waitForRow('fourth.txt', isIn('succeeded'));
    await page.bringToFront();
    await workbench.explorer.chooseFor('Import to Dataset…', 'fifth.txt');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('fifth.txt', isIn('succeeded'));
    const keys = service.requests.slice(since).map((request) => header(request, 'Access-Key'));
    assert.ok(keys.length >= 2 && keys.every((key) => key === present), keys.join());
  });
});
