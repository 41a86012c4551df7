import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { cutoffOf, type Keeping, keysUpTo, noteLook, takeTurn } from '../history/retention';
import { TaskHistory } from '../history/taskHistory';
import { type PutBack, putRows, type RemovedTask, readRows } from '../rows/removedTask';
import { putResponses, readResponses } from '../rows/responses';
import { asTracked } from '../rows/taskRow';
import {
  AMONG,
  changeTask,
  disown,
  findTask,
  keysOf,
  listOf,
  nextRevision,
  putTask,
  REMOVED_AT_ONCE,
  removeTasks,
  selectTasks,
  type Writing,
} from '../rows/taskTable';
import type { Clock } from '../timing/clock';
import { isOpen, type NewTask, type Responses, type TaskState, type TrackedTask } from '../trackedTask';
import { abandoned, remembered } from './abandoned';
import { Leases, type PendingWork } from './leases';
import { noteEnd } from './notices';
import { type EditorWindow, LEASE_MS, thisWindow } from './windowLease';

/** Rows written before other work of this process runs: about 10 ms. */
const STEP_ROWS = 100;

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    'dataset' | 'origin' | 'source' | 'taskId' | 'taskIdFrom' | 'phase' | 'attempts' | 'checkedMs' | 'lastQueryError'
  > &
    Responses
>;

/** A change to make where the task is in the store as it was before. */
export interface ExpectedChange {
  readonly before: TrackedTask;
  readonly change: TaskChange;
}

/** Up to where the changes of a store are known. */
export interface StoreVersion {
  /** The id of the store: where a damaged one was set aside, its successor has another. */
  readonly store: string;
  readonly revision: number;
  /** When this window had last renewed its lease by then, by the clock's `monotonicMs`. */
  readonly renewedMs: number;
}

/** What any window has changed since a version of the store. */
export interface StoreChanges {
  readonly upTo: StoreVersion;
  /** The keys of the tasks that were added or changed. */
  readonly changed: readonly number[];
  /** The keys of those that were removed. */
  readonly removed: readonly number[];
}

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
  /** All that is tracked, read when it is shown. */
  readonly history: TaskHistory;
  /** When this window began to renew its lease last, by the clock's `monotonicMs`. */
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(file: SqliteFile, clock: Pick<Clock, 'now' | 'monotonicMs'>, window: EditorWindow = thisWindow()) {
    this.#file = file;
    this.#clock = clock;
    this.#window = window;
    this.#leases = new Leases(window, clock.monotonicMs);
    this.history = new TaskHistory(file);
  }

  /** Whether there is a store yet; reading or writing makes one. */
  get exists(): boolean {
    return this.#file.exists;
  }

  /** Whether a task is an import that has not ended, and this window's to send. */
  isOurs({ owner, phase }: Pick<TrackedTask, 'owner' | 'phase'>): boolean {
    return owner === this.#window.id && isOpen(phase);
  }

  /** A task after a change. Its owner follows its phase: none once it has ended, this window where it is queued anew. */
  changed(task: TrackedTask, change: TaskChange): TrackedTask {
    const { importResponse, lastResponse, ...rest } = change;
    return this.#owned({
      ...task,
      ...rest,
      hasImportResponse: task.hasImportResponse || importResponse !== undefined,
      hasLastResponse: task.hasLastResponse || lastResponse !== undefined,
    });
  }

  /** Adds all of these tasks or none; those to be sent are owned by this window. */
  add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    return this.#file.writeInSteps((db) => this.#add(db, tasks));
  }

  /** Changes tasks in a transaction of their own, all that are as before or none; returns those that were changed. */
  async changeAll(changes: readonly ExpectedChange[]): Promise<TrackedTask[]> {
    return changes.length === 0 ? [] : this.#file.writeInSteps((db) => this.#changeAll(db, changes));
  }

  /** Changes tasks as {@link changeAll} does, but a single change shares its commit with others. */
  async change(changes: readonly ExpectedChange[]): Promise<TrackedTask[]> {
    const [single] = changes;
    if (single === undefined || changes.length > 1) return this.changeAll(changes);
    return this.#file.write((db) => this.#change(db, single));
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
    return removed;
  }

  /**
   * What has changed since a version. Where that is undefined, or of another store, or before what the log of removals
   * still has: all that is unfinished, the newest tasks, and what became of those that the window holds.
   */
  changesSince(version: StoreVersion | undefined, held: readonly number[]): Promise<StoreChanges> {
    return this.#file.read((db) => this.#changesSince(db, version, held));
  }

  /**
   * Puts the tasks that this window knows into a store that was begun anew; `known` is the version of the store before it.
   * Nothing is sent from memory alone: returns the imports of this window that another one may have taken over since.
   */
  restore(known: StoreVersion, tasks: () => readonly TrackedTask[]): Promise<TrackedTask[]> {
    return this.#renewing(() => this.#file.writeInSteps((db) => this.#restore(db, known, tasks())));
  }

  /** What other windows have left to this one; reads no task. */
  pendingWork(): Promise<PendingWork> {
    return this.#file.read((db) => this.#leases.pendingWork(db));
  }

  /**
   * Takes over the imports of windows that are gone, and returns them: what was being sent is unconfirmed, what was held
   * in memory is not sent, and what is queued is this window's to send.
   */
  adoptAbandoned(): Promise<TrackedTask[]> {
    return this.#file.writeInSteps((db) => this.#adoptAbandoned(db));
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

  /** A task with its owner, which follows its phase: none once it has ended, this window where it is queued anew. */
  #owned(task: TrackedTask): TrackedTask {
    return { ...task, owner: isOpen(task.phase) ? (task.owner ?? this.#window.id) : undefined };
  }

  #writing(db: DatabaseSync): Writing {
    return { revision: nextRevision(db), nowMs: this.#clock.now() };
  }

  #changesSince(db: DatabaseSync, version: StoreVersion | undefined, held: readonly number[]): StoreChanges {
    const { latest, store, forgotten } = readRevisions(db);
    const upTo = { store, revision: latest, renewedMs: this.#renewedMs };
    if (store === version?.store && version.revision >= forgotten) {
      if (latest === version.revision) return { upTo, changed: [], removed: [] };
      const changed = prepared(db, CHANGED_SINCE).all(version.revision);
      const removed = prepared(db, 'SELECT key FROM removals WHERE revision > ?').all(version.revision);
      return { upTo, changed: keysOf(changed), removed: keysOf(removed) };
    }
    const unfinished = keysOf(db.prepare('SELECT key FROM tasks WHERE unfinished = 1').all());
    const newest = db.prepare('SELECT key FROM tasks ORDER BY created_ms DESC, key DESC LIMIT ?').all(NEWEST);
    const still = new Set(keysOf(db.prepare(`SELECT key FROM tasks WHERE ${AMONG}`).all(listOf(held))));
    return {
      upTo,
      changed: [...new Set([...unfinished, ...keysOf(newest).reverse(), ...still])],
      removed: held.filter((key) => !still.has(key)),
    };
  }

  *#add(db: DatabaseSync, tasks: readonly NewTask[]): Generator<undefined, TrackedTask[]> {
    const writing = this.#writing(db);
    if (tasks.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    const added: TrackedTask[] = [];
    for (const task of tasks) {
      const put = putTask(db, { ...this.#owned(asTracked(0, task)), key: undefined }, writing);
      putResponses(db, put.key, responsesIn(task));
      added.push(put);
      if (added.length % STEP_ROWS === 0) yield;
    }
    return added;
  }

  #remove(db: DatabaseSync, keys: readonly number[], wanted?: TaskState): number[] {
    const there = prepared(db, `SELECT key, owner, state FROM tasks WHERE ${AMONG}`).all(listOf(keys));
    const removed = there.filter(({ owner, state }) => owner === null && (wanted === undefined || state === wanted));
    removeTasks(db, keysOf(removed), this.#writing(db));
    return keysOf(there.filter((row) => !removed.includes(row)));
  }

  *#changeAll(db: DatabaseSync, changes: readonly ExpectedChange[]): Generator<undefined, TrackedTask[]> {
    const changed: TrackedTask[] = [];
    for (const [index, change] of changes.entries()) {
      changed.push(...this.#change(db, change));
      if (index % STEP_ROWS === STEP_ROWS - 1) yield;
    }
    return changed;
  }

  #change(db: DatabaseSync, { before, change }: ExpectedChange): TrackedTask[] {
    const writing = this.#writing(db);
    const changed = { ...this.changed(before, change), revision: writing.revision };
    if (!changeTask(db, before, changed, writing)) return [];
    putResponses(db, before.key, responsesIn(change));
    noteEnd(db, before, changed);
    if (changed.owner !== undefined && before.owner === undefined) {
      this.#leases.renew(db);
      // A request to cancel that came too late was meant for the earlier attempt.
      this.#leases.removeCancelRequest(db, before.key);
    }
    return [changed];
  }

  async #renewing<T>(write: () => Promise<T>): Promise<T> {
    const renewedMs = this.#clock.monotonicMs();
    const result = await write();
    this.#renewedMs = renewedMs;
    return result;
  }

  *#restore(db: DatabaseSync, known: StoreVersion, tasks: readonly TrackedTask[]): Generator<undefined, TrackedTask[]> {
    this.#leases.renew(db);
    const writing = this.#writing(db);
    // No other window takes over imports until a lease has passed since its renewal.
    const isCertain = this.#clock.monotonicMs() - known.renewedMs < LEASE_MS;
    const doubted: TrackedTask[] = [];
    for (const [index, task] of tasks.entries()) {
      if (index % STEP_ROWS === STEP_ROWS - 1) yield;
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

  *#adoptAbandoned(db: DatabaseSync): Generator<undefined, TrackedTask[]> {
    const adopted: TrackedTask[] = [];
    for (const owner of this.#leases.goneOwners(db)) {
      const writing = this.#writing(db);
      for (const left of selectTasks(db, 'WHERE owner = ? ORDER BY key', owner)) {
        if (left.phase.kind === 'unreadable') {
          disown(db, left.key, writing);
          continue;
        }
        const now = { ...abandoned(left, this.#clock.now()), owner: undefined, revision: writing.revision };
        const task = this.#owned(now);
        changeTask(db, left, task, writing);
        adopted.push(task);
        if (adopted.length % STEP_ROWS === 0) yield;
      }
      this.#leases.remove(db, owner);
    }
    if (adopted.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    return adopted;
  }
}

/** By its index, which SQLite would leave for a scan of all tasks to order them by key. */
const CHANGED_SINCE = 'SELECT key FROM tasks INDEXED BY tasks_by_revision WHERE revision > ? ORDER BY revision';

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
