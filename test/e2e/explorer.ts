import type { Locator, Page } from 'playwright-core';
import { openContainer } from './activityBar';
import { boxOf } from './boxOf';
import { ContextMenu } from './contextMenu';
import { appears, clickMs, waitUntil } from './waitUntil';

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

  /**
   * Opens the context menu for one or more files or folders. Multiple items are selected first. Takes names, not paths.
   */
  async openMenu(...names: [string, ...string[]]): Promise<ContextMenu> {
    await this.show();
    if (names.length > 1) await this.selectAll(names);
    return await ContextMenu.of(this.row(names.at(-1) ?? names[0]));
  }

  /** Chooses a command from the context menu: `chooseFor('Import to Dataset…', 'notes.txt')`. */
  async chooseFor(menuItem: string, ...names: [string, ...string[]]): Promise<void> {
    await (await this.openMenu(...names)).choose(menuItem);
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

  /** Selects exactly these files. Retries if the Explorer loses the selection because files have changed. */
  private async selectAll(names: readonly string[]): Promise<void> {
    const selected = this.page.locator('.explorer-viewlet .monaco-list-row.selected');
    await waitUntil(`${names.join(', ')} to be selected`, async () => {
      await this.trySelectAll(names);
      return (await selected.count()) === names.length || undefined;
    });
  }

  /** Selects the files without opening them, because opening a file would clear the rest of the selection. */
  private async trySelectAll(names: readonly string[]): Promise<void> {
    const list = this.page.locator('.explorer-viewlet .explorer-folders-view .monaco-list').first();
    const { x, y, width, height } = await boxOf(list);
    await this.page.mouse.click(x + width / 2, y + height - 10);
    await list.locator('.monaco-list-row.selected').first().waitFor({ state: 'hidden' });
    for (const name of names) {
      await this.row(name).click({ modifiers: ['ControlOrMeta'] });
      await appears(this.row(name).and(this.page.locator('.selected')), clickMs);
    }
  }

  private row(name: string): Locator {
    const label = this.page.locator('.label-name').getByText(name, { exact: true });
    return this.page.locator('.explorer-viewlet .monaco-list-row').filter({ has: label }).first();
  }
}
