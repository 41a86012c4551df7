import type { Locator, Page } from 'playwright-core';
import { hideTooltips } from './tooltips';
import { appears, clickMs, disappears, succeeds, waitUntil } from './waitUntil';

export class ContextMenu {
  private readonly page: Page;
  private readonly items: Locator;

  /** Right-clicks an element, and returns the menu that opens. */
  static async of(target: Locator): Promise<ContextMenu> {
    const menu = new ContextMenu(target.page());
    // VS Code doesn't open a row's menu while it is redrawing the row, so click again if no menu appears.
    await waitUntil('a context menu', async () => {
      await hideTooltips(target.page());
      await target.click({ button: 'right' });
      return (await appears(menu.items.first(), 5000)) || undefined;
    });
    return menu;
  }

  private constructor(page: Page) {
    this.page = page;
    this.items = page.locator('.monaco-menu .action-menu-item:visible');
  }

  /** The titles of the menu items, from top to bottom. */
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
    let isClicked = false;
    // A menu ignores clicks for a tenth of a second after it opens.
    await waitUntil(`the menu to close after "${title}"`, async () => {
      if (await item.isVisible()) isClicked = (await succeeds(item.click({ timeout: clickMs }))) || isClicked;
      return (await disappears(this.items.first(), 300)) || undefined;
    });
    if (!isClicked) throw new Error(`The menu closed before "${title}" was chosen.`);
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.items.first().waitFor({ state: 'hidden' });
  }
}
