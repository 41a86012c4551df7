import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A window in a process of its own, which imports files. It is gone when the test is. */
export class ImportingProcess {
  readonly #child: ChildProcess;
  /** Resolves when it has the first answer, before that is stored. */
  readonly answered: Promise<unknown>;

  constructor(storePath: string, baseUrl: URL, ...files: readonly string[]) {
    const program = path.join(__dirname, 'importingProgram.js');
    this.#child = fork(program, [path.dirname(storePath), baseUrl.href, ...files], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.answered = once(this.#child, 'message');
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
}
