import { BatchPage } from '../e2e/batchPage';
import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { takePictures } from './takePictures';

describe('The looks of the page of a batch, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const names = Array.from({ length: 120 }, (_, index) => `chapter ${index + 1}.md`);
  const open = useWorkbench(
    () => ({
      files: {
        ...Object.fromEntries(names.map((name) => [`handbook/${name}`, `# ${name}\n`])),
        'handbook/diagram.png': 'none',
      },
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'window.autoDetectColorScheme': true,
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'batch-page-key-0123456789'),
  );

  it('with problems for several reasons, a pause, and after they were mended', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    service.importTakesMs = 250;
    const numberIn = (body: Buffer) => Number(/(\d+)\.md"/.exec(body.toString())?.[1] ?? 0);
    service.fileTask = ({ body }) => {
      const number = numberIn(body);
      if (number % 23 === 7) return refused('4103', `The title of section ${number} is missing.`);
      if (number === 50) return { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' };
      return value(`{"taskId":"task-${number}"}`);
    };
    service.queryTask = ({ body }) => {
      const number = Number(/task-(\d+)/.exec(body.toString())?.[1] ?? 0);
      if (number % 40 === 11) return value('{"status":"FAILED","message":"Encoding is not UTF-8"}');
      return value(number > 100 ? '{"status":"RUNNING"}' : '{"status":"SUCCEEDED"}');
    };
    await workbench.explorer.chooseFor('Import to Dataset…', 'handbook');
    await workbench.quickInput.waitFor('Import 120 files');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('handbook', ({ description }) => /importing [2-9]\d/.test(description));
    await tasks.clickInline('Show Batch', 'handbook');
    const shown = new BatchPage(page);
    await shown
      .part('head')
      .getByText(/^[4-9]\d of 120 files are uploaded/)
      .waitFor({ timeout: 60_000 });
    await takePictures(open(), 'batch-page-importing');
    await shown
      .part('head')
      .getByText(/processed/)
      .waitFor({ timeout: 60_000 });
    await workbench.notifications.clear();
    await takePictures(open(), 'batch-page');
    // As wide as a window is to a person who has it at 200 %.
    const size = page.viewportSize();
    await page.setViewportSize({ width: 640, height: 400 });
    await takePictures(open(), 'batch-page-zoomed');
    await page.setViewportSize(size ?? { width: 1280, height: 800 });
    await shown.part('runs').scrollIntoViewIfNeeded();
    await shown.part('facts').scrollIntoViewIfNeeded();
    await takePictures(open(), 'batch-page-below');
  });
});
