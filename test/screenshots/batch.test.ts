import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { takePictures } from './takePictures';

const names = ['Assembly.md', 'First steps.md', 'Maintenance.md', 'Safety.md', 'Spare parts.csv', 'Warranty.md'];

describe('The looks of a batch and of the menus, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(
        [...names.map((name) => `handbook/${name}`), 'handbook/diagram.png', 'notes.txt'].map((name) => [
          name,
          `# ${name}\n`,
        ]),
      ),
      settings: {
        'datasetImport.datasets': [
          { name: 'Manuals', baseUrl: service.url, contract: { headers: { 'X-Tenant': '42' } } },
        ],
        'window.autoDetectColorScheme': true,
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'a-key-0123456789'),
  );
  const picture = (name: string, bring?: () => Promise<unknown>) => takePictures(open(), name, bring);

  it('of rows in several states, the question before and the messages after, and the menus', async () => {
    const { workbench, page } = open();
    const { explorer, notifications, quickInput, dialog } = workbench;
    const tasks = workbench.view('Tasks');
    const closeMenus = async () => {
      while (await page.locator('.context-view .action-label').first().isVisible()) await page.keyboard.press('Escape');
    };
    const idOf = (body: Buffer) => names.find((name) => body.includes(`filename="${name}"`)) ?? 'other';
    service.fileTask = ({ body }) => {
      if (idOf(body) === 'Warranty.md') return refused('4103', 'The title is missing.');
      if (idOf(body) === 'Maintenance.md') return { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' };
      return value(`{"taskId":"${idOf(body)}"}`);
    };
    service.queryTask = ({ body }) => {
      if (body.includes('Safety.md')) return value('{"status":"RUNNING","progress":42}');
      if (body.includes('Spare parts.csv')) return value('{"status":"FAILED","message":"Row 7 has no part number."}');
      return value('{"status":"SUCCEEDED"}');
    };
    await explorer.chooseFor('Import to Dataset…', 'handbook');
    await quickInput.waitFor('Import 6 files');
    await picture('batch-skipped');
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('Spare parts.csv', ({ spoken }) => spoken.startsWith('failed'));
    await notifications.waitFor('Uploaded 4 of 6 files');
    await workbench.view('Datasets').expand('Manuals');
    await workbench.view('Datasets').waitForRow('Webhook');
    await picture('batch-rows');
    await notifications.clear();
    await picture('batch-menu', async () => {
      await closeMenus();
      await tasks.openMenu('Spare parts.csv');
      await page.locator('.context-view .action-label', { hasText: 'Map Responses' }).hover();
      await page.locator('.context-view .action-label', { hasText: 'Map Statuses' }).waitFor();
    });
    await closeMenus();
    const datasets = workbench.view('Datasets');
    await picture('dataset-menu', async () => {
      await closeMenus();
      await datasets.openMenu('Manuals');
    });
    await closeMenus();
    await datasets.chooseFor('Forget Imported Files…', 'Manuals');
    await dialog.waitFor('Forget that 4 files were imported to Manuals?');
    await picture('forget');
    await dialog.click('Cancel');
    await explorer.open('notes.txt');
    await picture('editor-menu', async () => {
      await closeMenus();
      await page.locator('.editor-instance .view-line').first().click({ button: 'right' });
      await page.locator('.context-view .action-label', { hasText: 'Import to Dataset' }).waitFor();
    });
    await closeMenus();
    await picture('tab-menu', async () => {
      await closeMenus();
      await page.locator('.tab', { hasText: 'notes.txt' }).click({ button: 'right' });
      await page.locator('.context-view .action-label', { hasText: 'Import to Dataset' }).waitFor();
    });
    await closeMenus();
  });
});
