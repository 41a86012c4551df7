import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import type { OriginOf } from '../destination';
import type { Clock } from '../timing/clock';
import { isOpen, type NewTask, type TrackedTask } from '../trackedTask';
import { abandoned, remembered } from './abandoned';
import { AMONG, keysOf, Leases, listOf, type PendingWork } from './leases';
import { readDataset } from './taskRow';
import { changeTask, findTask, nextRevision, putTask, selectTasks } from './taskTable';
import { type EditorWindow, LEASE_MS, thisWindow } from './windowLease';

/** Rows read or written before other work of this process runs: about 10 ms. */
const STEP_ROWS = 200;

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    | 'dataset'
    | 'origin'
    | 'source'
    | 'taskId'
    | 'taskIdFrom'
    | 'importResponse'
    | 'phase'
    | 'attempts'
    | 'lastResponse'
    | 'checkedMs'
    | 'lastQueryError'
  >
>;

/** The change to make to a task as it is in the store; undefined for none. Pure, as it may be called more than once. */
export type TaskUpdate = (task: TrackedTask) => TaskChange | undefined;

export type KeyedUpdate = readonly [key: number, update: TaskUpdate];

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
  /** The changed tasks, as they are now. */
  readonly changed: readonly TrackedTask[];
  /** The keys of all tasks; undefined where nothing has changed. */
  readonly keys: ReadonlySet<number> | undefined;
}

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

  /** Whether there is a store yet; reading or writing makes one. */
  get exists(): boolean {
    return this.#file.exists;
  }

  /** Whether a task is an import that has not ended, and this window's to send. */
  isOurs({ owner, phase }: NewTask): boolean {
    return owner === this.#window.id && isOpen(phase);
  }

  /** A task after a change. Its owner follows its phase: none once it has ended, this window where it is queued anew. */
  changed<Task extends NewTask>(task: Task, change: TaskChange): Task {
    const phase = change.phase ?? task.phase;
    return { ...task, ...change, owner: isOpen(phase) ? (task.owner ?? this.#window.id) : undefined };
  }

  /** Adds all of these tasks or none; those to be sent are owned by this window. */
  add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    return this.#file.writeInSteps((db) => this.#add(db, tasks));
  }

  /** Updates tasks in a transaction of their own, all of them or none; returns those that were changed. */
  async updateAll(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    return updates.length === 0 ? [] : this.#file.writeInSteps((db) => this.#updateAll(db, updates));
  }

  /** Updates tasks as {@link updateAll} does, but a single update shares its commit with others. */
  async update(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    const [single] = updates;
    if (single === undefined || updates.length > 1) return this.updateAll(updates);
    return this.#file.write((db) => this.#update(db, ...single));
  }

  /** Removes tasks that no window is to send; returns the keys of those that stay. */
  remove(keys: readonly number[]): Promise<number[]> {
    return this.#file.write((db) => {
      nextRevision(db);
      prepared(db, `DELETE FROM tasks WHERE owner IS NULL AND ${AMONG}`).run(listOf(keys));
      return keysOf(prepared(db, `SELECT key FROM tasks WHERE ${AMONG}`).all(listOf(keys)));
    });
  }

  /** What has changed since a version; all tasks where it is undefined or of another store. */
  changesSince(version: StoreVersion | undefined): Promise<StoreChanges> {
    return this.#file.readInSteps((db) => this.#changesSince(db, version));
  }

  /**
   * Puts the tasks that this window knows into a store that was begun anew; `known` is the version of the store before it.
   * Nothing is sent from memory alone: returns the imports of this window that another one may have taken over since.
   */
  restore(known: StoreVersion, tasks: () => readonly TrackedTask[]): Promise<TrackedTask[]> {
    return this.#renewing(() => this.#file.writeInSteps((db) => this.#restore(db, known, tasks())));
  }

  /** Binds rows of old stores to the origin that their dataset has now; those of unknown datasets stay unbound. */
  async bindOrigins(originOf: OriginOf): Promise<void> {
    const unbound = await this.#file.read((db) =>
      db.prepare('SELECT DISTINCT dataset FROM tasks WHERE origin IS NULL').all(),
    );
    const bindings = unbound.flatMap((row) => {
      const origin = originOf(readDataset(row['dataset']));
      return origin === undefined ? [] : [{ dataset: String(row['dataset']), origin }];
    });
    if (bindings.length === 0) return;
    await this.#file.write((db) => {
      const bind = db.prepare('UPDATE tasks SET origin = ?, revision = ? WHERE dataset = ? AND origin IS NULL');
      for (const { dataset, origin } of bindings) bind.run(origin, nextRevision(db), dataset);
    });
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

  /** What changes between its steps has a later revision than the version it returns, and is read again the next time. */
  *#changesSince(db: DatabaseSync, version: StoreVersion | undefined): Generator<undefined, StoreChanges> {
    const { latest, store } = db.prepare('SELECT * FROM revisions').get() as { latest: number; store: string };
    const since = store === version?.store ? version.revision : -1;
    const upTo = { store, revision: latest, renewedMs: this.#renewedMs };
    if (latest === since) return { upTo, changed: [], keys: undefined };
    const keys = new Set(keysOf(db.prepare('SELECT key FROM tasks').all()));
    const changedKeys = keysOf(db.prepare('SELECT key FROM tasks WHERE revision > ? ORDER BY key').all(since));
    const changed: TrackedTask[] = [];
    for (let from = 0; from < changedKeys.length; from += STEP_ROWS) {
      if (from > 0) yield;
      changed.push(...selectTasks(db, AMONG, listOf(changedKeys.slice(from, from + STEP_ROWS))));
    }
    return { upTo, changed, keys };
  }

  *#add(db: DatabaseSync, tasks: readonly NewTask[]): Generator<undefined, TrackedTask[]> {
    const revision = nextRevision(db);
    if (tasks.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    const added: TrackedTask[] = [];
    for (const task of tasks) {
      added.push(putTask(db, { key: undefined, ...this.changed(task, {}) }, revision));
      if (added.length % STEP_ROWS === 0) yield;
    }
    return added;
  }

  *#updateAll(db: DatabaseSync, updates: readonly KeyedUpdate[]): Generator<undefined, TrackedTask[]> {
    const changed: TrackedTask[] = [];
    for (const [index, update] of updates.entries()) {
      changed.push(...this.#update(db, ...update));
      if (index % STEP_ROWS === STEP_ROWS - 1) yield;
    }
    return changed;
  }

  #update(db: DatabaseSync, key: number, update: TaskUpdate): TrackedTask[] {
    const task = findTask(db, key);
    const change = task === undefined || task.phase.kind === 'unreadable' ? undefined : update(task);
    if (task === undefined || change === undefined) return [];
    const changed = this.changed(task, change);
    changeTask(db, key, { ...change, owner: changed.owner }, nextRevision(db));
    if (changed.owner !== undefined && task.owner === undefined) {
      this.#leases.renew(db);
      // A request to cancel that came too late was meant for the earlier attempt.
      this.#leases.removeCancelRequest(db, key);
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
    const revision = nextRevision(db);
    // No other window takes over imports until a lease has passed since its renewal.
    const isCertain = this.#clock.monotonicMs() - known.renewedMs < LEASE_MS;
    const doubted: TrackedTask[] = [];
    for (const [index, task] of tasks.entries()) {
      if (index % STEP_ROWS === STEP_ROWS - 1) yield;
      if (task.phase.kind === 'unreadable' || !this.#isNews(db, task, findTask(db, task.key))) continue;
      const isOurs = task.owner === this.#window.id;
      const restored = isOurs && isCertain ? task : remembered(task, isOurs ? 'here' : 'elsewhere');
      putTask(db, restored, revision);
      if (restored.owner !== undefined) this.#leases.grant(db, restored.owner);
      else if (isOurs) doubted.push(restored);
    }
    return doubted;
  }

  /** Whether a task is as this window knows it, and not as another window has restored it. */
  #isNews(db: DatabaseSync, task: TrackedTask, there: TrackedTask | undefined): boolean {
    const here = this.#window.id;
    if (there === undefined || there.owner === here) return true;
    if (there.owner !== undefined && this.#leases.hasTaken(db, there.owner)) return false;
    return task.owner === here ? !isLater(there, task) : isLater(task, there);
  }

  *#adoptAbandoned(db: DatabaseSync): Generator<undefined, TrackedTask[]> {
    const adopted: TrackedTask[] = [];
    for (const owner of this.#leases.goneOwners(db)) {
      const revision = nextRevision(db);
      for (const left of selectTasks(db, 'owner = ?', owner)) {
        if (left.phase.kind === 'unreadable') {
          changeTask(db, left.key, { owner: undefined }, revision);
          continue;
        }
        const task = abandoned(left, this.#clock.now());
        adopted.push(putTask(db, this.changed({ ...task, owner: undefined }, {}), revision));
        if (adopted.length % STEP_ROWS === 0) yield;
      }
      this.#leases.remove(db, owner);
    }
    if (adopted.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    return adopted;
  }
}

/** Whether one of two versions of a task is the later one. Attempts come first, as clocks can be set. */
function isLater(one: TrackedTask, other: TrackedTask): boolean {
  const more = one.attempts.length - other.attempts.length;
  return more > 0 || (more === 0 && (one.checkedMs ?? 0) > (other.checkedMs ?? 0));
}
