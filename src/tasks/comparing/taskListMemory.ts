// Comparing on the task list, until the new store takes its place.
import path from 'node:path';
import { type Destination, isSameDestination } from '../destination';
import type { KnownFile as FileAtDestination } from '../history/filesAt';
import { partsOfList } from '../history/walk';
import type { Content, Known, KnownFile, State } from '../importStore/model';
import { type AcceptedContent, isReceived } from '../rows/acceptedContents';
import type { CheckedSource } from '../sending/checkedSource';
import type { Files } from '../sending/files';
import type { Store } from '../store/store';
import type { TaskList } from '../store/taskList';
import {
  isOpenState,
  isUndecidedState,
  phaseKindOf,
  type Source,
  type TaskState,
  type TrackedTask,
} from '../trackedTask';
import { type Compared, compareFiles, compareKnown, type Found, knownFiles, LOOKED_UP_AT_ONCE } from './compareFiles';

export interface ComparingServices {
  readonly list: TaskList;
  readonly contents: Store['contents'];
  readonly sources: { readonly files: Pick<Files, 'look' | 'sha256'> };
}

/** A file as the store knows it, with what the list has of it. */
interface ListedFile extends KnownFile {
  readonly task: TrackedTask | undefined;
  readonly at: FileAtDestination;
}

type ListedContent = Known['contents'][number] & { readonly earlier: AcceptedContent };

/** How a file that was chosen stands beside what a destination has. */
export type Standing =
  | { readonly kind: 'new' | 'changed' }
  | { readonly kind: 'failed'; readonly task: TrackedTask; readonly earlier: AcceptedContent | undefined }
  /** It has changed, but the service still works on the task of its earlier import. */
  | { readonly kind: 'running'; readonly task: TrackedTask }
  | { readonly kind: 'moved' | 'copied' | 'unchanged'; readonly earlier: AcceptedContent }
  | { readonly kind: 'open'; readonly task: TrackedTask };

export type StandingKind = Standing['kind'];

/** What is found of checked files. */
export interface Comparison {
  readonly standings: ReadonlyMap<CheckedSource, Standing>;
  /** What the destination had of them when they were compared, by path. */
  readonly files: ReadonlyMap<string, FileAtDestination>;
  /** The contents at any destination that may be the same as one of theirs, the newest first. */
  readonly known: readonly AcceptedContent[];
}

/** Compares checked files with what a destination has. @throws StoreError */
export async function compareChecked(
  { list, contents, sources: { files } }: ComparingServices,
  checked: readonly CheckedSource[],
  destination: Destination,
  signal: AbortSignal,
): Promise<Comparison> {
  const memory = new TaskListMemory(list, contents, destination);
  const compared = await compareFiles({ files, memory }, checked, signal);
  const found = [...compared.values()].flatMap(({ known }) => (known === undefined ? [] : [known.at]));
  // The row of a text may be that of another text with its name.
  const changed = [...compared].flatMap(([{ source }, { standing, known }]) => {
    const row = source.from === 'disk' && standing === 'changed' ? known?.at.row : undefined;
    return row !== undefined && isUndecidedState(row.state) ? row.key : [];
  });
  const running = new Map((await list.findAll(changed)).map((task) => [task.key, task]));
  return {
    standings: new Map([...compared].map(([one, result]) => [one, standingOf(result, running)])),
    files: new Map(found.map((file) => [file.path, file])),
    known: memory.contentsOfSize,
  };
}

/** A file that was looked at and has not changed. */
export interface UnchangedFile {
  readonly sizeBytes: number;
  readonly earlier: AcceptedContent;
  readonly file: FileAtDestination;
}

/** Of these files on disk, those that a destination has as they are, by size and time alone. @throws StoreError */
export async function unchangedFiles(
  { list, contents, sources: { files } }: ComparingServices,
  paths: readonly string[],
  destination: Destination,
  signal: AbortSignal,
  onLooked: (files: number) => void = () => {},
): Promise<ReadonlyMap<string, UnchangedFile>> {
  const memory = new TaskListMemory(list, contents, destination);
  const unchanged = new Map<string, UnchangedFile>();
  for (const some of partsOfList(paths, LOOKED_UP_AT_ONCE)) {
    signal.throwIfAborted();
    const known = await memory.filesAt(some);
    for (const [file, { standing, known: one, sizeBytes }] of await compareKnown({ files, memory }, known, 0, signal)) {
      if (standing !== 'unchanged' || one?.at.content === undefined) continue;
      unchanged.set(file, { sizeBytes, earlier: one.at.content, file: one.at });
    }
    onLooked(unchanged.size);
  }
  return unchanged;
}

/** What the badge of a file shows. */
export type Badge =
  | { readonly kind: 'open'; readonly state: TaskState }
  | { readonly kind: 'failed'; readonly task: TrackedTask }
  | { readonly kind: 'changedSinceFailure' }
  | { readonly kind: 'unchanged'; readonly earlier: AcceptedContent; readonly state: TaskState }
  | { readonly kind: 'changed'; readonly earlier: AcceptedContent };

/** Max size of a file that is hashed for its badge. */
const MAX_BADGE_BYTES = 1024 * 1024;

/** The badges of files on disk, by their real paths, at most 500. `onKnown` gets what is known of them. @throws StoreError */
export async function badgesOf(
  { list, contents, sources: { files } }: ComparingServices,
  paths: readonly string[],
  destination: Destination,
  signal: AbortSignal,
  onKnown: (known: readonly FileAtDestination[]) => void = () => {},
): Promise<ReadonlyMap<string, Badge>> {
  const memory = new TaskListMemory(list, contents, destination);
  const known = await memory.filesAt(paths);
  onKnown(known.map(({ at }) => at));
  const badges = new Map<string, Badge>();
  for (const { path: file, at } of known)
    if (at.row !== undefined && isOpenState(at.row.state)) badges.set(file, { kind: 'open', state: at.row.state });
  for (const [file, compared] of await compareKnown({ files, memory }, known, MAX_BADGE_BYTES, signal)) {
    const badge = badgeOf(compared);
    if (badge !== undefined) badges.set(file, badge);
  }
  return badges;
}

function badgeOf({ standing, known }: Compared<ListedFile>): Badge | undefined {
  if (known === undefined) return undefined;
  const { task, at, uploaded } = known;
  const earlier = at.content;
  const state = at.row !== undefined && phaseKindOf(at.row.state) === 'accepted' ? at.row.state : earlier?.state;
  const there = earlier && state && ({ kind: 'unchanged', earlier, state } as const);
  switch (standing) {
    case 'failed':
    case 'unconfirmed':
      return task === undefined ? there : { kind: 'failed', task };
    case 'new':
      return task === undefined || isCanceled(task) ? undefined : { kind: 'failed', task };
    case 'changed':
      return uploaded && earlier ? { kind: 'changed', earlier } : { kind: 'changedSinceFailure' };
    case 'unchanged':
      return there;
    default:
      return undefined;
  }
}

/** The paths in a folder from which a destination received something and that are missing. @throws StoreError */
export async function goneFiles(
  list: TaskList,
  contents: Store['contents'],
  destination: Destination,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return (await knownFiles(new TaskListMemory(list, contents, destination), folder, signal)).gone;
}

/** The files on disk that have a row at a destination or that it has received, by whether they exist. @throws StoreError */
export function filesOf(
  list: TaskList,
  contents: Store['contents'],
  destination: Destination,
  signal: AbortSignal,
): ReturnType<typeof knownFiles> {
  return knownFiles(new TaskListMemory(list, contents, destination), null, signal);
}

const STATES: Readonly<Record<TaskState, State>> = {
  queued: 'queued',
  sending: 'sending',
  notSent: 'notUploaded',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  withoutId: 'noId',
  waiting: 'waiting',
  noReport: 'waiting',
  running: 'running',
  unknown: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
};

class TaskListMemory {
  /** The contents of a size that was asked about, the newest first. */
  contentsOfSize: readonly AcceptedContent[] = [];
  readonly #list: TaskList;
  readonly #contents: Store['contents'];
  readonly #destination: Destination;

  constructor(list: TaskList, contents: Store['contents'], destination: Destination) {
    this.#list = list;
    this.#contents = contents;
    this.#destination = destination;
  }

  async known({
    paths,
    sizes = [],
    contents = [],
  }: {
    readonly paths: readonly string[];
    readonly sizes?: readonly number[];
    readonly contents?: readonly { readonly sizeBytes: number; readonly sha256: string }[];
  }): Promise<Found<ListedFile, ListedContent>> {
    if (sizes.length > 0) {
      const same = await this.#contents.ofSame(sizes.map((sizeBytes) => ({ sizeBytes, path: '' })));
      const all = new Map([...this.contentsOfSize, ...same].map((one) => [one.key, one]));
      this.contentsOfSize = [...all.values()].sort((a, b) => b.createdMs - a.createdMs || b.key - a.key);
    }
    const here = this.contentsOfSize.filter((one) => isReceived(one) && isSameDestination(one, this.#destination));
    const wanted = new Set(contents.map(({ sha256 }) => sha256));
    const bySha256 = new Map(here.toReversed().map((one) => [one.source.sha256 ?? '', one]));
    return {
      files: await this.filesAt(paths),
      sizes: [...new Set(here.map(({ source }) => source.sizeBytes))],
      contents: [...bySha256].flatMap(([sha256, earlier]) =>
        wanted.has(sha256) ? [{ sha256, path: earlier.source.path, endedMs: earlier.createdMs, earlier }] : [],
      ),
    };
  }

  async filesAt(paths: readonly string[]): Promise<readonly ListedFile[]> {
    if (paths.length === 0) return [];
    const found = await this.#list.history.filesAt(this.#destination, paths);
    // An accepted import has its content beside the rows.
    const needed = found.flatMap(({ row }) =>
      row && (phaseKindOf(row.state) !== 'accepted' || row.state === 'failed') ? row.key : [],
    );
    const tasks = new Map((await this.#list.findAll(needed)).map((task) => [task.key, task]));
    return found.map((at) => listedFile(at, at.row && tasks.get(at.row.key)));
  }

  knownPaths({
    folder,
    after,
    limit,
  }: {
    readonly folder: string | null;
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly string[]> {
    const { history } = this.#list;
    if (folder === null) return history.pathsOf(this.#destination, limit, after);
    return history.pathsIn(this.#destination, folder.endsWith(path.sep) ? folder : folder + path.sep, limit, after);
  }

  async noteTimes(times: readonly { readonly path: string; readonly modifiedMs: number }[]): Promise<void> {
    const found = await this.#list.history.filesAt(
      this.#destination,
      times.map((one) => one.path),
    );
    const keys = new Map(
      found.flatMap(({ path: file, content }) => (content === undefined ? [] : [[file, content.key]])),
    );
    await this.#contents.noteTimes(
      times.flatMap(({ path: file, modifiedMs }): [number, number][] => {
        const key = keys.get(file);
        return key === undefined ? [] : [[key, modifiedMs]];
      }),
    );
  }
}

function listedFile(at: FileAtDestination, task: TrackedTask | undefined): ListedFile {
  const { path: file, row, content } = at;
  const uploaded =
    content !== undefined && isReceived(content) ? { ...contentOf(content.source), endedMs: content.createdMs } : null;
  const mayBeThere =
    content !== undefined && content.state === 'unconfirmed' && row === undefined ? content : undefined;
  const source = task?.source ?? content?.source;
  const known =
    row !== undefined && source !== undefined
      ? { ...contentOf(source), file: row.key, import: row.key, state: STATES[row.state], removed: false }
      : mayBeThere && {
          ...contentOf(mayBeThere.source),
          file: 0,
          import: 0,
          state: 'unconfirmed' as const,
          removed: true,
        };
  return { path: file, row: known ?? null, uploaded, task, at };
}

function contentOf({ sizeBytes, modifiedMs, sha256 }: Source): Content {
  return { sizeBytes, modifiedMs: modifiedMs ?? null, sha256: sha256 ?? null };
}

function standingOf(
  { standing, known, elsewhere }: Compared<ListedFile, ListedContent>,
  running: ReadonlyMap<number, TrackedTask>,
): Standing {
  const { task, at } = known ?? {};
  const earlier = elsewhere?.earlier ?? at?.content;
  switch (standing) {
    case 'importing':
      return task === undefined ? { kind: 'new' } : { kind: 'open', task };
    case 'failed':
    case 'unconfirmed':
      if (task !== undefined) return { kind: 'failed', task, earlier };
      return earlier === undefined ? { kind: 'new' } : { kind: 'unchanged', earlier };
    case 'moved':
    case 'copied':
    case 'unchanged':
      return earlier === undefined ? { kind: 'new' } : { kind: standing, earlier };
    case 'changed': {
      const undecided = running.get(at?.row?.key ?? 0);
      return undecided === undefined ? { kind: 'changed' } : { kind: 'running', task: undecided };
    }
    case 'new':
      return { kind: 'new' };
  }
}

/** Whether the newest import of a file was canceled: the destination has what it had before. */
function isCanceled({ phase }: TrackedTask): boolean {
  return phase.kind === 'notSent' && phase.failure.name === 'CanceledError';
}
