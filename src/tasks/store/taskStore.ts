import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { cutoffOf, type Keeping, keysUpTo, noteLook, takeTurn } from '../history/retention';
import { Leases, type PendingWork } from '../leases/leases';
import { type EditorWindow, LEASE_MS, thisWindow } from '../leases/windowLease';
import { type PutBack, putRows, type RemovedTask, readRows } from '../rows/removedTask';
import { asTracked } from '../rows/taskRow';
import {
  AMONG,
  changeTask,
  disown,
  findTask,
  insertTask,
  keysOf,
  listOf,
  nextRevision,
  putResponses,
  putTask,
  REMOVED_AT_ONCE,
  readResponses,
  removeTasks,
  selectTasks,
  type Writing,
} from '../rows/taskTable';
import type { Clock } from '../timing/clock';
import { isOpen, type NewTask, type Responses, type TaskState, type TrackedTask } from '../trackedTask';
import { abandoned, remembered } from './abandoned';
import { noteEnd } from './notices';
import { changedTask, owned, type TaskChange } from './ownership';

/** A change to make where the task is in the store as it was before, by its revision. */
export interface ExpectedChange {
  readonly before: TrackedTask;
  readonly change: TaskChange;
}

/** What several calls add together. */
export interface Addition {
  readonly id: string;
  readonly isLast: boolean;
}

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
  /** When this window had last renewed its lease by then, by the clock's `monotonicMs`. */
  readonly renewedMs: number;
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

/** Max imports taken over in a commit: about 50 ms. */
const ADOPTED_AT_ONCE = 1000;

/** How many of the newest tasks a window reads when it begins, beside all that are unfinished. */
const NEWEST = 200;

/**
 * The tracked tasks on disk, shared by all windows. An import is owned by the window that is to send it until it has
 * ended; the imports of a window that is gone are taken over by another. Every method may reject with StoreError.
 */
export class TaskStore {
  readonly #file: SqliteFile;
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #window: EditorWindow;
  readonly #leases: Leases;
  /** When this window began to renew its lease last, by the clock's `monotonicMs`. */
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(file: SqliteFile, clock: Pick<Clock, 'now' | 'monotonicMs'>, window: EditorWindow = thisWindow()) {
    this.#file = file;
    this.#clock = clock;
    this.#window = window;
    this.#leases = new Leases(window, clock.monotonicMs);
  }

  /**
   * Adds tasks; those to be sent are owned by this window. Several calls with the same `addition` are one: until the last
   * of them, what was added goes with its window, or with {@link undoAddition}.
   */
  add(tasks: readonly NewTask[], addition?: Addition): Promise<Written> {
    return this.#file.write((db) => this.#add(db, tasks, addition));
  }

  /** Removes what calls of {@link add} have added without the last of them. */
  async undoAddition(id: string): Promise<void> {
    while (await this.#file.write((db) => this.#undoPart(db, 'id', id)));
  }

  /** Changes those tasks that are as they are expected to be. */
  change(changes: readonly ExpectedChange[]): Promise<Written> {
    return this.#file.write((db) => this.#changeAll(db, changes));
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
      return isRemoved ? { key, store: readRevisions(db).store, rows } : undefined;
    });
  }

  /** Puts a removed task back as it was. */
  putBack(removed: RemovedTask): Promise<PutBack> {
    return this.#file.write((db) => {
      if (readRevisions(db).store !== removed.store) return 'otherStore';
      if (findTask(db, removed.key) !== undefined) return 'present';
      putRows(db, removed, this.#writing(db));
      return 'done';
    });
  }

  /**
   * Removes tasks that have ended and are kept no longer, a few in each commit, where it is this window's turn; returns
   * their keys.
   */
  async clearEnded(keeping: Keeping): Promise<number[]> {
    const nowMs = this.#clock.now();
    const cutoff = await this.#file.write((db) =>
      takeTurn(db, nowMs) ? cutoffOf(db, keeping, noteLook(db, nowMs)) : undefined,
    );
    const removed: number[] = [];
    while (cutoff !== undefined) {
      const some = await this.#file.write((db) => {
        const keys = keysUpTo(db, cutoff, REMOVED_AT_ONCE);
        if (keys.length > 0) removeTasks(db, keys, this.#writing(db));
        return keys;
      });
      if (some.length === 0) break;
      removed.push(...some);
    }
    if (removed.length > 0) await this.shrink();
    return removed;
  }

  /** Gives the space of what was removed back to the file system, a little in each commit. */
  async shrink(): Promise<void> {
    while (await this.#file.read(hasUnusedPages)) await this.#file.write((db) => db.exec(GIVE_BACK));
  }

  /** What has changed since a version; undefined where that is of another store, or too old for the log of removals. */
  changesSince(version: StoreVersion): Promise<StoreChanges | undefined> {
    return this.#file.read((db) => this.#changesSince(db, version));
  }

  /** All that is unfinished, the newest tasks, and what became of those with these keys. */
  allFor(held: readonly number[]): Promise<StoreChanges> {
    return this.#file.read((db) => this.#allFor(db, held));
  }

  /**
   * Puts the tasks that this window knows into a store that was begun anew; `known` is the version of the store before it.
   * Nothing is sent from memory alone: returns the imports of this window that another one may have taken over since.
   */
  restore(known: StoreVersion, tasks: readonly TrackedTask[]): Promise<TrackedTask[]> {
    return this.#renewing(() => this.#file.write((db) => this.#restore(db, known, tasks)));
  }

  /** What other windows have left to this one; reads no task. */
  pendingWork(): Promise<PendingWork> {
    return this.#file.read((db) => this.#leases.pendingWork(db));
  }

  /**
   * Takes over some of the imports of windows that are gone, and returns them: what was being sent is unconfirmed, and what
   * is queued is this window's to send. To be called again while any is returned.
   */
  adoptAbandoned(): Promise<TrackedTask[]> {
    return this.#file.write((db) => this.#adoptAbandoned(db));
  }

  /** Asks the windows that own these imports to cancel them. */
  requestCancel(keys: readonly number[]): Promise<void> {
    return this.#file.write((db) => this.#leases.requestCancel(db, keys));
  }

  /** The imports of this window that another one wants to be canceled; each is returned once. */
  takeCancelRequests(): Promise<number[]> {
    return this.#file.write((db) => this.#leases.takeCancelRequests(db));
  }

  /** Renews this window's lease, which keeps others from taking over its imports. */
  renewLease(): Promise<void> {
    return this.#renewing(() => this.#file.write((db) => this.#leases.renew(db)));
  }

  /** Removes all leases and cancel requests, unless a window still has an import to send. */
  clearUnusedLeases(): Promise<void> {
    return this.#file.write((db) => this.#leases.clearUnused(db));
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
    return { upTo: { store, revision: latest, renewedMs: this.#renewedMs }, forgotten };
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

  #add(db: DatabaseSync, tasks: readonly NewTask[], addition: Addition | undefined): Written {
    const writing = this.#writing(db);
    if (tasks.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    const keys = tasks.map((task) => {
      const key = insertTask(db, owned(asTracked(0, task), this.#window.id), writing);
      putResponses(db, key, responsesIn(task));
      return key;
    });
    if (addition?.isLast) prepared(db, 'DELETE FROM additions WHERE id = ?').run(addition.id);
    else if (addition !== undefined)
      prepared(db, 'INSERT INTO additions VALUES (?, ?, ?, ?)').run(
        ...[addition.id, this.#window.id, keys[0] ?? 0, keys.at(-1) ?? 0],
      );
    return { keys, revision: writing.revision };
  }

  /** Removes what one call has added of additions that were not completed; false where there is none. */
  #undoPart(db: DatabaseSync, by: 'id' | 'owner', value: string): boolean {
    const part = prepared(db, `SELECT rowid, first_key, last_key FROM additions WHERE ${by} = ? LIMIT 1`).get(value);
    if (part === undefined) return false;
    const range = 'SELECT key FROM tasks WHERE key BETWEEN ? AND ?';
    const added = prepared(db, range).all(Number(part['first_key']), Number(part['last_key']));
    removeTasks(db, keysOf(added), this.#writing(db));
    prepared(db, 'DELETE FROM additions WHERE rowid = ?').run(Number(part['rowid']));
    return true;
  }

  #remove(db: DatabaseSync, keys: readonly number[], wanted?: TaskState): number[] {
    const there = prepared(db, `SELECT key, owner, state FROM tasks WHERE ${AMONG}`).all(listOf(keys));
    const removed = there.filter(({ owner, state }) => owner === null && (wanted === undefined || state === wanted));
    removeTasks(db, keysOf(removed), this.#writing(db));
    return keysOf(there.filter((row) => !removed.includes(row)));
  }

  #changeAll(db: DatabaseSync, changes: readonly ExpectedChange[]): Written {
    const writing = this.#writing(db);
    const changed = changes.filter((change) => this.#change(db, change, writing));
    return { keys: changed.map(({ before }) => before.key), revision: writing.revision };
  }

  #change(db: DatabaseSync, { before, change }: ExpectedChange, writing: Writing): boolean {
    const changed = changedTask(before, change, this.#window.id);
    if (!changeTask(db, before, changed, writing)) return false;
    putResponses(db, before.key, responsesIn(change));
    noteEnd(db, before, changed);
    if (changed.owner !== undefined && before.owner === undefined) {
      this.#leases.renew(db);
      // A request to cancel that came too late was meant for the earlier attempt.
      this.#leases.removeCancelRequest(db, before.key);
    }
    return true;
  }

  async #renewing<T>(write: () => Promise<T>): Promise<T> {
    const renewedMs = this.#clock.monotonicMs();
    const result = await write();
    this.#renewedMs = renewedMs;
    return result;
  }

  #restore(db: DatabaseSync, known: StoreVersion, tasks: readonly TrackedTask[]): TrackedTask[] {
    this.#leases.renew(db);
    const writing = this.#writing(db);
    // No other window takes over imports until a lease has passed since its renewal.
    const isCertain = this.#clock.monotonicMs() - known.renewedMs < LEASE_MS;
    const doubted: TrackedTask[] = [];
    for (const task of tasks) {
      if (task.phase.kind === 'unreadable' || !this.#isNews(db, task, findTask(db, task.key))) continue;
      const isOurs = task.owner === this.#window.id;
      const restored = isOurs && isCertain ? task : remembered(task, isOurs ? 'here' : 'elsewhere');
      // The responses went with the store before.
      putTask(db, asTracked(task.key, { ...restored, ...readResponses(db, task.key) }), writing);
      if (restored.owner !== undefined) this.#leases.grant(db, restored.owner);
      else if (isOurs) doubted.push(restored);
    }
    return doubted;
  }

  /** Whether a task is as this window knows it, and not as another window has restored it. */
  #isNews(db: DatabaseSync, task: TrackedTask, there: TrackedTask | undefined): boolean {
    const here = this.#window.id;
    if (there === undefined || there.owner === here) return true;
    if (there.owner !== undefined && this.#leases.hasLease(db, there.owner)) return false;
    return task.owner === here ? !isLater(there, task) : isLater(task, there);
  }

  #adoptAbandoned(db: DatabaseSync): TrackedTask[] {
    const [owner] = this.#leases.goneOwners(db);
    if (owner === undefined) return [];
    while (this.#undoPart(db, 'owner', owner));
    const writing = this.#writing(db);
    const adopted: TrackedTask[] = [];
    for (const left of selectTasks(db, 'WHERE owner = ? ORDER BY key LIMIT ?', owner, ADOPTED_AT_ONCE)) {
      if (left.phase.kind === 'unreadable') {
        disown(db, left.key, writing);
        continue;
      }
      const now = { ...abandoned(left, this.#clock.now()), owner: undefined, revision: writing.revision };
      const task = owned(now, this.#window.id);
      changeTask(db, left, task, writing);
      adopted.push(task);
    }
    if (adopted.length < ADOPTED_AT_ONCE) this.#leases.remove(db, owner);
    if (adopted.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    return adopted;
  }
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

function hasUnusedPages(db: DatabaseSync): boolean {
  return Number(prepared(db, 'PRAGMA freelist_count').get()?.['freelist_count']) > MAX_UNUSED_PAGES;
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

/** The responses that a change or a new task holds. */
function responsesIn({ importResponse, lastResponse }: Partial<Responses>): Partial<Responses> {
  return {
    ...(importResponse !== undefined && { importResponse }),
    ...(lastResponse !== undefined && { lastResponse }),
  };
}

/** Whether one of two versions of a task is the later one. Attempts come first, as clocks can be set. */
function isLater(one: TrackedTask, other: TrackedTask): boolean {
  const more = one.attempts.length - other.attempts.length;
  return more > 0 || (more === 0 && (one.checkedMs ?? 0) > (other.checkedMs ?? 0));
}
