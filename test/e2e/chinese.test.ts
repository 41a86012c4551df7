import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ShownTexts } from '../l10n/shownTexts';
import { tooltips } from './tooltips';
import { walk, walkFiles } from './translatedWalk';
import { useWorkbench } from './useWorkbench';

/** The parts of the window with the extension's texts. VS Code's own texts stay English. */
const OWN_PARTS = [
  ...['.sidebar .pane-header .title', '.sidebar .pane .message', '.sidebar .welcome-view-content'],
  ...['.sidebar .custom-view-tree-node-item', '.notification-list-item-message'],
  ...['.notification-list-item-buttons-container .monaco-text-button', '.statusbar-item[id^="dataset-import."]'],
  ...['.quick-input-title', '.quick-input-message', '.quick-input-description', '.quick-input-list .monaco-list-row'],
  ...['.monaco-dialog-box .dialog-message-container', '.editor-instance .view-line', '.tabs-container .tab.active'],
];

/** Words that aren't translated: names, protocol terms and keys. */
const NAMES = [
  ...['Dataset Import', 'Sandbox', 'VS Code', 'HTTP', 'JSON', 'UTF', 'SHA', 'URL', 'Webhook', 'Enter'],
  ...['txt', 'png', 'ref', 'RUNNING', 'FAILED'],
];

/** Text that isn't prose, and VS Code's own English texts. */
const NO_WORDS = [
  // URLs, paths, file names, placeholders, numbers and IDs.
  ...[/https?:\S+/g, /[\w-]*(?:\/[\w.-]+)+/g, /\w+\.(?:txt|png)/g, /\$\{[^}]*\}/g, /\b0x[\dA-F]+\b/g],
  ...[/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, /\b[\da-f]{64}\b/g],
  // Lines of a response, and the roles in a page's accessibility tree.
  ...[/^\s*["{}\]].*$/gm, /^ *- '?\/?\w+/gm, /\[level=\d\]/g],
  ...[/, has actions$/g, /^(?:workspace|Outline|Timeline|Hide Notifications)$/gi],
  /\(Press '?Enter'? to confirm or '?Escape'? to cancel\)/g,
];

describe('The extension in Chinese', () => {
  const open = useWorkbench(() => ({ files: walkFiles, language: { locale: 'zh-cn' } }));

  it('shows no English words from the first import to a failed file and the page of a batch', async () => {
    const { page } = open();
    const found: string[] = [];
    await walk(open(), ShownTexts.chinese(), async (step, show) => {
      await show?.();
      for (const text of await ownTexts(page)) {
        const words = wordsIn(text);
        if (words.length > 0) found.push(`${step}: ${words.join(' ')} in "${text}"`);
      }
    });
    assert.deepEqual(found, []);
  });
});

/** The extension's texts that are visible now, and the accessible names of its rows. */
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
  const known = new RegExp(`\\b(?:${NAMES.join('|')})\\b`, 'g');
  const words = NO_WORDS.reduce((left, pattern) => left.replaceAll(pattern, ' '), text).replaceAll(known, ' ');
  return words.match(/[A-Za-z]{3,}/g) ?? [];
}
