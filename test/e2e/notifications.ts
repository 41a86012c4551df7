import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './waitUntil';

/** VS Code shows no fourth message within 0.8 s of a first one, progress counted too; no person is that quick. */
const personsPaceMs = 900;

/** The messages at the lower right. VS Code shows three at a time and hides those without buttons after a while. */
export class Notifications {
  private readonly page: Page;
  private readonly toasts: Locator;

  constructor(page: Page) {
    this.page = page;
    this.toasts = page.locator('.notification-toast .notification-list-item');
  }

  /** The texts that show now, the newest first. */
  async texts(): Promise<string[]> {
    return await this.toasts.locator('.notification-list-item-message').allInnerTexts();
  }

  /** Waits for a message that says this. */
  async waitFor(says: string | RegExp): Promise<Notification> {
    const message = this.page.locator('.notification-list-item-message', { hasText: says });
    const toast = this.toasts.filter({ has: message }).first();
    await toast.waitFor();
    return new Notification(toast);
  }

  /** Waits until nothing shows but this many messages: the progress of what has ended stays for a moment. */
  async waitForCount(count: number): Promise<void> {
    await waitUntil(`${count} message(s) in all`, async () => (await this.toasts.count()) === count || undefined);
  }

  /** Puts away all that show. */
  async clear(): Promise<void> {
    if ((await this.toasts.count()) === 0) return;
    const quietFrom = Date.now() + personsPaceMs;
    await waitUntil('all messages to be gone', async () => {
      if ((await this.toasts.count()) === 0) return true;
      // It may go by itself between the look and the click.
      await new Notification(this.toasts.first()).dismiss({ timeout: 1000 }).catch(() => undefined);
      return undefined;
    });
    await waitUntil('a moment after the last message', async () => Date.now() >= quietFrom || undefined);
  }
}

/** One message. */
export class Notification {
  private readonly toast: Locator;
  private readonly seenMs = Date.now();

  constructor(toast: Locator) {
    this.toast = toast;
  }

  async text(): Promise<string> {
    return await this.toast.locator('.notification-list-item-message').innerText();
  }

  async severity(): Promise<'info' | 'warning' | 'error'> {
    const names = (await this.toast.locator('.notification-list-item-icon').getAttribute('class')) ?? '';
    return names.includes('codicon-error') ? 'error' : names.includes('codicon-warning') ? 'warning' : 'info';
  }

  async buttons(): Promise<string[]> {
    return await this.toast.locator('.notification-list-item-buttons-container .monaco-text-button').allInnerTexts();
  }

  async click(button: string): Promise<void> {
    await waitUntil('a person to have read it', async () => Date.now() - this.seenMs >= personsPaceMs || undefined);
    await this.toast.getByRole('button', { name: button, exact: true }).click();
  }

  async dismiss(limits: { timeout?: number } = {}): Promise<void> {
    await this.toast.hover(limits);
    await this.toast.locator('.codicon-notifications-clear').click(limits);
  }

  /** Waits until it has gone. */
  async gone(): Promise<void> {
    await this.toast.waitFor({ state: 'hidden' });
  }
}
