import type { WholeFile } from '../../service/content/hashing';
import { SourceError } from '../../service/errors';
import { WorkerCalls } from '../workerCalls';
import type { CheckedSource, FileToCheck } from './checkedSource';
import type { FileLook, FileOperations } from './fileOperations';

/** A SourceError as plain data: an error of that class would arrive as another one. */
export interface SourceFault {
  readonly fault: {
    readonly reason: SourceError['reason'];
    readonly fileName: string;
    readonly cause: string | undefined;
  };
}

/**
 * The operations on files in a worker: opening, reading, hashing and closing a small file takes as long as everything else
 * that the extension host does to send it.
 */
export class FileThread implements FileOperations {
  readonly #worker: WorkerCalls;

  /** `program` is the path of the worker's script. */
  constructor(program = require.resolve('./fileProgram')) {
    this.#worker = new WorkerCalls({
      program,
      data: undefined,
      asError: (error) => errorOf(error as Error | SourceFault),
    });
  }

  async check(files: readonly FileToCheck[], ownFolder?: string): Promise<(CheckedSource | SourceError)[]> {
    const checked = await this.#call<(CheckedSource | SourceFault)[]>('check', files, ownFolder);
    return checked.map((one) => ('fault' in one ? sourceError(one) : one));
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

  /** Ends the worker. A later operation starts it again. */
  end(): void {
    void this.#worker.end();
  }

  #call<Result>(operation: keyof FileOperations, ...args: readonly unknown[]): Promise<Result> {
    return this.#worker.call(operation, args) as Promise<Result>;
  }
}

function errorOf(error: Error | SourceFault): Error {
  return 'fault' in error ? sourceError(error) : error;
}

function sourceError({ fault: { reason, fileName, cause } }: SourceFault): SourceError {
  return new SourceError(reason, fileName, cause === undefined ? undefined : { cause: new Error(cause) });
}
