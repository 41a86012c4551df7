import type { Locator, Page } from 'playwright-core';

/** The question that stands before everything else until it is answered. */
export class Dialog {
  private readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  /** Waits for one that says this, and gives its message and detail. */
  async waitFor(says: string | RegExp): Promise<string> {
    return await this.box.filter({ hasText: says }).locator('.dialog-message-container').innerText();
  }

  async buttons(): Promise<string[]> {
    return await this.box.locator('.dialog-buttons .monaco-text-button').allInnerTexts();
  }

  async click(button: string): Promise<void> {
    await this.box.getByRole('button', { name: button, exact: true }).click();
    await this.box.waitFor({ state: 'hidden' });
  }
}
