import type { Locator, Page } from 'playwright-core';
import { openContainer } from './activityBar';
import { boxOf } from './boxOf';
import { ContextMenu } from './contextMenu';
import { appears, clickMs, waitUntil } from './waitUntil';

/** The view of the workspace's files. */
export class Explorer {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Brings the Explorer into the side bar. */
  async show(): Promise<void> {
    await openContainer(this.page, 'Explorer', this.page.locator('.explorer-viewlet .monaco-list-row').first());
  }

  /** Waits for the row of a file or folder that was made meanwhile: rows below it move as it comes. */
  async waitFor(name: string): Promise<void> {
    await this.show();
    await this.row(name).waitFor();
  }

  /** Right-clicks a file or folder; of several, all are selected first. Names as they show, not paths. */
  async openMenu(...names: [string, ...string[]]): Promise<ContextMenu> {
    await this.show();
    if (names.length > 1) await this.selectAll(names);
    return await ContextMenu.at(this.row(names.at(-1) ?? names[0]));
  }

  /** Right-clicks and chooses, e.g. `chooseFor('Import to Dataset…', 'notes.txt')`. */
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

  /** Selects these and nothing else. As files come and go, the Explorer may drop a selection: it is made again then. */
  private async selectAll(names: readonly string[]): Promise<void> {
    const selected = this.page.locator('.explorer-viewlet .monaco-list-row.selected');
    await waitUntil(`${names.join(', ')} to be selected`, async () => {
      await this.trySelectAll(names);
      return (await selected.count()) === names.length || undefined;
    });
  }

  /** Without opening one: what opens is selected alone, however late that is. */
  private async trySelectAll(names: readonly string[]): Promise<void> {
    const list = this.page.locator('.explorer-viewlet .explorer-folders-view .monaco-list').first();
    const ground = await boxOf(list);
    await this.page.mouse.click(ground.x + ground.width / 2, ground.y + ground.height - 10);
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
