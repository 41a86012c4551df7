import { stat } from 'node:fs/promises';
import { FileBody } from '../../service/content/fileBody';
import { type HashedBody, hashed } from '../../service/content/hashing';
import { textBody } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';
import { WorkerCalls } from '../workerCalls';
import type { CheckedSource, FileToCheck } from './checkedSource';
import { type FileOperations, isSameVersion, type ReadFile, type SourceFault } from './fileOperations';

/** A file that is ready to be sent, or the reason it can't be. */
export type Prepared = ReadFile | { readonly kind: 'failed'; readonly error: SourceError };

/** Checks, reads and hashes files in a worker thread. If a file can't be used, the result says why. */
export class Files {
  readonly #worker: WorkerCalls;

  /** `program` is the path of the worker's script. */
  constructor(program = require.resolve('./fileProgram')) {
    this.#worker = new WorkerCalls({ program, data: undefined, asError: (error) => error as Error });
  }

  /** Checks files before they are queued. Rejects files in `ownFolder`, the folder of the task database. */
  async check(files: readonly FileToCheck[], ownFolder?: string): Promise<(CheckedSource | SourceError)[]> {
    return (await this.#call('check', files, ownFolder)).map((one) => ('fault' in one ? errorOf(one) : one));
  }

  /**
   * Returns the sizes and modification times of files without opening them. Returns undefined for folders and missing
   * files.
   */
  look(paths: readonly string[]) {
    return this.#call('look', paths);
  }

  /** Reads small files and checks large files. `name` is the file name to send. */
  async prepare(sources: readonly { readonly path: string; readonly name: string }[]): Promise<Prepared[]> {
    const read = await this.#call('prepare', sources);
    return read.map((one) => ('fault' in one ? { kind: 'failed', error: errorOf(one) } : one));
  }

  /** Checks whether a prepared file is unchanged, without opening it. */
  async isUnchanged(path: string, { version }: ReadFile): Promise<boolean> {
    const now = await stat(path).catch(() => undefined);
    return now !== undefined && isSameVersion(version, now);
  }

  /** Opens a large file so that it is hashed as it is sent. @throws SourceError */
  async open(path: string, name: string): Promise<HashedBody> {
    return hashed(await FileBody.open(path, name));
  }

  /**
   * Returns a file's SHA-256 in hexadecimal, or undefined if the file can't be read. In that case, its import will
   * report why.
   */
  sha256(path: string): Promise<string | undefined> {
    return this.#call('sha256', path);
  }

  /** Ends the worker. The next operation starts it again. */
  end(): void {
    void this.#worker.end();
  }

  #call<Name extends keyof FileOperations>(
    operation: Name,
    ...args: Parameters<FileOperations[Name]>
  ): ReturnType<FileOperations[Name]> {
    return this.#worker.call(operation, args) as ReturnType<FileOperations[Name]>;
  }
}

/** The body for a small file that has been read into memory. */
export function smallBody(name: string, { bytes, sha256, modifiedMs }: ReadFile & { kind: 'small' }): HashedBody {
  return { ...textBody(name, bytes), modifiedMs: modifiedMs ?? undefined, sha256: () => sha256 };
}

/** Whether the error means that the file is in use or being written. Such a file is retried for about a minute. */
export function isPassing({ reason }: SourceError): boolean {
  return reason === 'busy' || reason === 'changing' || reason === 'changed';
}

function errorOf({ fault: { reason, fileName, cause } }: SourceFault): SourceError {
  return new SourceError(reason, fileName, cause === undefined ? undefined : { cause: new Error(cause) });
}
