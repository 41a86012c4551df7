import type { Locator, Page } from 'playwright-core';
import { disappears, waitUntil } from './waitUntil';

export function tooltips(page: Page): Locator {
  return page.locator('.workbench-hover:visible');
}

/** Moves the mouse away and waits until no tooltip covers anything. */
export async function hideTooltips(page: Page): Promise<void> {
  await waitUntil('tooltips to close', async () => {
    await page.mouse.move(0, 0);
    if (await disappears(tooltips(page).first(), 1000)) return true;
    // A tooltip whose element has moved away from the mouse stays until a key is pressed. The Pause key has no other
    // effect.
    await page.keyboard.press('Pause');
    return undefined;
  });
}
