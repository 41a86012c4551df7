// `npm run screenshots` packages the extension and saves screenshots in out/screenshots: the one in the README, and the main
// screens in a dark, a light and a high-contrast theme.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BatchPage } from '../e2e/batchPage';
import { type OpenWorkbench, openWorkbench } from '../e2e/openWorkbench';
import { rejected, ScriptedService, value } from '../e2e/scriptedService';
import { setAccessKey } from '../e2e/setAccessKey';
import { hasState } from '../e2e/treeView';
import { exitOnSignals } from '../editor/undoAtExit';
import { packageExtension } from '../suites/build';
import { outFolder } from '../suites/project';

const folder = join(outFolder, 'screenshots');
const topics = ['Assembly', 'Care', 'Cleaning', 'First steps', 'Maintenance', 'Safety', 'Spare parts', 'Warranty'];
const names = topics.flatMap((topic) =>
  ['bookcase', 'chair', 'desk', 'lamp', 'table'].map((of) => `handbook/${of}/${topic}.md`),
);
const drafts = Array.from({ length: 12 }, (_, index) => `drafts/${index + 1}.md`);
const looks = [
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none', theme: '.vs-dark' },
  { name: 'light', colorScheme: 'light', forcedColors: 'none', theme: '.vs' },
  { name: 'high-contrast', colorScheme: 'dark', forcedColors: 'active', theme: '.hc-black' },
] as const;

async function takeScreenshots(): Promise<void> {
  await packageExtension();
  mkdirSync(folder, { recursive: true });
  const service = await ScriptedService.start();
  scriptProblems(service);
  const open = await openWorkbench({
    files: Object.fromEntries(
      ['FAQ.md', 'handbook/diagram.png', ...names, ...drafts].map((name) => [name, `# ${name}\n`]),
    ),
    settings: {
      'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
      'window.autoDetectColorScheme': true,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
      'workbench.editor.editorActionsLocation': 'hidden',
    },
  });
  try {
    await walk(open);
    await pause(open, service);
  } finally {
    await open.close();
    await service.close();
  }
  console.log(`The screenshots are in ${folder}.`);
}

/** Three files are rejected, one fails, and the others succeed. */
function scriptProblems(service: ScriptedService): void {
  service.fileTask = ({ body }) =>
    body.includes('filename="Warranty.md"') && /chair|desk|lamp/.test(body.toString())
      ? rejected('4103', 'The title is missing.')
      : value(
          `{"taskId":"${body.includes('Spare parts') && body.includes('table') ? 'odd' : 'task'} ${service.imports.length}"}`,
        );
  service.queryTask = ({ body }) =>
    value(body.includes('odd') ? '{"status":"FAILED","message":"Encoding is not UTF-8"}' : '{"status":"SUCCEEDED"}');
}

/** The access key has expired: three files are rejected, and the rest of the queue is paused. */
async function pause({ workbench, page }: OpenWorkbench, service: ScriptedService): Promise<void> {
  const { explorer, quickInput } = workbench;
  const tasks = workbench.view('Tasks');
  service.fileTask = () => rejected('40101', 'This access key has expired.');
  await explorer.chooseFor('Import to Dataset…', 'drafts');
  await quickInput.waitFor('Import to Manuals: 12 of 12');
  await quickInput.accept();
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('drafts', ({ description }) => description.startsWith('paused'));
  await tasks.expand('drafts');
  await tasks.chooseFor('Show Batch', 'drafts');
  await new BatchPage(page)
    .part('page')
    .getByText(/^Left to upload: .* Paused: /)
    .waitFor();
  await inAllLooks(page, 'paused');
  // Roughly the size of a window at 200% zoom.
  await page.setViewportSize({ width: 640, height: 720 });
  await inAllLooks(page, 'zoomed');
}

async function walk({ workbench, page }: OpenWorkbench): Promise<void> {
  const { explorer, notifications, quickInput, editors } = workbench;
  const tasks = workbench.view('Tasks');
  await page.setViewportSize({ width: 1100, height: 680 });
  await workbench.openContainer('Dataset Import');
  await tasks.waitForWelcome(/./);
  await inAllLooks(page, 'welcome');
  await setAccessKey({ workbench }, 'Manuals', 'a-key-0123456789');
  await explorer.chooseFor('Import to Dataset…', 'FAQ.md');
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('FAQ.md', hasState('succeeded'));
  await notifications.clear();
  await explorer.chooseFor('Import to Dataset…', 'handbook');
  await quickInput.waitFor('Import to Manuals: 40 of 40');
  await inAllLooks(page, 'question');
  await quickInput.accept();
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('handbook', ({ description }) => /^failed: 1 · rejected: 3 · succeeded: 36/.test(description));
  await notifications.clear();
  await tasks.chooseFor('Show Batch', 'handbook');
  await new BatchPage(page).part('page').waitFor();
  await tasks.expand('handbook');
  await tasks.waitForRow('Assembly.md');
  await page.mouse.move(700, 400);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.locator('.monaco-workbench.vs').waitFor();
  await workbench.screenshot(join(folder, 'readme-tasks.png'));
  await inAllLooks(page, 'batch');
  await tasks.select('Warranty.md');
  await editors.waitForText((text) => text.startsWith('Warranty.md'));
  await inAllLooks(page, 'details');
}

async function inAllLooks(page: Page, name: string): Promise<void> {
  for (const { name: look, theme, ...media } of looks) {
    await page.emulateMedia(media);
    await page.locator(`.monaco-workbench${theme}`).waitFor();
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: 'disabled' });
  }
}

exitOnSignals();
takeScreenshots().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
