import type { Locator, Page } from 'playwright-core';
import { disappears, waitUntil } from './waitUntil';

/** The menu that a right-click opens. */
export class ContextMenu {
  private readonly page: Page;
  private readonly items: Locator;

  /** Opens it at a place. */
  static async at(place: Locator): Promise<ContextMenu> {
    await place.click({ button: 'right' });
    const menu = new ContextMenu(place.page());
    await menu.items.first().waitFor();
    return menu;
  }

  private constructor(page: Page) {
    this.page = page;
    this.items = page.locator('.monaco-menu .action-menu-item:visible');
  }

  /** The titles in it, from top to bottom. */
  async titles(): Promise<string[]> {
    return await this.items
      .locator('.action-label')
      .evaluateAll((labels) =>
        labels.map((label) => label.getAttribute('aria-label') ?? '').filter((title) => title !== ''),
      );
  }

  async choose(title: string): Promise<void> {
    const item = this.items.filter({ has: this.page.locator(`.action-label[aria-label="${title}"]`) });
    await item.waitFor();
    // A menu heeds no click in its first tenth of a second, lest it take the one that opened it.
    await waitUntil(`the menu to close after "${title}"`, async () => {
      if (await item.isVisible()) await item.click({ timeout: 1000 }).catch(() => undefined);
      return (await disappears(this.items.first(), 300)) || undefined;
    });
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.items.first().waitFor({ state: 'hidden' });
  }
}
