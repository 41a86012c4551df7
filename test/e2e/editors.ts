import type { Locator, Page } from 'playwright-core';
import { ContextMenu } from './contextMenu';
import { waitUntil } from './waitUntil';

/** The open editors: their tabs, and the active editor's text. */
export class Editors {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits until the tab is active and its editor has focus. */
  async waitForActive(name: string | RegExp): Promise<void> {
    await this.page.locator('.tabs-container .tab.active .tab-label', { hasText: name }).waitFor();
    await this.focused.waitFor();
  }

  /** The visible lines of the active editor. */
  async text(): Promise<string> {
    const lines = this.lines();
    await lines.first().waitFor();
    const texts = await lines.evaluateAll((all) =>
      all
        .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
        .sort((one, other) => one.top - other.top)
        .map(({ text }) => text.replaceAll('\u00a0', ' ')),
    );
    return texts.join('\n');
  }

  /** Waits until the visible lines match, and returns them. */
  async waitForText(matches: (text: string) => boolean): Promise<string> {
    let seen = '';
    const found = waitUntil('the text of the editor', async () => {
      seen = await this.text();
      return matches(seen) ? seen : undefined;
    });
    return await found.catch((error: Error) => {
      throw new Error(`${error.message}; it shows ${seen}`, { cause: error });
    });
  }

  /** Chooses a command from the active editor's context menu. */
  async chooseFromText(menuItem: string): Promise<void> {
    await (await ContextMenu.of(this.lines().first())).choose(menuItem);
  }

  /** Chooses a command from a tab's context menu. */
  async chooseFromTab(menuItem: string, name: string): Promise<void> {
    const tab = this.page.locator('.tabs-container .tab').filter({ hasText: name }).first();
    await (await ContextMenu.of(tab)).choose(menuItem);
  }

  private get focused(): Locator {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused');
  }

  private lines(): Locator {
    const lines = '.view-lines .view-line';
    // A notebook's element isn't inside the editor group.
    return this.page.locator(
      `.editor-group-container.active .editor-instance ${lines}, .notebookOverlay:visible ${lines}`,
    );
  }
}
