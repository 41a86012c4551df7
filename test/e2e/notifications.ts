import type { Locator, Page } from 'playwright-core';
import { hideTooltips } from './tooltips';
import { clickMs, succeeds, waitUntil } from './waitUntil';

/** How long to wait for a toast before looking in the notification center. */
const toastMs = 3000;

/**
 * VS Code's notifications. At most three are shown at a time, and most disappear on their own after 10 s or more. The
 * notification center lists all of them, and opens when the bell is clicked.
 */
export class Notifications {
  private readonly items: Locator;
  private readonly center: Locator;
  private readonly bell: Locator;

  constructor(page: Page) {
    // While the notification center is open, there are no toasts.
    this.items = page.locator('.notification-list-item:visible');
    this.center = page.locator('.notifications-center.visible');
    this.bell = page.locator('.statusbar-item[id="status.notifications"]');
  }

  /** The text of each visible message, newest first. */
  async texts(): Promise<string[]> {
    return await this.items.locator('.notification-list-item-message').allInnerTexts();
  }

  /** Waits for a message with this text. Returns the newest one if multiple messages match. */
  async waitFor(text: string | RegExp): Promise<Notification> {
    const message = this.items.page().locator('.notification-list-item-message', { hasText: text });
    const item = this.items.filter({ has: message }).first();
    const show = () => this.poll(`the message "${text}"`, async () => (await item.isVisible()) || undefined);
    await show();
    return new Notification(item, show);
  }

  async clear(): Promise<void> {
    if (await this.areClosed()) return;
    await waitUntil('all messages to close', async () => {
      if (await this.areClosed()) return true;
      await this.openCenter();
      // If all messages have closed on their own, there is no button to clear them.
      const icon = (await this.items.count()) > 0 ? '.codicon-notifications-clear-all' : '.codicon-notifications-hide';
      await succeeds(this.center.locator(icon).click({ timeout: 2000 }));
      return undefined;
    });
  }

  /** Polls the toasts first, then the notification center. */
  private async poll(what: string, ask: () => Promise<true | undefined>): Promise<void> {
    const bellFrom = Date.now() + toastMs;
    await waitUntil(what, async () => {
      const response = await ask();
      if (response === undefined && Date.now() > bellFrom) await this.openCenter();
      return response;
    });
  }

  private async openCenter(): Promise<void> {
    if (await this.center.isVisible()) return;
    // A message button's tooltip may cover the bell.
    await hideTooltips(this.items.page());
    await succeeds(this.bell.locator('a').click({ timeout: clickMs }));
  }

  private async areClosed(): Promise<boolean> {
    const left = [this.items, this.center, this.bell.locator('.codicon-bell-dot')];
    return (await Promise.all(left.map((one) => one.count()))).every((count) => count === 0);
  }
}

export class Notification {
  private readonly item: Locator;
  private readonly show: () => Promise<void>;

  constructor(item: Locator, show: () => Promise<void>) {
    this.item = item;
    this.show = show;
  }

  async text(): Promise<string> {
    const [message = ''] = await this.read('.notification-list-item-message');
    return message;
  }

  /** The text of each link in the message. */
  async links(): Promise<string[]> {
    return await this.read('.notification-list-item-message a');
  }

  async click(button: string): Promise<void> {
    await waitUntil(`the button "${button}"`, async () => {
      await this.show();
      // The bell's tooltip may cover the button.
      await hideTooltips(this.item.page());
      const clicked = this.item.getByRole('button', { name: button, exact: true }).click({ timeout: clickMs });
      return (await succeeds(clicked)) || undefined;
    });
  }

  /** Reads all matching elements in one step, because the message may move to the notification center at any time. */
  private async read(selector: string): Promise<string[]> {
    return await waitUntil('the message', async () => {
      await this.show();
      const parts = this.item.evaluate(
        (item, wanted) => [...item.querySelectorAll(wanted)].map((part) => part.textContent ?? ''),
        selector,
        { timeout: 1000 },
      );
      return await parts.catch(() => undefined);
    });
  }
}
