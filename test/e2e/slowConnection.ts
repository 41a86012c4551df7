import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** The connection between a page and its editor, which a test can slow down, as if the editor were remote. */
export class SlowConnection {
  #delayMs = 0;
  #held = Promise.resolve();

  /** Starts intercepting the connections that the page opens. */
  static async of(page: Page): Promise<SlowConnection> {
    const connection = new SlowConnection();
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      let last = Promise.resolve();
      socket.onMessage((message) => {
        const ready = Promise.all([setTimeout(connection.#delayMs), connection.#held, last]);
        last = ready.then(() => server.send(message));
      });
    });
    return connection;
  }

  /** Delays messages from the page to the editor. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Holds back messages from the page until `doing` has finished, and then sends all of them. */
  async holdWhile(doing: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    await doing().finally(resolve);
  }
}
