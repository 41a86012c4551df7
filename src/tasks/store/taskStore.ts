import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { type Destination, destinationKey } from '../destination';
import { cutoffOf, type Keeping, keysUpTo } from '../history/retention';
import { claim, isServedBy } from '../leases/leases';
import type { EditorWindow } from '../leases/windowLease';
import { countAdded, counted } from '../rows/counts';
import { putRows, type RemovedTask, readRows } from '../rows/removedTask';
import { forgetRuns, leaveRun, leaveRuns, rejoinRun } from '../rows/runs';
import { asTracked, readRow } from '../rows/taskRow';
import {
  AMONG,
  changeTask,
  findTask,
  insertTask,
  keysOf,
  listOf,
  nextRevision,
  putResponses,
  REMOVED_AT_ONCE,
  removeResponses,
  removeTasks,
  type Writing,
} from '../rows/taskTable';
import type { Clock } from '../timing/clock';
import { isOpen, isOpenState, type NewTask, type Responses, type TaskState, type TrackedTask } from '../trackedTask';
import { noteEnds } from './notices';
import { changedTask, isBegunAgain, type TaskChange } from './taskChange';

/** A change to make where the task is in the store as it was before, by its revision. */
export interface ExpectedChange {
  readonly before: TrackedTask;
  readonly change: TaskChange;
}

/** Stands for the key of a file that was skipped, because it has been imported since. */
export const NOT_ADDED = 0;

/** What was written: the keys of these tasks, and the revision that they have since. */
export interface Written {
  readonly keys: readonly number[];
  readonly revision: number;
}

/** Up to where the changes of a store are known. */
export interface StoreVersion {
  /** The id of the store: where a damaged one was set aside, its successor has another. */
  readonly store: string;
  readonly revision: number;
}

export type KeyRevision = readonly [key: number, revision: number];

/** What any window has changed since a version of the store. */
export interface StoreChanges {
  readonly upTo: StoreVersion;
  /** The keys and revisions of the tasks that were added or changed. */
  readonly changed: readonly KeyRevision[];
  /** The keys of those that were removed. */
  readonly removed: readonly number[];
}

/** How many of the newest tasks a window reads when it begins, beside all that are unfinished. */
const NEWEST = 200;

/**
 * The tracked tasks on disk, shared by all windows. Only the window that serves a destination begins to send its imports;
 * whatever else becomes of a task, any window may write. Every method may reject with StoreError.
 */
export class TaskStore {
  readonly #file: SqliteFile;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #window: EditorWindow;

  constructor(file: SqliteFile, clock: Pick<Clock, 'now'>, window: EditorWindow) {
    this.#file = file;
    this.#clock = clock;
    this.#window = window;
  }

  /**
   * Adds tasks, all or none, and claims the destination if some are queued. Skips queued files that have a row by now, or
   * that their destination received from an import started after the one in `newest` (milliseconds since 1970).
   */
  add(tasks: readonly NewTask[], newest?: readonly number[]): Promise<Written> {
    return this.#file.write((db) => this.#add(db, tasks, newest));
  }

  /**
   * Changes those tasks that are as they are expected to be, and begins to send only what this window is to send. Rejects
   * if a lock stays: then nothing is sent, and what came back is kept in memory.
   */
  change(changes: readonly ExpectedChange[]): Promise<Written> {
    return this.#file.tryWrite((db) => this.#changeAll(db, changes));
  }

  /**
   * Removes tasks that no window is to send, at most {@link REMOVED_AT_ONCE}; where a state is given, only those that are
   * in it. Returns the keys of those that stay.
   */
  remove(keys: readonly number[], state?: TaskState): Promise<number[]> {
    return this.#file.write((db) => this.#remove(db, keys, state));
  }

  /** Removes a task that no window is to send; returns all that was kept of it, or undefined where it was not removed. */
  removeForUndo(key: number): Promise<RemovedTask | undefined> {
    return this.#file.write((db) => {
      const rows = readRows(db, key);
      const isRemoved = rows.tasks.length > 0 && this.#remove(db, [key]).length === 0;
      return isRemoved ? { key, rows } : undefined;
    });
  }

  /**
   * Puts a removed task back as it was. Returns false if it is in the list already, or its file has been imported again since.
   */
  putBack(removed: RemovedTask): Promise<boolean> {
    return this.#file.write((db) => {
      if (findTask(db, removed.key) !== undefined || isImportedAgain(db, removed)) return false;
      putRows(db, removed, this.#writing(db));
      rejoinRun(db, removed.key);
      return true;
    });
  }

  /** Removes ended tasks that are too old or too many to keep, a few in each commit; returns their keys. */
  async clearEnded(keeping: Keeping): Promise<number[]> {
    const cutoff = await this.#file.write((db) => {
      forgetRuns(db);
      return cutoffOf(db, keeping, this.#clock.now());
    });
    const removed: number[] = [];
    while (cutoff !== undefined) {
      const some = await this.#file.write((db) => {
        const keys = keysUpTo(db, cutoff, REMOVED_AT_ONCE);
        leaveRuns(db, keys);
        if (keys.length > 0) removeTasks(db, keys, this.#writing(db));
        return keys;
      });
      if (some.length === 0) break;
      removed.push(...some);
    }
    if (removed.length > 0) await this.shrink();
    return removed;
  }

  /** Gives the space of what was removed back to the file system, a little in each commit, for as long as the file shrinks. */
  async shrink(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const unused = await this.#file.read(unusedPages);
      if (unused <= MAX_UNUSED_PAGES || unused >= before) return;
      before = unused;
      await this.#file.write((db) => db.exec(GIVE_BACK));
    }
  }

  /**
   * What has changed since a version; undefined where that is of another store, or too old for the log of removals. Rejects
   * if a lock stays, so that the view can report it.
   */
  changesSince(version: StoreVersion): Promise<StoreChanges | undefined> {
    return this.#file.tryRead((db) => this.#changesSince(db, version));
  }

  /** All that is unfinished, the newest tasks, and what became of those with these keys. */
  allFor(held: readonly number[]): Promise<StoreChanges> {
    return this.#file.tryRead((db) => this.#allFor(db, held));
  }

  #writing(db: DatabaseSync): Writing {
    return { revision: nextRevision(db), nowMs: this.#clock.now() };
  }

  #changesSince(db: DatabaseSync, { store, revision }: StoreVersion): StoreChanges | undefined {
    const { upTo, forgotten } = this.#version(db);
    if (store !== upTo.store || revision < forgotten) return undefined;
    if (revision === upTo.revision) return { upTo, changed: [], removed: [] };
    const changed = prepared(db, CHANGED_SINCE).all(revision);
    const removed = prepared(db, 'SELECT key FROM removals WHERE revision > ?').all(revision);
    return { upTo, changed: keyRevisions(changed), removed: keysOf(removed) };
  }

  #version(db: DatabaseSync): { readonly upTo: StoreVersion; readonly forgotten: number } {
    const { latest, store, forgotten } = readRevisions(db);
    return { upTo: { store, revision: latest }, forgotten };
  }

  #allFor(db: DatabaseSync, held: readonly number[]): StoreChanges {
    const { upTo } = this.#version(db);
    const unfinished = keyRevisions(db.prepare('SELECT key, revision FROM tasks WHERE unfinished = 1').all());
    const newest = db.prepare('SELECT key, revision FROM tasks ORDER BY created_ms DESC, key DESC LIMIT ?').all(NEWEST);
    const still = new Map(keyRevisions(db.prepare(`SELECT key, revision FROM tasks WHERE ${AMONG}`).all(listOf(held))));
    return {
      upTo,
      changed: [...new Map([...unfinished, ...keyRevisions(newest).reverse(), ...still])],
      removed: held.filter((key) => !still.has(key)),
    };
  }

  #add(db: DatabaseSync, tasks: readonly NewTask[], newest?: readonly number[]): Written {
    const writing = this.#writing(db);
    this.#claim(
      db,
      tasks.filter(({ phase }) => isOpen(phase)),
    );
    const keys = tasks.map((task, index) => {
      if (wasImportedSince(db, task, newest?.[index])) return NOT_ADDED;
      const key = insertTask(db, asTracked(0, task), writing);
      putResponses(db, key, responsesIn(task));
      return key;
    });
    countAdded(db, keys);
    return { keys, revision: writing.revision };
  }

  #claim(db: DatabaseSync, destinations: readonly Destination[]): void {
    const each = new Map(destinations.map((destination) => [destinationKey(destination), destination]));
    for (const destination of each.values()) claim(db, this.#window, destination);
  }

  #remove(db: DatabaseSync, keys: readonly number[], wanted?: TaskState): number[] {
    const there = prepared(db, `SELECT key, state FROM tasks WHERE ${AMONG}`).all(listOf(keys));
    const removed = there.filter(
      ({ state }) => (wanted === undefined || state === wanted) && !isOpenState(state as TaskState),
    );
    leaveRuns(db, keysOf(removed));
    removeTasks(db, keysOf(removed), this.#writing(db));
    return keysOf(there.filter((row) => !removed.includes(row)));
  }

  #changeAll(db: DatabaseSync, changes: readonly ExpectedChange[]): Written {
    const writing = this.#writing(db);
    const all = changes.map(({ before, change }) => ({ before, change, after: changedTask(before, change) }));
    const keys = all.map(({ before }) => before.key);
    const changed = counted(db, keys, () => all.filter((change) => this.#change(db, change, writing)));
    noteEnds(db, changed);
    this.#claim(
      db,
      changed.filter(isBegunHere).map(({ after }) => after),
    );
    return { keys: changed.map(({ before }) => before.key), revision: writing.revision };
  }

  #change(db: DatabaseSync, { before, change, after }: Change, writing: Writing): boolean {
    const begins = before.phase.kind === 'queued' && after.phase.kind === 'sending';
    // The fence: whatever a window believes, it begins to send only where the store says that it is the one.
    if (begins && !isServedBy(db, this.#window, before)) return false;
    if (!changeTask(db, before, after, writing)) return false;
    if (isBegunAgain(before, change)) removeResponses(db, before.key);
    if (after.createdMs !== before.createdMs) leaveRun(db, before);
    putResponses(db, before.key, responsesIn(change));
    return true;
  }
}

interface Change extends ExpectedChange {
  readonly after: TrackedTask;
}

/** Whether a person begins an import by a change, or redirects it: this window is to send it then. */
function isBegunHere({ before, after }: Change): boolean {
  return isOpen(after.phase) && (!isOpen(before.phase) || before.origin !== after.origin);
}

/** By its index, which SQLite would leave for a scan of all tasks to order them by key. */
const CHANGED_SINCE =
  'SELECT key, revision FROM tasks INDEXED BY tasks_by_revision WHERE revision > ? ORDER BY revision';

function keyRevisions(rows: readonly Readonly<Record<string, unknown>>[]): KeyRevision[] {
  return rows.map(({ key, revision }) => [Number(key), Number(revision)]);
}

/** Pages that a file may leave unused: 4 MiB. */
const MAX_UNUSED_PAGES = 1024;

/** As many pages as take about 10 ms. */
const GIVE_BACK = 'PRAGMA incremental_vacuum(1024)';

function unusedPages(db: DatabaseSync): number {
  return Number(prepared(db, 'PRAGMA freelist_count').get()?.['freelist_count']);
}

interface Revisions {
  readonly latest: number;
  readonly store: string;
  /** Removals up to this revision are no longer in their log. */
  readonly forgotten: number;
}

function readRevisions(db: DatabaseSync): Revisions {
  return prepared(db, 'SELECT * FROM revisions').get() as unknown as Revisions;
}

/** Whether a file that is to be queued in a new row got a row meanwhile, or was received and its row removed. */
function wasImportedSince(
  db: DatabaseSync,
  { source, dataset, origin, phase }: NewTask,
  newestMs: number | undefined,
): boolean {
  if (phase.kind !== 'queued' || source?.from !== 'disk') return false;
  const file = [source.path, JSON.stringify(dataset), origin ?? null];
  if (prepared(db, ROWS_OF_FILE).get(...file) !== undefined) return true;
  return newestMs !== undefined && prepared(db, RECEIVED_SINCE).get(...file, newestMs) !== undefined;
}

const RECEIVED_SINCE =
  "SELECT 1 FROM accepted WHERE path = ? AND dataset = ? AND origin IS ? AND created_ms > ? AND from_where = 'disk'";

const ROWS_OF_FILE = `SELECT key FROM tasks INDEXED BY tasks_by_path
  WHERE path = ? AND dataset = ? AND origin IS ? AND source ->> 'from' = 'disk'`;

/** Whether the file of a removed task has another row at its destination. */
function isImportedAgain(db: DatabaseSync, { rows: { tasks } }: RemovedTask): boolean {
  const [row] = tasks;
  if (row === undefined || readRow(row).source?.from !== 'disk') return false;
  const found = prepared(db, ROWS_OF_FILE).get(row['path'] ?? null, row['dataset'] ?? null, row['origin'] ?? null);
  return found !== undefined;
}

/** The responses that a change or a new task holds. */
function responsesIn({ importResponse, lastResponse }: Partial<Responses>): Partial<Responses> {
  return {
    ...(importResponse !== undefined && { importResponse }),
    ...(lastResponse !== undefined && { lastResponse }),
  };
}
