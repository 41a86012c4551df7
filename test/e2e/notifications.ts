import type { Locator, Page } from 'playwright-core';
import { leaveTooltips } from './tooltips';
import { clickMs, succeeds, waitUntil } from './waitUntil';

/** After which a person looks under the bell. */
const toastMs = 3000;

/**
 * The messages at the lower right. VS Code shows three at a time, no fourth one within 0.8 s of a first, and hides all
 * but errors with buttons after 10 s and more. What is thus kept from being seen is found under the bell.
 */
export class Notifications {
  private readonly items: Locator;
  private readonly center: Locator;
  private readonly bell: Locator;

  constructor(page: Page) {
    // While those under the bell show, there are no toasts.
    this.items = page.locator('.notification-list-item:visible');
    this.center = page.locator('.notifications-center.visible');
    this.bell = page.locator('.statusbar-item[id="status.notifications"]');
  }

  /** The texts that show now, the newest first. */
  async texts(): Promise<string[]> {
    return await this.items.locator('.notification-list-item-message').allInnerTexts();
  }

  /** Waits for a message that says this; of several, it is the newest. */
  async waitFor(says: string | RegExp): Promise<Notification> {
    const message = this.items.page().locator('.notification-list-item-message', { hasText: says });
    const item = this.items.filter({ has: message }).first();
    const show = () => this.look(`a message that says ${says}`, async () => (await item.isVisible()) || undefined);
    await show();
    return new Notification(item, show);
  }

  /** Waits until nothing shows but this many messages: the progress of what has ended stays for a moment. */
  async waitForCount(count: number): Promise<void> {
    await this.look(`${count} message(s) in all`, async () => (await this.items.count()) === count || undefined);
  }

  /** Puts away all there are. */
  async clear(): Promise<void> {
    if (await this.areGone()) return;
    await waitUntil('all messages to be gone', async () => {
      if (await this.areGone()) return true;
      await this.lookUnderBell();
      // They may have gone by themselves, which leaves nothing to clear.
      const icon = (await this.items.count()) > 0 ? '.codicon-notifications-clear-all' : '.codicon-notifications-hide';
      await succeeds(this.center.locator(icon).click({ timeout: 2000 }));
      return undefined;
    });
  }

  /** Asks again and again, at first of the toasts, then under the bell. */
  private async look(what: string, ask: () => Promise<true | undefined>): Promise<void> {
    const bellFrom = Date.now() + toastMs;
    await waitUntil(what, async () => {
      const response = await ask();
      if (response === undefined && Date.now() > bellFrom) await this.lookUnderBell();
      return response;
    });
  }

  private async lookUnderBell(): Promise<void> {
    if (await this.center.isVisible()) return;
    // That of a message's button may cover the bell.
    await leaveTooltips(this.items.page());
    await succeeds(this.bell.locator('a').click({ timeout: clickMs }));
  }

  private async areGone(): Promise<boolean> {
    const left = [this.items, this.center, this.bell.locator('.codicon-bell-dot')];
    return (await Promise.all(left.map((one) => one.count()))).every((count) => count === 0);
  }
}

/** One message. */
export class Notification {
  private readonly item: Locator;
  private readonly show: () => Promise<void>;

  constructor(item: Locator, show: () => Promise<void>) {
    this.item = item;
    this.show = show;
  }

  async text(): Promise<string> {
    const [message] = await this.read('.notification-list-item-message');
    return message?.text ?? '';
  }

  /** The texts of the links in what it says. */
  async links(): Promise<string[]> {
    return (await this.read('.notification-list-item-message a')).map(({ text }) => text);
  }

  async severity(): Promise<'info' | 'warning' | 'error'> {
    const names = (await this.read('.notification-list-item-icon'))[0]?.className ?? '';
    return names.includes('codicon-error') ? 'error' : names.includes('codicon-warning') ? 'warning' : 'info';
  }

  async buttons(): Promise<string[]> {
    const buttons = await this.read('.notification-list-item-buttons-container .monaco-text-button');
    return buttons.map(({ text }) => text);
  }

  async click(button: string): Promise<void> {
    await waitUntil(`the button "${button}"`, async () => {
      await this.show();
      // That of the bell may cover the button.
      await leaveTooltips(this.item.page());
      const clicked = this.item.getByRole('button', { name: button, exact: true }).click({ timeout: clickMs });
      return (await succeeds(clicked)) || undefined;
    });
  }

  /** The elements in it that match, read in one go wherever it shows by then. */
  private async read(selector: string): Promise<{ readonly text: string; readonly className: string }[]> {
    return await waitUntil('the message', async () => {
      await this.show();
      const parts = this.item.evaluate(
        (item, wanted) =>
          [...item.querySelectorAll(wanted)].map((part) => ({
            text: part.textContent ?? '',
            className: part.className,
          })),
        selector,
        { timeout: 1000 },
      );
      return await parts.catch(() => undefined);
    });
  }
}
