import path from 'node:path';
import type { Destination } from '../destination';
import type { KnownFile } from '../history/filesAt';
import { partsOfList } from '../history/walk';
import { type AcceptedContent, isReceived } from '../rows/acceptedContents';
import type { CheckedSource } from '../sending/checkedSource';
import { findDuplicates, importsOfSame } from '../sending/duplicates';
import { type FileLook, isGone } from '../sending/fileOperations';
import type { Sources } from '../sending/sources';
import type { Store } from '../store/store';
import type { TaskList } from '../store/taskList';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';
import { isOpenState, isUndecided, type Source, type TrackedTask } from '../trackedTask';
import { isCanceled, knownAs, sinceImport } from './sinceImport';

/** Max files that are looked at, or looked up, in one go. */
const LOOKED_AT_ONCE = 500;

/** Max files whose paths are looked at, at the same time. */
const CONCURRENT_LOOKS = 16;

/** Max files hashed at the same time. */
export const CONCURRENT_HASHES = 8;

export interface ComparingServices {
  readonly list: TaskList;
  readonly contents: Store['contents'];
  readonly sources: Pick<Sources, 'look' | 'sha256Of'>;
}

/** A file that was looked at and has not changed. */
export interface UnchangedFile {
  readonly look: FileLook;
  readonly earlier: AcceptedContent;
  readonly file: KnownFile;
}

/**
 * Of these files on disk, by their real paths, those that a destination has as they are, by their sizes and times alone:
 * they are not opened. `onLooked` gets their number, again and again. @throws StoreError
 */
export async function unchangedFiles(
  { list, sources }: Pick<ComparingServices, 'list' | 'sources'>,
  paths: readonly string[],
  destination: Destination,
  signal: AbortSignal,
  onLooked: (files: number) => void = () => {},
): Promise<ReadonlyMap<string, UnchangedFile>> {
  const unchanged = new Map<string, UnchangedFile>();
  for (const some of partsOfList(paths, LOOKED_AT_ONCE)) {
    signal.throwIfAborted();
    const known = (await list.history.filesAt(destination, some)).filter((file) => knownAs(file) === 'received');
    const looks = await sources.look(known.map(({ path }) => path));
    for (const [index, file] of known.entries()) {
      const [look, { path, content }] = [looks[index], file];
      if (content === undefined || look === undefined) continue;
      if (sinceImport(content.source, look) === 'same') unchanged.set(path, { look, earlier: content, file });
    }
    onLooked(unchanged.size);
  }
  return unchanged;
}

/** How a file that was chosen stands beside what a destination has. */
export type Standing =
  /** Nothing is known of it there. */
  | { readonly kind: 'new' }
  /** It has changed since it was imported, or since its import failed. */
  | { readonly kind: 'changed' }
  /** Its import failed, or is unconfirmed, and it has not changed since, as far as that is known. */
  | { readonly kind: 'failed'; readonly task: TrackedTask; readonly earlier: AcceptedContent | undefined }
  /** It has changed, but the service still works on the task of its earlier import. */
  | { readonly kind: 'running'; readonly task: TrackedTask }
  /** Its content is there from a file that is no longer where it was. */
  | { readonly kind: 'moved'; readonly earlier: AcceptedContent }
  /** Its content is there from another file. */
  | { readonly kind: 'copied'; readonly earlier: AcceptedContent }
  /** The destination has it as it is, or may have. */
  | { readonly kind: 'unchanged'; readonly earlier: AcceptedContent }
  /** It is still to be sent, or being sent. */
  | { readonly kind: 'open'; readonly task: TrackedTask };

export type StandingKind = Standing['kind'];

/** What is found of checked files. */
export interface Comparison {
  readonly standings: ReadonlyMap<CheckedSource, Standing>;
  /** What the destination had of them when they were compared, by path. */
  readonly files: ReadonlyMap<string, KnownFile>;
  /** The contents at any destination that may be the same as one of theirs, the newest first. */
  readonly known: readonly AcceptedContent[];
}

/** Compares checked files with what a destination has: those of the same size by their contents. @throws StoreError */
export async function compareFiles(
  services: ComparingServices,
  checked: readonly CheckedSource[],
  destination: Destination,
  signal: AbortSignal,
): Promise<Comparison> {
  const { list, contents } = services;
  const sources = rememberingHashes(services.sources);
  const files = await filesAt(list, checked, destination);
  const unchanged = await sameAsBefore(sources, contents, checked, files, signal);
  const others = checked.filter((one) => !unchanged.has(one));
  const keys = others.flatMap(({ source }) => {
    const row = files.get(source.path)?.row;
    return row === undefined || row.state === 'succeeded' ? [] : [row.key];
  });
  const rows = new Map((await list.findAll(keys)).map((task) => [task.key, task]));
  const known = await importsOfSame(list.unfinished, contents, others);
  const elsewhere = await findDuplicates(sources, others, known, destination, signal);
  const standings = new Map<CheckedSource, Standing>(unchanged);
  for (const one of others) {
    const { row, content } = files.get(one.source.path) ?? {};
    const task = row && rows.get(row.key);
    const ofTask = task === undefined ? undefined : await standingOfTask(sources, one, task, content);
    const duplicate = elsewhere.get(one);
    // What is certainly there need not be sent, whatever became of the file's own imports.
    const isThere =
      duplicate !== undefined &&
      duplicate.key !== row?.key &&
      isReceived(duplicate) &&
      duplicate.source.sha256 !== undefined;
    standings.set(
      one,
      isThere && isToSend(ofTask)
        ? { kind: 'copied', earlier: duplicate }
        : (ofTask ?? standingOfContent(one, content, duplicate)),
    );
  }
  await tellMoved(standings);
  return { standings, files, known };
}

/** The paths of files in a folder that a destination has, or may have, and that are no longer there. @throws StoreError */
export async function goneFiles(
  { history }: Pick<TaskList, 'history'>,
  destination: Destination,
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  const start = folder.endsWith(path.sep) ? folder : folder + path.sep;
  const gone: string[] = [];
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const paths = await history.pathsIn(destination, start, LOOKED_AT_ONCE, after);
    const areGone = await mapWithConcurrency(paths, CONCURRENT_LOOKS, isGone);
    gone.push(...paths.filter((_, index) => areGone[index]));
    after = paths.at(-1) ?? '';
    if (paths.length < LOOKED_AT_ONCE) return gone;
  }
}

/** The files on disk that have a row at a destination or that it has received, by whether they still exist. @throws StoreError */
export async function filesOf(
  { history }: Pick<TaskList, 'history'>,
  destination: Destination,
  signal: AbortSignal,
): Promise<{ readonly present: readonly string[]; readonly gone: readonly string[] }> {
  const present: string[] = [];
  const gone: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted();
    const paths = await history.pathsOf(destination, LOOKED_AT_ONCE, after);
    const areGone = await mapWithConcurrency(paths, CONCURRENT_LOOKS, isGone);
    for (const [index, path] of paths.entries()) (areGone[index] ? gone : present).push(path);
    after = paths.at(-1);
  }
  return { present, gone };
}

async function filesAt(
  { history }: TaskList,
  checked: readonly CheckedSource[],
  destination: Destination,
): Promise<ReadonlyMap<string, KnownFile>> {
  const found = new Map<string, KnownFile>();
  for (const some of partsOfList(checked, LOOKED_AT_ONCE)) {
    const paths = some.map(({ source }) => source.path);
    for (const known of await history.filesAt(destination, paths)) found.set(known.path, known);
    // A text may have the name of another one.
    for (const { source } of some) {
      const known = source.from === 'text' ? found.get(source.path) : undefined;
      if (known !== undefined) found.set(source.path, { ...known, row: undefined });
    }
  }
  return found;
}

/**
 * Those that have the content that was accepted of the same path, as `files` knows it. Their times are remembered, to tell it
 * sooner. @throws StoreError
 */
export async function sameAsBefore(
  sources: Pick<Sources, 'sha256Of'>,
  contents: Pick<Store['contents'], 'noteTimes'>,
  checked: readonly CheckedSource[],
  files: ReadonlyMap<string, KnownFile>,
  signal: AbortSignal,
): Promise<ReadonlyMap<CheckedSource, Extract<Standing, { kind: 'unchanged' }>>> {
  const unchanged = new Map<CheckedSource, Extract<Standing, { kind: 'unchanged' }>>();
  const times: [key: number, modifiedMs: number][] = [];
  const candidates = checked.filter(({ source }) => {
    const known = files.get(source.path);
    const content = known?.content;
    if (known === undefined || content?.source.sha256 === undefined || knownAs(known) === 'open') return false;
    // Where the newest import failed, or may have, only an earlier one tells that the file is there.
    const isThere = knownAs(known) === 'received' || content.key !== known.row?.key;
    return isThere && sinceImport(content.source, source) !== 'other';
  });
  await mapWithConcurrency(candidates, CONCURRENT_HASHES, async (one) => {
    signal.throwIfAborted();
    const earlier = files.get(one.source.path)?.content;
    if (earlier === undefined || (await sources.sha256Of(one)) !== earlier.source.sha256) return;
    unchanged.set(one, { kind: 'unchanged', earlier });
    const { modifiedMs } = one.source;
    if (modifiedMs !== undefined && modifiedMs !== earlier.source.modifiedMs) times.push([earlier.key, modifiedMs]);
  });
  for (const some of partsOfList(times)) await contents.noteTimes(some);
  return unchanged;
}

function isToSend(standing: Standing | undefined): boolean {
  const isUnconfirmed = standing?.kind === 'failed' && standing.task.phase.kind === 'unconfirmed';
  return standing?.kind === 'changed' || (standing?.kind === 'failed' && !isUnconfirmed);
}

/** How a file stands by its task alone. */
async function standingOfTask(
  sources: Pick<Sources, 'sha256Of'>,
  one: CheckedSource,
  task: TrackedTask,
  earlier: AcceptedContent | undefined,
): Promise<Standing | undefined> {
  const { kind } = task.phase;
  if (kind === 'queued' || kind === 'sending') return { kind: 'open', task };
  // It is as if it had not been begun.
  if (isCanceled(task)) return undefined;
  if (kind !== 'accepted' || isFailed(task)) {
    const hasChanged = task.source !== undefined && (await isOther(sources, one, task.source));
    return hasChanged ? { kind: 'changed' } : { kind: 'failed', task, earlier };
  }
  return isUndecided(task) ? { kind: 'running', task } : undefined;
}

function standingOfContent(
  one: CheckedSource,
  content: AcceptedContent | undefined,
  duplicate: AcceptedContent | undefined,
): Standing {
  if (duplicate === undefined || !mayBeSame(one, content, duplicate))
    return { kind: content === undefined ? 'new' : 'changed' };
  return { kind: duplicate.key === content?.key ? 'unchanged' : 'copied', earlier: duplicate };
}

/** Where a content is not known by its hash, only the newest one of the same file may be the same, if its size fits. */
function mayBeSame(
  { source }: CheckedSource,
  content: AcceptedContent | undefined,
  duplicate: AcceptedContent,
): boolean {
  if (duplicate.source.sha256 !== undefined || isOpenState(duplicate.state)) return true;
  return duplicate.key === content?.key && sinceImport(duplicate.source, source) !== 'other';
}

function isFailed({ phase }: TrackedTask): boolean {
  return phase.kind === 'accepted' && phase.report?.meaning === 'failed';
}

/** Whether a file certainly is another one than the one that was to be imported. */
export async function isOther(
  sources: Pick<Sources, 'sha256Of'>,
  one: CheckedSource,
  before: Source,
): Promise<boolean> {
  const since = sinceImport(before, one.source);
  if (since !== 'unsure') return since === 'other';
  if (before.sha256 !== undefined) {
    const sha256 = await sources.sha256Of(one);
    return sha256 !== undefined && sha256 !== before.sha256;
  }
  const { modifiedMs } = one.source;
  return modifiedMs !== undefined && before.modifiedMs !== undefined && modifiedMs !== before.modifiedMs;
}

/** Content that is there from another file was moved where that file is gone. */
async function tellMoved(standings: Map<CheckedSource, Standing>): Promise<void> {
  const copied = [...standings].flatMap(([one, standing]) =>
    standing.kind === 'copied' && standing.earlier.source.from === 'disk' ? [{ one, earlier: standing.earlier }] : [],
  );
  const areGone = await mapWithConcurrency(copied, CONCURRENT_LOOKS, ({ earlier }) => isGone(earlier.source.path));
  for (const [index, { one, earlier }] of copied.entries())
    if (areGone[index]) standings.set(one, { kind: 'moved', earlier });
}

/** Each file is hashed once, however often its content is compared. */
function rememberingHashes(sources: Pick<Sources, 'sha256Of'>): Pick<Sources, 'sha256Of'> {
  const hashes = new Map<CheckedSource, Promise<string | undefined>>();
  return {
    sha256Of: (one) => {
      const hash = hashes.get(one) ?? sources.sha256Of(one);
      hashes.set(one, hash);
      return hash;
    },
  };
}
