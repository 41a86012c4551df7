import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { OnSetAside } from '../database/sqliteConnection';
import { StoreError } from '../database/storeError';
import { type EditorWindow, thisWindow } from '../leases/windowLease';
import type { Store, StorePart } from './store';

/** What the thread is started with. */
export interface StoreSetup {
  readonly path: string;
  readonly window: EditorWindow;
}

/** A message to the thread. */
export interface StoreCall {
  readonly id: number;
  /** Undefined for the store's own. */
  readonly part: StorePart | undefined;
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** A message of the thread. */
export type StoreMessage =
  | { readonly setAside: Parameters<OnSetAside> }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown; readonly reason: StoreError['reason'] | undefined };

/**
 * The task database in a thread of its own, so that the extension host never waits for a disk. The first operation starts
 * the thread. If it ends or cannot be started, its unfinished operations reject with StoreError, and the next one starts it
 * again.
 */
export class StoreThread implements Store {
  readonly window: EditorWindow = thisWindow();
  readonly tasks = this.#operations('tasks');
  readonly history = this.#operations('history');
  readonly notices = this.#operations('notices');
  readonly leases = this.#operations('leases');
  readonly contents = this.#operations('contents');
  readonly #path: string;
  readonly #onSetAside: OnSetAside;
  readonly #program: string;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #worker: Worker | undefined;

  /** `program` is the path of what the thread runs. */
  constructor(path: string, onSetAside: OnSetAside, program = require.resolve('./storeProgram')) {
    this.#path = path;
    this.#onSetAside = onSetAside;
    this.#program = program;
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  version(): Promise<string> {
    return this.#call(undefined, 'version', []) as Promise<string>;
  }

  async close(): Promise<void> {
    if (this.#worker !== undefined) await this.#call(undefined, 'close', []);
    // An operation that was called in the meantime has opened it again.
    if (this.#pending.size > 0) return;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #operations<Part extends StorePart>(part: Part): Store[Part] {
    const call =
      (_: unknown, operation: string) =>
      (...args: readonly unknown[]) =>
        this.#call(part, operation, args);
    return new Proxy({}, { get: call }) as Store[Part];
  }

  #call(part: StorePart | undefined, operation: string, args: readonly unknown[]): Promise<unknown> {
    const call: StoreCall = { id: ++this.#lastId, part, operation, args };
    const pending = Promise.withResolvers<unknown>();
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(call);
    this.#pending.set(call.id, pending);
    return pending.promise;
  }

  #start(): Worker {
    const setup: StoreSetup = { path: this.#path, window: this.window };
    const worker = new Worker(this.#program, { workerData: setup });
    let failure = new Error('The thread of the task database ended.');
    worker.on('message', (message: StoreMessage) => this.#onMessage(worker, message));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#onEnd(failure);
    });
    return worker;
  }

  #onMessage(worker: Worker, message: StoreMessage): void {
    if ('setAside' in message) {
      this.#onSetAside(...message.setAside);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) worker.unref();
    if ('result' in message) pending?.resolve(message.result);
    else {
      const { error, reason } = message;
      pending?.reject(reason === undefined ? error : new StoreError(this.#path, error, reason));
    }
  }

  #onEnd(error: Error): void {
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new StoreError(this.#path, error, 'ended'));
  }
}
