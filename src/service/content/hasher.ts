import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/**
 * A SHA-256 in the making. Bytes are taken one piece after the other: `update` resolves once they may change, and is
 * not called again before.
 */
export interface Hasher {
  update(bytes: Uint8Array): Promise<void>;
  /** The hexadecimal hash of all that was taken; undefined where it could not be made. */
  digest(): Promise<string | undefined>;
  /** Lets go of what it holds, at its end or before. */
  close(): void;
}

/** From this size on, the time that hashing takes is worth more than the start of a thread. */
const THREAD_FROM_BYTES = 16 * 1024 * 1024;

/** Makes a hasher that suits so many bytes. */
export function hasherFor(sizeBytes: number): Hasher {
  if (sizeBytes < THREAD_FROM_BYTES) return inThisThread();
  try {
    return new HashThread();
  } catch {
    // The system may grant no more threads.
    return inThisThread();
  }
}

function inThisThread(): Hasher {
  const hash = createHash('sha256');
  return {
    update: async (bytes) => {
      hash.update(bytes);
    },
    digest: async () => hash.digest('hex'),
    close: () => {},
  };
}

const SLOTS = 4;
const SLOT_BYTES = 1024 * 1024;

/** Written as text, as a thread is given a program and not a function. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const hash = require('node:crypto').createHash('sha256');
parentPort.on('message', (part) => {
  if (part === 'end') return parentPort.postMessage({ digest: hash.digest('hex') });
  hash.update(new Uint8Array(workerData, part.at, part.length));
  parentPort.postMessage({ free: part.at });
});
`;

/** What the program says: a slot was hashed, or all was. */
type Said = { readonly free: number } | { readonly digest: string };

/** Hashes in a thread of its own while this one sends. The bytes go over in shared memory, a slot each. */
class HashThread implements Hasher {
  readonly #memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  readonly #worker = new Worker(program, { eval: true, workerData: this.#memory, env: {}, execArgv: [] });
  readonly #free = Array.from({ length: SLOTS }, (_, slot) => slot * SLOT_BYTES);
  readonly #digest = Promise.withResolvers<string | undefined>();
  #resume: () => void = () => {};
  #isBroken = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (said: Said) => {
      if ('digest' in said) this.#digest.resolve(said.digest);
      else this.#free.push(said.free);
      this.#resume();
    });
    // Without it the import goes on all the same, only its hash is not known.
    this.#worker.on('error', () => this.#break());
    this.#worker.on('exit', () => this.#break());
  }

  async update(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += SLOT_BYTES) {
      const slot = await this.#slot();
      if (slot === undefined) return;
      const part = bytes.subarray(at, at + SLOT_BYTES);
      new Uint8Array(this.#memory, slot).set(part);
      this.#worker.postMessage({ at: slot, length: part.length });
    }
  }

  digest(): Promise<string | undefined> {
    this.#worker.postMessage('end');
    return this.#digest.promise;
  }

  close(): void {
    void this.#worker.terminate();
  }

  /** The beginning of one that is free; undefined where there will be none. */
  async #slot(): Promise<number | undefined> {
    while (this.#free.length === 0 && !this.#isBroken) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
    return this.#isBroken ? undefined : this.#free.shift();
  }

  #break(): void {
    this.#isBroken = true;
    this.#digest.resolve(undefined);
    this.#resume();
  }
}
