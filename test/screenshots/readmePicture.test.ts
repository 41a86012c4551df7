import { join } from 'node:path';
import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { outFolder } from '../suites/project';

const chapters = ['Assembly.md', 'First steps.md', 'Maintenance.md', 'Safety.md', 'Spare parts.csv', 'Warranty.md'];

describe('The picture of the README', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(
        [...chapters.map((name) => `handbook/${name}`), 'FAQ.md', 'minutes.txt'].map((name) => [name, `# ${name}\n`]),
      ),
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'window.commandCenter': false,
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'a-key-0123456789'),
  );

  it('is taken of a batch and single tasks in several states', async () => {
    const { workbench, page } = open();
    const { explorer, notifications, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    await page.setViewportSize({ width: 900, height: 560 });
    const has = (name: string) => (request: { body: Buffer }) => request.body.includes(`filename="${name}"`);
    service.fileTask = (request) => {
      if (has('Warranty.md')(request)) return refused('4103', 'The title is missing.');
      if (has('minutes.txt')(request)) return { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' };
      const id = ['Safety.md', 'Spare parts.csv'].find((name) => has(name)(request)) ?? service.imports.length;
      return value(`{"taskId":"${id}"}`);
    };
    service.queryTask = ({ body }) => {
      if (body.includes('Safety.md')) return value('{"status":"RUNNING","progress":42}');
      if (body.includes('Spare parts.csv')) return value('{"status":"FAILED","message":"Row 7 has no part number."}');
      return value('{"status":"SUCCEEDED"}');
    };
    await explorer.chooseFor('Import to Dataset…', 'FAQ.md');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('FAQ.md', ({ spoken }) => spoken.startsWith('succeeded'));
    await explorer.chooseFor('Import to Dataset…', 'minutes.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('minutes.txt', ({ spoken }) => spoken.startsWith('unconfirmed'));
    await explorer.chooseFor('Import to Dataset…', 'handbook');
    await quickInput.waitFor('Import 6 files');
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('Assembly.md', ({ spoken }) => spoken.startsWith('succeeded'));
    await tasks.waitForRow('Safety.md', ({ spoken }) => spoken.startsWith('running'));
    await tasks.waitForRow('Spare parts.csv', ({ spoken }) => spoken.startsWith('failed'));
    await explorer.open('FAQ.md');
    await workbench.openContainer('Dataset Import');
    await notifications.clear();
    await page.mouse.move(700, 300);
    await workbench.screenshot(join(outFolder, 'e2e', 'readme-tasks.png'));
  });
});
