import { giveKey } from './giveKey';
import { ScriptedService, value } from './scriptedService';
import { isIn, type TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { Workbench } from './workbench';

describe('Two windows', () => {
  const service = ScriptedService.duringTests();
  let other: Workbench;
  const open = useWorkbench(
    () => ({
      files: { 'notes.txt': 'notes\n' },
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
});
