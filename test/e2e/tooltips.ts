import type { Locator, Page } from 'playwright-core';
import { disappears, waitUntil } from './waitUntil';

/** What shows when the mouse rests on something. */
export function tooltips(page: Page): Locator {
  return page.locator('.workbench-hover:visible');
}

/** Takes the mouse away and waits until no tooltip shows, which may cover what is wanted next. */
export async function leaveTooltips(page: Page): Promise<void> {
  await waitUntil('tooltips to go', async () => {
    await page.mouse.move(0, 0);
    if (await disappears(tooltips(page).first(), 1000)) return true;
    // One whose place went from under the mouse stays until a key is pressed; this one does nothing else.
    await page.keyboard.press('Pause');
    return undefined;
  });
}
