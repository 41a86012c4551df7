import { join } from 'node:path';
import { BatchPage } from '../e2e/batchPage';
import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { outFolder } from '../suites/project';

const topics = ['Assembly', 'Care', 'Cleaning', 'First steps', 'Maintenance', 'Safety', 'Spare parts', 'Warranty'];
const names = topics.flatMap((topic) =>
  ['bookcase', 'chair', 'desk', 'lamp', 'table'].map((of) => `${of}/${topic}.md`),
);

describe('The picture of the README', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(
        ['FAQ.md', ...names.map((name) => `handbook/${name}`)].map((name) => [name, `# ${name}\n`]),
      ),
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'window.commandCenter': false,
        'workbench.layoutControl.enabled': false,
        'workbench.editor.editorActionsLocation': 'hidden',
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'a-key-0123456789'),
  );

  it('is taken of a batch with a few problems, and of its page', async () => {
    const { workbench, page } = open();
    const { explorer, notifications, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    await page.setViewportSize({ width: 1100, height: 680 });
    service.importTakesMs = 300;
    service.fileTask = ({ body }) =>
      body.includes('filename="Warranty.md"') && /chair|desk|lamp/.test(body.toString())
        ? refused('4103', 'The title is missing.')
        : value(
            `{"taskId":"${body.includes('Spare parts') && body.includes('table') ? 'odd' : 'task'} ${service.imports.length}"}`,
          );
    service.queryTask = ({ body }) =>
      value(body.includes('odd') ? '{"status":"FAILED","message":"Encoding is not UTF-8"}' : '{"status":"SUCCEEDED"}');
    await explorer.chooseFor('Import to Dataset…', 'FAQ.md');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('FAQ.md', ({ spoken }) => spoken.startsWith('succeeded'));
    await explorer.chooseFor('Import to Dataset…', 'handbook');
    await quickInput.waitFor('Import 40 files');
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.clickInline('Show Batch', 'handbook');
    await tasks.waitForRow('handbook', ({ description }) => /^1 failed · 3 rejected · 36 succeeded/.test(description));
    await new BatchPage(page)
      .part('head')
      .getByText('36 of 40 files succeeded. 4 files need your attention.')
      .waitFor();
    // A failure counts once a second check has agreed.
    await page.locator('.activitybar .badge-content', { hasText: '4' }).waitFor();
    await tasks.expand('handbook');
    await tasks.waitForRow('Assembly.md');
    await notifications.clear();
    await page.mouse.move(700, 400);
    await workbench.screenshot(join(outFolder, 'e2e', 'readme-tasks.png'));
  });
});
