import type { Locator, Page } from 'playwright-core';
import { ContextMenu } from './contextMenu';
import { appears, waitUntil } from './waitUntil';

/** The view of the workspace's files. */
export class Explorer {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Brings the Explorer into the side bar. */
  async show(): Promise<void> {
    const label = this.page.locator('.action-label[aria-label^="Explorer"]');
    const tab = this.page.locator('.activitybar .action-item[role="tab"]').filter({ has: label });
    const files = this.page.locator('.explorer-viewlet .monaco-list-row').first();
    await waitUntil('the Explorer', async () => {
      if (await files.isVisible()) return true;
      // While a window loads, a click may put away what was just about to show.
      if (!(await tab.getAttribute('class'))?.includes('checked')) await tab.click();
      return (await appears(files, 2000)) || undefined;
    });
  }

  /** Right-clicks a file or folder; of several, all are selected first. Names as they show, not paths. */
  async openMenu(...names: [string, ...string[]]): Promise<ContextMenu> {
    await this.show();
    const [first, ...others] = names;
    if (others.length > 0) await this.row(first).click();
    for (const name of others) await this.row(name).click({ modifiers: ['ControlOrMeta'] });
    return await ContextMenu.at(this.row(names.at(-1) ?? first));
  }

  /** Right-clicks and chooses, e.g. `chooseFor('Import File', 'notes.txt')`. */
  async chooseFor(menuItem: string, ...names: [string, ...string[]]): Promise<void> {
    await (await this.openMenu(...names)).choose(menuItem);
  }

  /** Opens a file to stay, as a double-click does; opens or closes a folder. */
  async open(name: string): Promise<void> {
    await this.show();
    const isFolder = (await this.row(name).getAttribute('aria-expanded')) !== null;
    await this.row(name).click({ clickCount: isFolder ? 1 : 2 });
  }

  /** Takes hold of a file with the mouse, to drag it. */
  async grab(name: string): Promise<void> {
    await this.show();
    await this.row(name).hover();
    await this.page.mouse.down();
  }

  private row(name: string): Locator {
    const label = this.page.locator('.label-name').getByText(name, { exact: true });
    return this.page.locator('.explorer-viewlet .monaco-list-row').filter({ has: label }).first();
  }
}
