import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Part } from './playPart';

/** Another process that uses the same store. It is gone when the test is. */
export class OtherProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts one and waits until it is ready to play its part. */
  static async start(part: Part, ...facts: string[]): Promise<OtherProcess> {
    const program = path.join(__dirname, 'playPart.js');
    const child = fork(program, [part, ...facts], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const other = new OtherProcess(child);
    await other.#says('ready');
    return other;
  }

  /** Lets it do what it is there for; resolves with what it says at the end. */
  async go(): Promise<unknown> {
    this.#child.send('go');
    return this.#says('done');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Stops it, as a laptop that sleeps does, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Ends it as a crash does: nothing is tidied up. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #says(kind: 'ready' | 'done'): Promise<unknown> {
    const gone = new AbortController();
    const end = () => gone.abort(new Error(`The other process ended before it was ${kind}.`));
    this.#child.once('exit', end);
    try {
      const [message] = await once(this.#child, 'message', { signal: gone.signal });
      if (message.kind !== kind) throw new Error(`The other process says ${JSON.stringify(message)}.`);
      return message.told;
    } finally {
      this.#child.off('exit', end);
    }
  }
}
