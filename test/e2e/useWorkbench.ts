import { join } from 'node:path';
import { outFolder } from '../suites/project';
import { type OpenWorkbench, openWorkbench, type WorkbenchOptions } from './openWorkbench';
import { SharedEditor } from './sharedEditor';

const editor = new SharedEditor();
// Outside a describe, this runs after all test files.
after(async () => await editor.close());

/**
 * Opens a workbench with a new profile for the tests in a `describe`, and prepares it. If a test fails, saves a screenshot in
 * `out/e2e/`.
 */
export function useWorkbench(
  options: () => WorkbenchOptions = () => ({}),
  prepare: (open: OpenWorkbench) => Promise<void> = async () => {},
): () => OpenWorkbench {
  let open: OpenWorkbench | undefined;
  before(async function openIt() {
    this.timeout(240_000);
    const wanted = options();
    // The shared editor runs only in English.
    open = await (wanted.locale === undefined ? editor.openWorkbench(wanted) : openWorkbench(wanted));
    await prepare(open);
  });
  afterEach(async function keepScreenshot() {
    const test = this.currentTest;
    if (test?.state !== 'failed' || !open) return;
    const file = join(outFolder, 'e2e', `${test.fullTitle().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`);
    await open.workbench.screenshot(file);
    console.log(`Screenshot: ${file}`);
    // Close everything that the failed test left open.
    for (let layer = 0; layer < 3; layer++) await open.page.keyboard.press('Escape');
  });
  after(async () => await open?.close());
  return () => {
    if (!open) throw new Error('The workbench opens before the first test.');
    return open;
  };
}
