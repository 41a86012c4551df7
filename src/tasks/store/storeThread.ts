import { existsSync } from 'node:fs';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { OnSetAside } from '../database/sqliteConnection';
import { StoreError } from '../database/storeError';
import { type EditorWindow, thisWindow } from '../leases/windowLease';
import type { Store, StorePart } from './store';
import type { serve } from './storeProgram';

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

/** What a StoreThread reports. */
export interface StoreThreadEvents {
  readonly onSetAside: OnSetAside;
  /** No thread could be started: the operations run in the caller's. */
  readonly onNoThread: (error: unknown) => void;
}

interface PendingCall extends PromiseWithResolvers<unknown> {
  readonly call: StoreCall;
}

/** Where the operations run: mostly a thread. */
interface Server {
  post(call: StoreCall): void;
  /** Lets the process end, or not, while a response is awaited. */
  keepProcess(keep: boolean): void;
  end(): unknown;
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
  readonly contents = this.#operations('contents');
  readonly #path: string;
  readonly #events: StoreThreadEvents;
  readonly #program: string;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #server: Server | undefined;

  /** `program` is the path of what the thread runs. */
  constructor(path: string, events: StoreThreadEvents, program = require.resolve('./storeProgram')) {
    this.#path = path;
    this.#events = events;
    this.#program = program;
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  version(): Promise<string> {
    return this.#call(undefined, 'version', []) as Promise<string>;
  }

  async close(): Promise<void> {
    if (this.#server !== undefined) await this.#call(undefined, 'close', []);
    // What was asked for meanwhile has opened it again.
    if (this.#pending.size > 0) return;
    const server = this.#server;
    this.#server = undefined;
    await server?.end();
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
    const pending = { call, ...Promise.withResolvers<unknown>() };
    this.#pending.set(call.id, pending);
    this.#server ??= this.#startThread();
    this.#server.keepProcess(true);
    this.#server.post(call);
    return pending.promise;
  }

  #startThread(): Server {
    let worker: Worker;
    try {
      worker = new Worker(this.#program, { workerData: this.#setup });
    } catch (error) {
      return this.#serveHere(error);
    }
    let wasReady = false;
    let failure: Error | undefined;
    const server: Server = {
      post: (call) => worker.postMessage(call),
      keepProcess: (keep) => (keep ? worker.ref() : worker.unref()),
      end: () => worker.terminate(),
    };
    worker.on('message', (message: StoreMessage) => {
      if ('isReady' in message) wasReady = true;
      else this.#onMessage(server, message);
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#server === server)
        this.#onEnd(failure ?? new Error('The thread of the task database ended.'), wasReady);
    });
    return server;
  }

  /** Runs the program of the thread in this one. */
  #serveHere(reason: unknown): Server {
    this.#events.onNoThread(reason);
    const { port1, port2 } = new MessageChannel();
    const program: { readonly serve: typeof serve } = require(this.#program);
    program.serve(port2, this.#setup);
    port2.unref();
    const server: Server = {
      post: (call) => port1.postMessage(call),
      keepProcess: (keep) => (keep ? port1.ref() : port1.unref()),
      end: () => port1.close(),
    };
    port1.on('message', (message: StoreMessage) => {
      if (!('isReady' in message)) this.#onMessage(server, message);
    });
    return server;
  }

  get #setup(): StoreSetup {
    return { path: this.#path, window: this.window };
  }

  #onMessage(server: Server, message: Exclude<StoreMessage, { isReady: true }>): void {
    if ('setAside' in message) {
      this.#events.onSetAside(...message.setAside);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) server.keepProcess(false);
    if ('result' in message) pending?.resolve(message.result);
    else {
      const { error, reason } = message;
      pending?.reject(reason === undefined ? error : new StoreError(this.#path, error, reason));
    }
  }

  #onEnd(error: Error, wasReady: boolean): void {
    if (wasReady) {
      this.#server = undefined;
      const pending = [...this.#pending.values()];
      this.#pending.clear();
      for (const { reject } of pending) reject(new StoreError(this.#path, error, 'ended'));
      return;
    }
    const here = this.#serveHere(error);
    this.#server = here;
    for (const { call } of this.#pending.values()) here.post(call);
  }
}
