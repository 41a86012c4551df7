import { FileBody } from '../../service/content/fileBody';
import { type HashedBody, hashed } from '../../service/content/hashing';
import { textBody } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';
import { WorkerCalls } from '../workerCalls';
import type { CheckedSource, FileToCheck } from './checkedSource';
import { type FileLook, type FileOperations, isAt, type ReadFile, type SourceFault } from './fileOperations';

/** A file that is about to be sent. */
export type Prepared =
  | ReadFile
  /** In use or being written: to be tried again for up to a minute. */
  | { readonly kind: 'later'; readonly error: SourceError }
  /** It can't be sent. */
  | { readonly kind: 'failed'; readonly error: SourceError };

/** Checks, reads and hashes the user's files in a worker thread. Whatever is wrong with a file is a result, not an error. */
export class Files {
  readonly #worker: WorkerCalls;

  /** `program` is the path of the worker's script. */
  constructor(program = require.resolve('./fileProgram')) {
    this.#worker = new WorkerCalls({ program, data: undefined, asError: (error) => error as Error });
  }

  /**
   * Checks files before anything is sent; the result for a file that can't be imported is why. Files in `ownFolder`, that
   * of the task database, are refused.
   */
  async check(files: readonly FileToCheck[], ownFolder?: string): Promise<(CheckedSource | SourceError)[]> {
    const checked = await this.#call('check', files, ownFolder);
    return checked.map((one) => ('fault' in one ? errorOf(one) : one));
  }

  /** The sizes and times of files, which aren't opened; undefined for a missing file or a folder. */
  look(paths: readonly string[]): Promise<(FileLook | undefined)[]> {
    return this.#call('look', paths);
  }

  /**
   * Reads small files and looks at large ones, a group at a time: the group shares a message and a rest. Each is sent under
   * its name.
   */
  async prepare(sources: readonly { readonly path: string; readonly name: string }[]): Promise<Prepared[]> {
    const read = await this.#call('prepare', sources);
    return read.map((one) =>
      'fault' in one ? { kind: isPassing(one.fault) ? 'later' : 'failed', error: errorOf(one) } : one,
    );
  }

  /** Whether a prepared file is still as it was; it isn't opened. */
  isUnchanged(path: string, { version }: ReadFile): Promise<boolean> {
    return isAt(path, version);
  }

  /** Opens a large file, which is hashed while it is sent. @throws SourceError if it can't be sent */
  async open(path: string, name: string): Promise<HashedBody> {
    return hashed(await FileBody.open(path, name));
  }

  /** The hexadecimal SHA-256 of a file; undefined if it can't be read now: its import will report why. */
  sha256(path: string): Promise<string | undefined> {
    return this.#call('sha256', path);
  }

  /** Ends the worker. A later operation starts it again. */
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

/** The body of a small file, which is sent as it was read. */
export function smallBody(
  name: string,
  { bytes, sha256, modifiedMs }: ReadFile & { readonly kind: 'small' },
): HashedBody {
  return { ...textBody(name, bytes), modifiedMs: modifiedMs ?? undefined, sha256: () => sha256 };
}

/** Whether a file may be sent later, if nothing of it was sent. */
export function isPassing({ reason }: Pick<SourceError, 'reason'>): boolean {
  return reason === 'busy' || reason === 'changing' || reason === 'changed';
}

function errorOf({ fault: { reason, fileName, cause } }: SourceFault): SourceError {
  return new SourceError(reason, fileName, cause === undefined ? undefined : { cause: new Error(cause) });
}
