import { join } from 'node:path';
import { outFolder } from '../suites/project';
import { type OpenWorkbench, openWorkbench, type WorkbenchOptions } from './openWorkbench';
import { SharedEditor } from './sharedEditor';

const editor = new SharedEditor();

/**
 * Gives the tests of the `describe` it is called in one workbench with a new profile: opened before the first, with what
 * `prepare` does in it, and closed after the last. Where a test fails, there is a screenshot in `out/e2e/`.
 */
export function useWorkbench(
  options: () => WorkbenchOptions = () => ({}),
  prepare: (open: OpenWorkbench) => Promise<void> = async () => {},
): () => OpenWorkbench {
  let open: OpenWorkbench | undefined;
  before(async function openIt() {
    this.timeout(240_000);
    const wanted = options();
    // One editor speaks one language.
    open = await (wanted.language === undefined ? editor.openWorkbench(wanted) : openWorkbench(wanted));
    await prepare(open);
  });
  afterEach(async function keepScreenshot() {
    const test = this.currentTest;
    if (test?.state !== 'failed' || !open) return;
    const file = join(outFolder, 'e2e', `${test.fullTitle().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`);
    await open.workbench.screenshot(file);
    console.log(`Screenshot: ${file}`);
    // What it left open must not fail the next one too.
    for (let layer = 0; layer < 3; layer++) await open.page.keyboard.press('Escape');
  });
  after(async () => await open?.close());
  return () => {
    if (!open) throw new Error('The workbench opens before the first test, not earlier.');
    return open;
  };
}
