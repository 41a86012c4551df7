import { Worker } from 'node:worker_threads';
import type { WholeFile } from '../../service/content/hashing';
import { SourceError } from '../../service/errors';
import type { CheckedSource, FileToCheck } from './checkedSource';
import type { FileLook, FileOperations } from './fileOperations';

/** A SourceError as plain data. */
export interface SourceFault {
  readonly reason: SourceError['reason'];
  readonly fileName: string;
  readonly cause: string | undefined;
}

/** A message to the thread. */
export type FileCall = {
  readonly [Name in keyof FileOperations]: {
    readonly id: number;
    readonly operation: Name;
    readonly args: Parameters<FileOperations[Name]>;
  };
}[keyof FileOperations];

/** A message of the thread. */
export type FileMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: SourceFault }
  | { readonly id: number; readonly error: unknown };

/**
 * The operations on files in a thread of its own: opening, reading, hashing and closing a small file takes the extension
 * host as long as everything else that is done to send it. The first operation starts the thread. If it ends or cannot be
 * started, its unfinished operations reject, and the next one starts it again.
 */
export class FileThread implements FileOperations {
  readonly #program: string;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #worker: Worker | undefined;

  /** `program` is the path of what the thread runs. */
  constructor(program = require.resolve('./fileProgram')) {
    this.#program = program;
  }

  async check(files: readonly FileToCheck[], ownFolder?: string): Promise<(CheckedSource | SourceError)[]> {
    type Checked = (CheckedSource | SourceError | { readonly fault: SourceFault })[];
    const checked = await this.#call<Checked>('check', files, ownFolder);
    return checked.map((one) => ('fault' in one ? sourceError(one.fault) : one));
  }

  look(paths: readonly string[]): Promise<(FileLook | undefined)[]> {
    return this.#call('look', paths);
  }

  read(path: string, name: string): Promise<WholeFile | undefined> {
    return this.#call('read', path, name);
  }

  sha256(path: string, name: string): Promise<string> {
    return this.#call('sha256', path, name);
  }

  /** Ends the thread. */
  end(): void {
    void this.#worker?.terminate();
  }

  #call<Result>(operation: keyof FileOperations, ...args: readonly unknown[]): Promise<Result> {
    const call = { id: ++this.#lastId, operation, args } as unknown as FileCall;
    const pending = Promise.withResolvers<unknown>();
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(call);
    this.#pending.set(call.id, pending);
    return pending.promise as Promise<Result>;
  }

  #start(): Worker {
    const worker = new Worker(this.#program);
    let failure = new Error('The thread that reads files ended.');
    worker.on('message', (message: FileMessage) => this.#onMessage(worker, message));
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => this.#onEnd(failure));
    return worker;
  }

  #onMessage(worker: Worker, message: FileMessage): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) worker.unref();
    if ('result' in message) pending?.resolve(message.result);
    else pending?.reject('fault' in message ? sourceError(message.fault) : message.error);
  }

  #onEnd(error: Error): void {
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}

function sourceError({ reason, fileName, cause }: SourceFault): SourceError {
  return new SourceError(reason, fileName, cause === undefined ? undefined : { cause: new Error(cause) });
}
