import { hash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { settledTime } from '../../service/content/fileBody';
import type { CheckedSource } from '../sending/checkedSource';
import { realPathOf } from '../sending/fileOperations';
import type { Files } from '../sending/files';
import type { ImportStore } from '../store/importStore';
import type { NewTime, PathsRequest } from '../store/memory';
import type { Content, Destination, Known, KnownFile, KnownRequest } from '../store/model';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';

/** Max files per store lookup. */
export const LOOKED_UP_AT_ONCE = 500;

/** Max files hashed at the same time. */
const CONCURRENT_FILES = 8;

/** The result of comparing a file on disk with what a destination received. */
export type Comparison =
  /** Never uploaded. */
  | 'new'
  /** Changed since it was uploaded, or since its last import, which failed or is unconfirmed. */
  | 'changed'
  | 'unchanged'
  /** Its last import was rejected, or its task failed. As far as we know, the file hasn't changed since. */
  | 'failed'
  /**
   * Its last import, or an import of the same content, is unconfirmed. As far as we know, the file hasn't changed since.
   * Also used if its modification time, but not its size, has changed since an upload whose hash is unknown.
   */
  | 'unconfirmed'
  /** Its content was uploaded from a file that no longer exists. */
  | 'moved'
  /** Its content was uploaded from another file, or the same text is being imported. */
  | 'copied'
  /** Its import is queued or being sent. */
  | 'importing';

type KnownContent = Known['contents'][number];

/** Access to what the store remembers about the files that a destination received. */
export type Memory = ReturnType<typeof memoryOf>;

export function memoryOf(store: Pick<ImportStore, 'known' | 'knownPaths' | 'noteTimes'>, destination: Destination) {
  return {
    known: (request: Omit<KnownRequest, 'destination'>) => store.known({ destination, ...request }),
    /** Paths of the files that the destination received from one folder or from all folders, in alphabetical order. */
    knownPaths: (request: Omit<PathsRequest, 'destination'>) => store.knownPaths({ destination, ...request }),
    /** Stores the new modification times of files whose content hasn't changed since the last upload. */
    noteTimes: (times: readonly NewTime[]) => store.noteTimes({ destination, times }),
  };
}

export interface Compared {
  readonly comparison: Comparison;
  readonly known: KnownFile | undefined;
  /** Set if the same content was imported from another file, or as an older version of this file. */
  readonly elsewhere?: KnownContent;
}

/** The current state of the file on disk. */
interface Current {
  readonly sizeBytes: number;
  readonly modifiedMs: number | undefined;
  /** Undefined if the file can't be read or is too large to hash. */
  sha256(): Promise<string | undefined>;
}

/**
 * Compares a file with what the store knows about its path. Returns undefined if the comparison requires a hash that
 * isn't available.
 */
async function comparisonOf({ row, uploaded }: KnownFile, now: Current): Promise<Comparison | undefined> {
  if (row?.state === 'queued' || row?.state === 'sending') return 'importing';
  // Failures that were removed from the list don't count.
  const isFailure = row !== null && !row.removed && (row.state === 'rejected' || row.state === 'failed');
  const problem = isFailure || row?.state === 'unconfirmed' ? row : null;
  // If one of an upload's tasks failed, the dataset doesn't have all of the file's content.
  const isFailedItself = problem?.state === 'failed' && problem.import === uploaded?.import;
  const isSame = uploaded !== null && !isFailedItself && (await hasContent(now, uploaded));
  if (isSame === true) return 'unchanged';
  if (problem !== null) {
    const isStillSame = await hasContent(now, problem);
    // Some rejected files have no hash. If such a file has a new modification time, the user has probably corrected it.
    const isCorrected = problem.state === 'rejected' && problem.sha256 === null && problem.modifiedMs !== null;
    const hasChanged = isStillSame === false || (isStillSame === undefined && isCorrected);
    if (!hasChanged) return problem.state === 'unconfirmed' ? 'unconfirmed' : 'failed';
  } else if (uploaded === null) return 'new';
  return isSame === false ? 'changed' : undefined;
}

/** Whether a file still has the same content, or undefined if that's unknown. */
async function hasContent(now: Current, before: Content): Promise<boolean | undefined> {
  if (now.sizeBytes !== before.sizeBytes) return false;
  const areTimesKnown = before.modifiedMs !== null && now.modifiedMs !== undefined;
  const hasTime = areTimesKnown ? now.modifiedMs === before.modifiedMs : undefined;
  // A modification time is stored only if a later change can't have the same timestamp, so equal times mean equal
  // content.
  if (hasTime === true) return true;
  const sha256 = before.sha256 === null ? undefined : await now.sha256();
  return sha256 === undefined ? undefined : sha256 === before.sha256;
}

/**
 * Compares known files by size and modification time. If only the time differs, compares the content of files up to
 * `maxHashedBytes`. Leaves out files that are missing, or that would have to be hashed but are too large.
 */
export async function compareKnown(
  { files, memory }: { readonly files: Pick<Files, 'look' | 'sha256'>; readonly memory: Pick<Memory, 'noteTimes'> },
  known: readonly KnownFile[],
  maxHashedBytes: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Compared & { readonly sizeBytes: number }>> {
  const lookedMs = Date.now();
  const looks = await files.look(known.map(({ path }) => path));
  const times: NewTime[] = [];
  const compared = await mapWithConcurrency([...known.entries()], CONCURRENT_FILES, async ([index, file]) => {
    signal.throwIfAborted();
    const { sizeBytes, modifiedMs } = looks[index] ?? {};
    if (sizeBytes === undefined) return undefined;
    const sha256 = async () => (sizeBytes <= maxHashedBytes ? files.sha256(file.path) : undefined);
    const comparison = await comparisonOf(file, { sizeBytes, modifiedMs, sha256 });
    if (comparison === undefined) return undefined;
    times.push(...newTimes(file, comparison, modifiedMs && settledTime(modifiedMs, lookedMs)));
    return [file.path, { comparison, known: file, sizeBytes }] as const;
  });
  if (times.length > 0) await memory.noteTimes(times);
  return new Map(compared.filter((one) => one !== undefined));
}

/**
 * Compares the checked sources with earlier uploads of the same files and of other files, by size, modification time
 * and content.
 */
export async function compareFiles(
  { files, memory }: { readonly files: Pick<Files, 'sha256'>; readonly memory: Memory },
  checked: readonly CheckedSource[],
  signal: AbortSignal,
): Promise<ReadonlyMap<CheckedSource, Compared>> {
  const found = new Map<CheckedSource, Compared>();
  for (let at = 0; at < checked.length; at += LOOKED_UP_AT_ONCE) {
    const some = checked.slice(at, at + LOOKED_UP_AT_ONCE);
    const paths = some.map(({ source }) => source.path);
    const sizes = [...new Set(some.map(({ source }) => source.sizeBytes))];
    const known = await memory.known({ paths, sizes });
    const byPath = new Map(known.files.map((file) => [file.path, file]));
    const times: NewTime[] = [];
    const hashOf = hashes(files);
    const comparisons = await mapWithConcurrency(some, CONCURRENT_FILES, async (one) => {
      signal.throwIfAborted();
      const file = byPath.get(one.source.path);
      return file === undefined ? 'new' : comparisonOfChecked(file, one, () => hashOf(one));
    });
    for (const [index, one] of some.entries()) {
      const [comparison = 'new', file] = [comparisons[index], byPath.get(one.source.path)];
      found.set(one, { comparison, known: file });
      times.push(...newTimes(file, comparison, one.source.modifiedMs));
    }
    if (times.length > 0) await memory.noteTimes(times);
    const sizesThere = new Set(known.sizes);
    const isToSend = (one: CheckedSource) => ['new', 'changed', 'failed'].includes(found.get(one)?.comparison ?? '');
    const others = some.filter((one) => isToSend(one) && sizesThere.has(one.source.sizeBytes));
    const there = await findElsewhere(memory, others, hashOf, signal);
    const last = await memory.known({ paths: there.flatMap(([, { path: from }]) => from ?? []) });
    const lastSha256 = new Map(last.files.map(({ path: from, uploaded }) => [from, uploaded?.sha256]));
    for (const [one, elsewhere] of there) {
      const { comparison = 'new', known: file } = found.get(one) ?? {};
      const { outcome, path: from } = elsewhere;
      const isOwn = from === one.source.path;
      if (comparison === 'failed' && isOwn) continue;
      // A copy of an older version isn't the moved file. The path of a file on another file system is its URI.
      const mayBeMoved = one.source.from === 'disk' && from !== null && lastSha256.get(from) === elsewhere.sha256;
      const isMoved = mayBeMoved && isAbsolute(from) && (await realPathOf(from)) === undefined;
      // A file that was changed back to an older version still differs from its last upload.
      const now = outcome === 'unconfirmed' ? 'unconfirmed' : isMoved ? 'moved' : isOwn ? comparison : 'copied';
      found.set(one, { comparison: now, known: file, elsewhere });
    }
  }
  return found;
}

async function comparisonOfChecked(file: KnownFile, { source }: CheckedSource, sha256: Current['sha256']) {
  const { sizeBytes, modifiedMs } = source;
  // Text that isn't saved as a file is known only by its name, which other text may share.
  const isOther = source.from === 'text' && file.row?.sizeBytes !== sizeBytes;
  const comparison = await comparisonOf(isOther ? { ...file, row: null } : file, { sizeBytes, modifiedMs, sha256 });
  // If the file can't be read now, its import will report why.
  return comparison ?? (file.uploaded?.sha256 === null ? 'unconfirmed' : 'changed');
}

/** The modification time to store if a file's time has changed but its content hasn't. */
function newTimes(file: KnownFile | undefined, comparison: Comparison, modifiedMs: number | undefined): NewTime[] {
  const isNew = comparison === 'unchanged' && modifiedMs !== undefined && file?.uploaded?.modifiedMs !== modifiedMs;
  return isNew && file !== undefined ? [{ path: file.path, modifiedMs }] : [];
}

/** Returns a function that hashes each file at most once. */
function hashes(files: Pick<Files, 'sha256'>): (one: CheckedSource) => Promise<string | undefined> {
  const known = new Map<CheckedSource, Promise<string | undefined>>();
  const hashOf = async (one: CheckedSource) =>
    'bytes' in one ? hash('sha256', one.bytes, 'hex') : files.sha256(one.source.path);
  return (one) => {
    const sha256 = known.get(one) ?? hashOf(one);
    known.set(one, sha256);
    return sha256;
  };
}

/** Finds files whose content the service may have. Returns the import of each file's content, preferably an accepted one. */
async function findElsewhere(
  memory: Memory,
  checked: readonly CheckedSource[],
  hashOf: (one: CheckedSource) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<(readonly [CheckedSource, KnownContent])[]> {
  if (checked.length === 0) return [];
  const hashed = await mapWithConcurrency(checked, CONCURRENT_FILES, async (one) => {
    signal.throwIfAborted();
    return { one, sizeBytes: one.source.sizeBytes, sha256: await hashOf(one) };
  });
  const contents = hashed.flatMap(({ sizeBytes, sha256 }) => (sha256 === undefined ? [] : [{ sizeBytes, sha256 }]));
  const known = await memory.known({ paths: [], contents });
  const bySha256 = new Map(known.contents.map((content) => [content.sha256, content]));
  return hashed.flatMap(({ one, sha256 = '' }) => {
    const elsewhere = bySha256.get(sha256);
    return elsewhere === undefined ? [] : [[one, elsewhere] as const];
  });
}

/** Lists the files that a destination received from one folder or from all folders. */
export async function knownFiles(
  memory: Pick<Memory, 'knownPaths'>,
  folder: string | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const known: string[] = [];
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const paths = await memory.knownPaths({ folder, after, limit: LOOKED_UP_AT_ONCE });
    known.push(...paths);
    if (paths.length < LOOKED_UP_AT_ONCE) return known;
    after = paths.at(-1) ?? '';
  }
}
