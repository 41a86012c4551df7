import type { Locator, Page } from 'playwright-core';

export class Dialog {
  private readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  /** Waits for a dialog with this text, and returns its message and detail. */
  async waitFor(text: string | RegExp): Promise<string> {
    return await this.box.filter({ hasText: text }).locator('.dialog-message-container').innerText();
  }

  /** Clicks a button and waits until this dialog has closed. Another dialog may open immediately. */
  async click(button: string): Promise<void> {
    const box = await this.box.elementHandle();
    await this.box.getByRole('button', { name: button, exact: true }).click();
    await box?.waitForElementState('hidden');
  }
}
