import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { OnSetAside } from '../database/sqliteConnection';
import { SqliteFile } from '../database/sqliteFile';
import { StoreError } from '../database/storeError';
import { type EditorWindow, thisWindow } from '../leases/windowLease';
import { systemClock } from '../timing/clock';
import { type Store, type StorePart, storeHere } from './store';
import { TASK_SCHEMA } from './taskSchema';

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
  | { readonly isReady: true }
  | { readonly setAside: Parameters<OnSetAside> }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown; readonly reason: StoreError['reason'] | undefined };

interface PendingCall extends PromiseWithResolvers<unknown> {
  readonly call: StoreCall;
}

/** What a StoreThread reports. */
export interface StoreThreadEvents {
  readonly onSetAside: OnSetAside;
  /** No thread could be started: the operations run in the caller's. */
  readonly onNoThread: (error: unknown) => void;
}

/**
 * The task database in a thread of its own, so that the extension host never waits for a disk. The thread is started by the
 * first operation. Where it ends, its unfinished operations reject with StoreError, and the next one starts another.
 */
export class StoreThread implements Store {
  readonly window: EditorWindow = thisWindow();
  readonly tasks = this.#operations('tasks');
  readonly history = this.#operations('history');
  readonly notices = this.#operations('notices');
  readonly leases = this.#operations('leases');
  readonly #path: string;
  readonly #events: StoreThreadEvents;
  readonly #program: string;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #worker: Worker | undefined;
  /** Where no thread can be started. */
  #here: Store | undefined;

  /** `program` is the path of what the thread runs. */
  constructor(path: string, events: StoreThreadEvents, program = require.resolve('./storeProgram')) {
    this.#path = path;
    this.#events = events;
    this.#program = program;
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  async close(): Promise<void> {
    if (this.#worker !== undefined || this.#here !== undefined) await this.#call(undefined, 'close', []);
    // What was asked for meanwhile has opened it again.
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
    if (this.#here === undefined) this.#worker ??= this.#start();
    if (this.#worker === undefined) return callOperation(this.#storeHere(), call);
    const pending = { call, ...Promise.withResolvers<unknown>() };
    this.#pending.set(call.id, pending);
    // A thread that has nothing to do must not keep the process.
    this.#worker.ref();
    this.#worker.postMessage(call);
    return pending.promise;
  }

  #start(): Worker | undefined {
    const workerData: StoreSetup = { path: this.#path, window: this.window };
    let worker: Worker;
    try {
      worker = new Worker(this.#program, { workerData });
    } catch (error) {
      this.#events.onNoThread(error);
      return;
    }
    let wasReady = false;
    let failure: Error | undefined;
    worker.on('message', (message: StoreMessage) => {
      if ('isReady' in message) wasReady = true;
      else this.#onMessage(worker, message);
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#onEnd(failure ?? new Error('The thread of the task database ended.'), wasReady);
    });
    return worker;
  }

  #onMessage(worker: Worker, message: Exclude<StoreMessage, { isReady: true }>): void {
    if ('setAside' in message) {
      this.#events.onSetAside(...message.setAside);
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

  #onEnd(error: Error, wasReady: boolean): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    if (wasReady) {
      for (const { reject } of pending) reject(new StoreError(this.#path, error, 'ended'));
      return;
    }
    this.#events.onNoThread(error);
    for (const { call, resolve, reject } of pending) callOperation(this.#storeHere(), call).then(resolve, reject);
  }

  #storeHere(): Store {
    this.#here ??= openStore({ path: this.#path, window: this.window }, this.#events.onSetAside);
    return this.#here;
  }
}

/** Makes a window's store, whose operations run in the caller's own thread. It is opened when it is first needed. */
export function openStore({ path, window }: StoreSetup, onSetAside: OnSetAside): Store {
  return storeHere(new SqliteFile(path, TASK_SCHEMA, onSetAside), window, systemClock);
}

/** Calls the operation that a message names. */
export function callOperation(store: Store, { part, operation, args }: StoreCall): Promise<unknown> {
  const operations = (part === undefined ? store : store[part]) as unknown as Readonly<Record<string, Operation>>;
  return operations[operation]?.(...args) ?? Promise.reject(new Error(`There is no operation "${operation}".`));
}

type Operation = (...args: readonly unknown[]) => Promise<unknown>;
