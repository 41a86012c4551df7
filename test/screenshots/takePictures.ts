import { join } from 'node:path';
import type { OpenWorkbench } from '../e2e/openWorkbench';
import { outFolder } from '../suites/project';

const looks = [
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none', theme: '.vs-dark' },
  { name: 'light', colorScheme: 'light', forcedColors: 'none', theme: '.vs' },
  { name: 'high-contrast', colorScheme: 'dark', forcedColors: 'active', theme: '.hc-black' },
] as const;

/** Takes pictures of what shows now, dark, light and in high contrast; `bring` brings what does not stay. */
export async function takePictures(
  { workbench, page }: Pick<OpenWorkbench, 'workbench' | 'page'>,
  name: string,
  bring: () => Promise<unknown> = async () => {},
): Promise<void> {
  for (const { name: look, theme, ...media } of looks) {
    await page.emulateMedia(media);
    await page.locator(`.monaco-workbench${theme}`).waitFor();
    await bring();
    await workbench.screenshot(join(outFolder, 'e2e', `looks-${name}-${look}.png`));
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
}
