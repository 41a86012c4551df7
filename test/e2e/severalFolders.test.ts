import assert from 'node:assert/strict';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { fileOf, ScriptedService } from './scriptedService';
import { useWorkbench } from './useWorkbench';

describe('A workspace of several folders', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        'both.code-workspace': JSON.stringify({ folders: [{ path: 'letters' }, { path: 'reports' }] }),
        'letters/mail/one.txt': 'letter\n',
        'letters/mail/drafts/two.txt': 'draft\n',
        'letters/mail/three.log': 'log\n',
        'letters/.vscode/settings.json': JSON.stringify({ 'datasetImport.folders.exclude': ['**/drafts/**'] }),
        'reports/year/one.txt': 'report\n',
        'reports/year/drafts/two.txt': 'draft of a report\n',
        'reports/year/three.log': 'log of a report\n',
        'reports/.vscode/settings.json': JSON.stringify({ 'datasetImport.fileExtensions': ['.txt'] }),
      },
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'explorer.compactFolders': false,
      },
    }),
    async (opened) => {
      const { page, workbench, workspaceFolder } = opened;
      await page.goto(`${new URL(page.url()).origin}/?workspace=${join(workspaceFolder, 'both.code-workspace')}`);
      await workbench.ready();
      await giveKey(opened, 'Manuals', 'several-folders-key-01');
    },
  );

  for (const [root, folder, wanted] of [
    ['letters', 'mail', ['one.txt', 'three.log']],
    ['reports', 'year', ['one.txt', 'two.txt']],
  ] as const) {
    it(`imports of ${root} what the settings of that folder say`, async () => {
      const { workbench } = open();
      const since = service.imports.length;
      await workbench.explorer.chooseFor('Import to Dataset…', folder);
      await workbench.quickInput.waitFor('Import 2 files');
      await workbench.quickInput.accept();
      await workbench.openContainer('Dataset Import');
      await workbench.view('Tasks').waitForRow(folder, ({ description }) => description.startsWith('2 succeeded'));
      const sent = await Promise.all(service.imports.slice(since).map(fileOf));
      assert.deepEqual(sent.map(({ fileName }) => fileName).toSorted(), wanted);
    });
  }
});
