import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ChineseTexts } from '../l10n/chineseTexts';
import { BatchPage } from './batchPage';
import type { OpenWorkbench } from './openWorkbench';
import { tooltips } from './tooltips';
import { useWorkbench } from './useWorkbench';

/** The parts of the window that show the extension's text. VS Code's own text stays in English. */
const OWN_PARTS = [
  '.sidebar .pane-header .title',
  '.sidebar .pane .message',
  '.sidebar .welcome-view-content',
  '.sidebar .custom-view-tree-node-item',
  '.notification-list-item-message',
  '.notification-list-item-buttons-container .monaco-text-button',
  '.statusbar-item[id^="dataset-import."]',
  '.quick-input-title',
  '.quick-input-message',
  '.quick-input-description',
  '.quick-input-list .monaco-list-row',
  '.monaco-dialog-box .dialog-message-container',
  '.editor-instance .view-line',
  '.tabs-container .tab.active',
];

/** Words that aren't translated: names, protocol terms and keys. */
const NAMES = /\b(?:Dataset Import|Sandbox|VS Code|HTTP|JSON|UTF|SHA|URL|Webhook|Enter|txt|png|ref|RUNNING|FAILED)\b/g;

/** Text that isn't prose, and VS Code's own English text. */
const NO_WORDS = [
  // URLs, paths, file names, placeholders, numbers and IDs.
  /https?:\S+/g,
  /[\w-]*(?:\/[\w.-]+)+/g,
  /\w+\.(?:txt|png)/g,
  /\$\{[^}]*\}/g,
  /\b0x[\dA-F]+\b/g,
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
  /\b[\da-f]{64}\b/g,
  // Lines of JSON, and roles in a page's accessibility tree.
  /^\s*["{}\]].*$/gm,
  /^ *- '?\/?\w+/gm,
  /\[level=\d\]/g,
  /, has actions$/g,
  /^(?:workspace|Outline|Timeline|Hide Notifications)$/gi,
  /\(Press '?Enter'? to confirm or '?Escape'? to cancel\)/g,
];

/** The files that the test imports. Their names are numbers, because letters would look like English words. */
const walkFiles = {
  '1.txt': '一\n',
  '2.txt': Buffer.from('Z\u00fc', 'latin1'),
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`4/${index}.txt`, `${index}\n`])),
  '4/5.txt': Buffer.from('\u00fc5', 'latin1'),
  '4/6.png': '六\n',
};

describe('The Chinese user interface', () => {
  const open = useWorkbench(() => ({ files: walkFiles, locale: 'zh-cn' }));

  it('contains no English words', async () => {
    const { page } = open();
    const found: string[] = [];
    await walk(open(), new ChineseTexts(), async (step, show) => {
      await show?.();
      for (const text of await ownTexts(page)) {
        const words = wordsIn(text);
        if (words.length > 0) found.push(`${step}: ${words.join(' ')} in "${text}"`);
      }
    });
    assert.deepEqual(found, []);
  });
});

/** Checks the text shown at one step. `show` opens elements that would otherwise close before the check. */
type Check = (step: string, show?: () => Promise<unknown>) => Promise<void>;

/** Walks through the sandbox, an import, a failure and a batch, and checks the text at each step. */
async function walk({ workbench, page }: OpenWorkbench, texts: ChineseTexts, check: Check): Promise<void> {
  const { explorer, notifications, quickInput, editors, dialog } = workbench;
  const [tasks, datasets] = [
    workbench.view(texts.manifest('view.tasks')),
    workbench.view(texts.manifest('view.datasets')),
  ];
  const importTo = (name: string) => explorer.chooseFor(texts.manifest('command.importToDataset'), name);
  const hasState = (state: string) => (row: { ariaLabel: string }) => row.ariaLabel.includes(texts.code(state));

  await workbench.openContainer('Dataset Import');
  await tasks.waitForWelcome(/\S/);
  await check('welcome');
  await importTo('1.txt');
  await quickInput.waitFor(texts.code('No dataset is set up yet'));
  await check('first-import');
  await quickInput.cancel();
  await workbench.openContainer('Dataset Import');
  await tasks.clickWelcome(texts.link('welcome.tasks.noDataset', 'startSandbox'));
  await notifications.waitFor(
    texts.anyOf("The sandbox is running as dataset '{0}'. Files that are imported to it stay on this machine."),
  );
  await datasets.expand('Sandbox');
  await check('sandbox');
  await notifications.clear();

  await importTo('1.txt');
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('1.txt', hasState('succeeded'));
  await check('succeeded');
  await importTo('2.txt');
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('2.txt', hasState('failed'));
  await notifications.waitFor(texts.anyOf("'{0}' at {1}: {2}"));
  await check('failed');
  await check('failed-tooltip', () => tasks.tooltip('2.txt'));
  await notifications.clear();
  await tasks.select('2.txt');
  await editors.waitForText((text) => text.includes(texts.code('Response to the Import')));
  await check('details');
  await importTo('1.txt');
  await dialog.waitFor(texts.anyOf("Import '{0}' to {1}?"));
  await check('import-again');
  await dialog.click('Cancel');

  await importTo('4');
  await quickInput.waitFor(texts.anyOf('Import to {0}: {1} of {2} ({3})'));
  await check('folder-question');
  await quickInput.accept();
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('4', ({ icon }) => icon === 'error');
  await check('batch');
  await notifications.clear();
  await tasks.chooseFor(texts.manifest('command.showBatch'), '4');
  await new BatchPage(page).part('page').waitFor();
  await check('batch-page');
}

/** The extension's visible text and its rows' accessible names. */
async function ownTexts(page: Page): Promise<string[]> {
  const texts = await page.locator(OWN_PARTS.join(', ')).locator('visible=true').allInnerTexts();
  const labels = await page
    .locator('.sidebar .pane .monaco-list-row[role="treeitem"]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  const placeholders = await page
    .locator('.quick-input-box input')
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('placeholder') ?? ''));
  const hovers = await tooltips(page).allInnerTexts();
  const pages = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('main');
  const batch = (await page.locator('iframe.webview.ready').count()) > 0 ? [await pages.innerText()] : [];
  const spoken = batch.length > 0 ? [await pages.ariaSnapshot()] : [];
  return [...texts, ...labels, ...placeholders, ...hovers, ...batch, ...spoken].filter((text) => text.trim() !== '');
}

function wordsIn(text: string): readonly string[] {
  const words = NO_WORDS.reduce((left, pattern) => left.replaceAll(pattern, ' '), text).replaceAll(NAMES, ' ');
  return words.match(/[A-Za-z]{3,}/g) ?? [];
}
