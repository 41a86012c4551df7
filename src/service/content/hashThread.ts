import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * A SHA-256 that is computed by a thread of its own, while this one sends: for a large file, hashing takes as long as
 * sending does. Never throws: where the thread fails, there is no hash.
 */
export class HashThread {
  readonly #worker: Worker;
  /** What awaits the response to each message, in their order. */
  readonly #asked: ((sha256: string | undefined) => void)[] = [];
  #hasEnded = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (sha256: string | undefined) => this.#asked.shift()?.(sha256));
    worker.on('error', () => this.end());
  }

  /** Undefined where a thread cannot be had. */
  static async start(): Promise<HashThread | undefined> {
    try {
      const worker = new Worker(require.resolve('./hashProgram'));
      await once(worker, 'online');
      return new HashThread(worker);
    } catch {
      return undefined;
    }
  }

  /** Resolves once the chunk is hashed: until then it must stay as it is. It is copied unless its memory is shared. */
  async update(chunk: Uint8Array): Promise<void> {
    await this.#ask(chunk);
  }

  /** The hexadecimal SHA-256 of all chunks; undefined where the thread has failed. */
  digest(): Promise<string | undefined> {
    return this.#ask(undefined);
  }

  /** Ends the thread, also before its hash is known. */
  end(): void {
    this.#hasEnded = true;
    void this.#worker.terminate();
    for (const tell of this.#asked.splice(0)) tell(undefined);
  }

  #ask(message: Uint8Array | undefined): Promise<string | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#worker.postMessage(message);
    });
  }
}
