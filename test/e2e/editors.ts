import type { Locator, Page } from 'playwright-core';
import { ContextMenu } from './contextMenu';
import { leaveTooltips } from './tooltips';
import { waitUntil } from './waitUntil';

/** The open editors: their tabs, and the text of the one in front. */
export class Editors {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The names on the tabs, from left to right. */
  async tabs(): Promise<string[]> {
    // A name may be drawn in two parts, the second being its extension.
    return await this.page
      .locator('.tabs-container .tab .monaco-icon-name-container')
      .evaluateAll((names) =>
        names.map((name) => name.textContent + (name.parentElement?.querySelector('.label-suffix')?.textContent ?? '')),
      );
  }

  /** Waits for the tab to be in front, and its editor, which comes later and takes the focus at the end. */
  async waitForActive(name: string | RegExp): Promise<void> {
    await this.page.locator('.tabs-container .tab.active .tab-label', { hasText: name }).waitFor();
    await this.focused.waitFor();
  }

  /** The lines in sight of the editor in front. */
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

  /** Waits until the lines in sight are as asked for, and gives them. */
  async waitForText(isAsAsked: (text: string) => boolean): Promise<string> {
    let seen = '';
    const found = waitUntil('the text of the editor', async () => {
      seen = await this.text();
      return isAsAsked(seen) ? seen : undefined;
    });
    return await found.catch((error: Error) => {
      throw new Error(`${error.message}; it shows ${seen}`, { cause: error });
    });
  }

  /** Types into the editor in front, at the end of its first line. */
  async type(text: string): Promise<void> {
    await leaveTooltips(this.page);
    await this.lines().first().click();
    await this.typeAtCursor(text);
  }

  /** Types into the editor in front. */
  async typeAtCursor(text: string): Promise<void> {
    await this.focused.waitFor();
    await this.page.keyboard.type(text);
  }

  /** Right-clicks into the text and chooses. */
  async chooseFromText(menuItem: string): Promise<void> {
    await (await ContextMenu.at(this.lines().first())).choose(menuItem);
  }

  /** Right-clicks the tab and chooses. */
  async chooseFromTab(menuItem: string, name: string): Promise<void> {
    const tab = this.page.locator('.tabs-container .tab').filter({ hasText: name }).first();
    await (await ContextMenu.at(tab)).choose(menuItem);
  }

  /** Clicks one of the icons at the upper right of the editor in front. */
  async clickTitleAction(action: string): Promise<void> {
    await leaveTooltips(this.page);
    await this.page
      .locator(`.editor-group-container.active .editor-actions .action-label[aria-label^="${action}"]`)
      .click();
  }

  private get focused(): Locator {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused');
  }

  private lines(): Locator {
    const lines = '.view-lines .view-line';
    // A notebook lies above the editor group, not in it.
    return this.page.locator(
      `.editor-group-container.active .editor-instance ${lines}, .notebookOverlay:visible ${lines}`,
    );
  }
}
