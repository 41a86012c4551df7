import type { Locator, Page } from 'playwright-core';
import { openContainer } from './activityBar';
import { ContextMenu } from './contextMenu';

export class Explorer {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the Explorer in the side bar. */
  async show(): Promise<void> {
    await openContainer(this.page, 'Explorer', this.page.locator('.explorer-viewlet .monaco-list-row').first());
  }

  /** Waits for a new file or folder to appear, so that its row doesn't move the rows below it later. */
  async waitFor(name: string): Promise<void> {
    await this.show();
    await this.row(name).waitFor();
  }

  /** Opens the context menu for a file or folder. Takes a name, not a path. */
  async openMenu(name: string): Promise<ContextMenu> {
    await this.show();
    return await ContextMenu.of(this.row(name));
  }

  /** Chooses a command from the context menu: `chooseFor('Import to Dataset…', 'notes.txt')`. */
  async chooseFor(menuItem: string, name: string): Promise<void> {
    await (await this.openMenu(name)).choose(menuItem);
  }

  /** Opens a file in a permanent tab, or expands or collapses a folder. */
  async open(name: string): Promise<void> {
    await this.show();
    const isFolder = (await this.row(name).getAttribute('aria-expanded')) !== null;
    await this.row(name).click({ clickCount: isFolder ? 1 : 2 });
  }

  /** Presses the mouse button on a file to start dragging it. */
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
