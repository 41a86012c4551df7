import { join } from 'node:path';
import type { OpenWorkbench } from '../e2e/openWorkbench';
import { outFolder } from '../suites/project';

/** Takes pictures of what shows now, dark and light; `bring` brings what does not stay. */
export async function takePictures(
  { workbench, page }: Pick<OpenWorkbench, 'workbench' | 'page'>,
  name: string,
  bring: () => Promise<unknown> = async () => {},
): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`.monaco-workbench.${colorScheme === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
    await bring();
    await workbench.screenshot(join(outFolder, 'e2e', `looks-${name}-${colorScheme}.png`));
  }
}
