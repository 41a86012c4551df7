import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** The connection of a page to its editor, which can be made slow, as to a machine far away. */
export class SlowConnection {
  #delayMs = 0;
  #held = Promise.resolve();

  /** Comes between a page and the editor that it connects to afterwards. */
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

  /** From now on, what the page says reaches the editor so much later. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Keeps back what the page says while this is done: then it reaches the editor at once. */
  async holdWhile(doing: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    await doing().finally(resolve);
  }
}
