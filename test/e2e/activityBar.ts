import type { Locator, Page } from 'playwright-core';
import { hideTooltips } from './tooltips';
import { appears, waitUntil } from './waitUntil';

/** A container's tab in the activity bar. The tab's label may contain a shortcut or the badge text after the title. */
export function activityTab(page: Page, title: string): Locator {
  const label = page.locator(`.action-label[aria-label^="${title}"]`);
  return page.locator('.activitybar .action-item[role="tab"]').filter({ has: label });
}

/** Opens a container, unless it is already open, and waits until `content` is visible. */
export async function openContainer(page: Page, title: string, content: Locator): Promise<void> {
  const tab = activityTab(page, title);
  await waitUntil(`the view container "${title}"`, async () => {
    if (await content.isVisible()) return true;
    // While a window is loading, a click could hide a container that is just about to appear.
    if (!(await tab.getAttribute('class'))?.includes('checked')) await tab.click();
    return (await appears(content, 2000)) || undefined;
  });
  // The tab's tooltip would cover the first rows.
  await hideTooltips(page);
}
