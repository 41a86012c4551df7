import type { Locator, Page } from 'playwright-core';
import { leaveTooltips } from './tooltips';
import { appears, waitUntil } from './waitUntil';

/** A container's entry in the activity bar; the label ends with a shortcut or a badge's words, where there is one. */
export function activityTab(page: Page, title: string): Locator {
  const label = page.locator(`.action-label[aria-label^="${title}"]`);
  return page.locator('.activitybar .action-item[role="tab"]').filter({ has: label });
}

/** Opens a container, unless it is open, and waits until this of it shows. */
export async function openContainer(page: Page, title: string, content: Locator): Promise<void> {
  const tab = activityTab(page, title);
  await waitUntil(`the view container "${title}"`, async () => {
    if (await content.isVisible()) return true;
    // While a window loads, a click may put away what was just about to show.
    if (!(await tab.getAttribute('class'))?.includes('checked')) await tab.click();
    return (await appears(content, 2000)) || undefined;
  });
  // Its own tooltip would cover the content's first rows.
  await leaveTooltips(page);
}
