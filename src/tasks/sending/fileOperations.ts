import { hash } from 'node:crypto';
import { access, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { assertUnchanged, FileBody } from '../../service/content/fileBody';
import { sha256Of, type WholeFile } from '../../service/content/hashing';
import { asSourceError, type SourceError } from '../../service/errors';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';
import { type CheckedSource, checkFile, type FileToCheck, truePath } from './checkedSource';

/** Max size of a file that is read in one go: eight are sent at a time, and as many are ready to be. */
const WHOLE_BYTES = 256 * 1024;

/** How long a small file must stay as it was read: what is being written is seldom left alone for so long. */
const UNCHANGED_MS = 5;

/** Max files checked at the same time. */
const CONCURRENT_CHECKS = 16;

/** What can be told of a file without opening it. */
export interface FileLook {
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** What is done with many files, so that a FileThread does it. */
export interface FileOperations {
  /**
   * Checks files before anything is sent; the result for a file that cannot be imported is why. Files in `ownFolder`, that of
   * the task database, are refused.
   */
  check(files: readonly FileToCheck[], ownFolder?: string): Promise<(CheckedSource | SourceError)[]>;
  /** Looks at the sizes and times of files, which it does not open; undefined for one that is not there, or no file. */
  look(paths: readonly string[]): Promise<(FileLook | undefined)[]>;
  /** Reads a small file in one go; undefined for a larger one. @throws SourceError where it cannot be imported */
  read(path: string, name: string): Promise<WholeFile | undefined>;
  /** The hexadecimal SHA-256 of a file. @throws SourceError where it cannot be imported */
  sha256(path: string, name: string): Promise<string>;
}

/** The same in the thread that calls them. */
export const fileOperations: FileOperations = {
  async check(files, ownFolder) {
    const own = ownFolder === undefined ? undefined : await truePath(ownFolder);
    const check = ({ path, relativePath }: FileToCheck) => checkFile(path, relativePath, own).catch(asSourceError);
    return mapWithConcurrency(files, CONCURRENT_CHECKS, check);
  },

  look(paths) {
    return mapWithConcurrency(paths, CONCURRENT_CHECKS, async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() ? { sizeBytes: stats.size, modifiedMs: stats.mtimeMs } : undefined;
    });
  },

  async read(path, name) {
    await using file = await opened(path, name);
    if (file.body.sizeBytes > WHOLE_BYTES) return undefined;
    // One chunk holds all of so small a file.
    const { value: bytes }: IteratorResult<Buffer> = await file.body.chunks().next();
    await setTimeout(UNCHANGED_MS);
    await assertUnchanged(path, file.body);
    return { bytes, sha256: hash('sha256', bytes, 'hex'), modifiedMs: file.body.modifiedMs };
  },

  async sha256(path, name) {
    await using file = await opened(path, name);
    return await sha256Of(file.body);
  },
};

/** Whether there is certainly nothing at a path any more. */
export async function isGone(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );
}

async function opened(path: string, name: string): Promise<{ readonly body: FileBody } & AsyncDisposable> {
  const body = await FileBody.open(path, name);
  return { body, [Symbol.asyncDispose]: () => body.close() };
}
