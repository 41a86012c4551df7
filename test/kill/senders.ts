import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { SenderOrder } from './senderProgram';

/** A window in its own process, so that a test can kill it. */
export class Sender {
  readonly errors: string[] = [];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: { readonly kind: string; readonly message?: string }) => {
      if (message.kind === 'error') this.errors.push(message.message ?? '');
    });
  }

  static async start(storePath: string, baseUrl: string): Promise<Sender> {
    const child = fork(path.join(__dirname, 'senderProgram.js'), [storePath, baseUrl], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const sender = new Sender(child);
    await once(child, 'message');
    return sender;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves once the order has been carried out or the process has ended. */
  async order(order: SenderOrder): Promise<void> {
    if (!this.isAlive) return;
    const listening = new AbortController();
    const { signal } = listening;
    this.#child.send(order);
    await Promise.race([once(this.#child, 'message', { signal }), once(this.#child, 'exit', { signal })]);
    listening.abort();
  }

  /** Ends the process without any cleanup. */
  async kill(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
