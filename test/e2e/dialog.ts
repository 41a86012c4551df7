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

  /** Clicks a button, and waits until this question is gone; the next one may stand there at once. */
  async click(button: string): Promise<void> {
    const box = await this.box.elementHandle();
    await this.box.getByRole('button', { name: button, exact: true }).click();
    await box?.waitForElementState('hidden');
  }
}
