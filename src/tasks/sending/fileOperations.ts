// The operations that `Files` runs in its worker.
import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { FileBody, statFile } from '../../service/content/fileBody';
import { sha256Of } from '../../service/content/hashing';
import { CanceledError, causeText, SourceError } from '../../service/errors';
import { orCanceled } from '../../service/orCanceled';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';
import { type CheckedSource, checkFile, type FileToCheck, knownPath, type Source, truePath } from './checkedSource';

/** Max size of files that are read into memory. Each destination has at most a few dozen of them in memory. */
const SMALL_BYTES = 256 * 1024;

/** Max files open at once. */
const CONCURRENT_FILES = 8;

/** A file that was written in the last few seconds must stay unchanged for this long after we read it. */
const REST_MS = 5;

/** If a drive takes longer than this, its file counts as busy, so that it doesn't hold up the other files. */
const MAX_PREPARE_MS = 10_000;

/** How long to keep a file that was read too late, so that the next try can use it. */
const KEEP_LATE_MS = 2 * 60_000;

/** Files that took too long, keyed by path. Reading a file may block a thread, so don't read any of them twice. */
const slow = new Map<string, Promise<ReadFile>>();

/** Identifies a file's content at the time it was read. On network drives without inodes, `ino` is 0. */
export type FileVersion = Readonly<Pick<Stats, 'size' | 'mtimeMs' | 'ino'>>;

/** A file that can be sent. A large file is opened later, when it is sent. */
export type ReadFile = {
  readonly version: FileVersion;
  readonly sizeBytes: number;
  /**
   * Milliseconds since 1970. Null if the file changed so recently that a later change could have the same timestamp.
   */
  readonly modifiedMs: number | null;
} & (
  | { readonly kind: 'small'; readonly bytes: Uint8Array; readonly sha256: string }
  | { readonly kind: 'large'; readonly bytes?: never; readonly sha256?: never }
);

/** A SourceError as plain data, because class instances don't survive being sent between threads. */
export interface SourceFault {
  readonly fault: Pick<SourceError, 'reason' | 'fileName'> & { readonly cause: string | undefined };
}

export type FileOperations = typeof fileOperations;

export const fileOperations = {
  async check(files: readonly FileToCheck[], ownFolder?: string): Promise<(CheckedSource | SourceFault)[]> {
    const own = ownFolder === undefined ? undefined : await truePath(ownFolder);
    return mapWithConcurrency(files, CONCURRENT_FILES, (file) => checkFile(file, own).catch(asFault));
  },

  look(paths: readonly string[]) {
    return mapWithConcurrency(paths, CONCURRENT_FILES, async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() ? { sizeBytes: stats.size, modifiedMs: stats.mtimeMs } : undefined;
    });
  },

  prepare(sources: readonly NamedFile[], late = AbortSignal.timeout(MAX_PREPARE_MS)) {
    return mapWithConcurrency(sources, CONCURRENT_FILES, (one) => preparedInTime(one, late).catch(asFault));
  },

  async sha256(path: string): Promise<string | undefined> {
    try {
      await using body = await FileBody.open(path);
      return await sha256Of(body);
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  },
};

/**
 * The real path of a file, or undefined if we know for sure that there is no file at the path. A file also counts as
 * missing if only the case of its name has changed: on a case-insensitive disk, the old path still works but resolves
 * to the new name.
 */
export async function realPathOf(path: string, resolve: (path: string) => Promise<string> = realpath) {
  try {
    const found = knownPath(path, await resolve(path));
    return found !== path && found.toLowerCase() === path.toLowerCase() ? undefined : found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : path;
  }
}

/** A file and the name to send it under. */
type NamedFile = Pick<Source, 'path' | 'name'>;

/** @throws SourceError if the file can't be sent now, or isn't ready before `late` aborts */
async function preparedInTime(file: NamedFile, late: AbortSignal): Promise<ReadFile> {
  const { path, name } = file;
  const preparing = (slow.get(path) ?? readFile(file)).then((read) => confirmed(file, read));
  slow.delete(path);
  try {
    return await orCanceled(preparing, late);
  } catch (error) {
    if (!(error instanceof CanceledError)) throw error;
    slow.set(path, preparing);
    const kept = preparing.then(() => setTimeout(KEEP_LATE_MS, undefined, { ref: false }));
    kept.catch(() => {}).finally(() => slow.get(path) === preparing && slow.delete(path));
    throw new SourceError('busy', name);
  }
}

/** Reads a file even if it doesn't look like text, because the user chose it. @throws SourceError if it can't be sent now */
async function readFile({ path, name }: NamedFile): Promise<ReadFile> {
  await using file = await FileBody.openAny(path, name);
  const { size, mtimeMs, ino } = file.stats;
  const modifiedMs = file.modifiedMs ?? null;
  const read = { version: { size, mtimeMs, ino }, sizeBytes: size, modifiedMs };
  if (size > SMALL_BYTES) {
    // If the file is in use or on a cloud drive, opening it may succeed even though reading it fails.
    await file.fill(Buffer.allocUnsafe(1), 0);
    await file.assertUnchanged();
    // Ignore the inode, because it changes on some network drives. A large file is checked again when it is sent.
    return { kind: 'large', ...read, version: { ...read.version, ino: 0 } };
  }
  // Read one extra byte to detect a file that is longer than its reported size.
  const buffer = Buffer.allocUnsafeSlow(size + 1);
  const length = await file.fill(buffer, 0);
  // Some editors empty a file just before they save it.
  if (length !== size || (size === 0 && modifiedMs === null)) throw new SourceError('changing', name);
  if (size === 0) throw new SourceError('empty', name);
  const bytes = buffer.subarray(0, size);
  return { kind: 'small', ...read, bytes, sha256: hash('sha256', bytes, 'hex') };
}

/** Checks that a file hasn't been changed or replaced since it was read. @throws SourceError if it has */
async function confirmed(file: NamedFile, read: ReadFile): Promise<ReadFile> {
  // A recently written file may be incomplete, so give the writer time for its next write.
  if (read.modifiedMs === null) await setTimeout(REST_MS);
  if (isSameVersion(read.version, await statFile(file.path, file.name))) return read;
  // Compare the content, because inodes change on some network drives, and touching a file changes only its
  // modification time.
  const again = read.kind === 'small' ? await readFile(file) : undefined;
  if (again?.kind === 'small' && again.sha256 === read.sha256) return again;
  throw new SourceError('changing', file.name);
}

export function isSameVersion(before: FileVersion, now: FileVersion): boolean {
  const isOtherFile = before.ino !== 0 && now.ino !== 0 && now.ino !== before.ino;
  return now.size === before.size && now.mtimeMs === before.mtimeMs && !isOtherFile;
}

/** Converts a SourceError to plain data, and rethrows any other error. */
function asFault(error: unknown): SourceFault {
  if (!(error instanceof SourceError)) throw error;
  const { reason, fileName, cause } = error;
  // Nothing was sent, so the file can be retried.
  const fault = { reason: reason === 'changed' ? 'changing' : reason, fileName } as const;
  return { fault: { ...fault, cause: cause === undefined ? undefined : causeText(cause) } };
}
