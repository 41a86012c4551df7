import type { DatabaseSync } from 'node:sqlite';
import { abandoned, remembered } from './abandoned';
import type { Clock } from './clock';
import type { OriginOf } from './destination';
import { AMONG, keysOf, Leases, listOf, type OpenImports } from './leases';
import type { Marker } from './marker';
import { prepared } from './prepared';
import type { SqliteFile } from './sqliteFile';
import { readDataset } from './taskRow';
import { changeTask, findTask, nextRevision, putTask, selectTasks } from './taskTable';
import { isOpen, type NewTask, type TrackedTask } from './trackedTask';
import { type EditorWindow, LEASE_MS, thisWindow } from './windowLife';

/**
 * The layout of the store, one script a version. Each store has an id, as a damaged one is set aside and another
 * begun; its keys begin at the time, so that they are higher than those of the stores before it.
 */
export const TASK_MIGRATIONS = [
  `CREATE TABLE tasks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    dataset TEXT NOT NULL,
    source TEXT,
    batch TEXT,
    created_ms INTEGER NOT NULL,
    task_id TEXT,
    task_id_from TEXT,
    import_answer TEXT,
    phase TEXT NOT NULL,
    attempts TEXT NOT NULL,
    last_answer TEXT,
    checked_ms INTEGER,
    trouble TEXT,
    owner TEXT,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_revision ON tasks (revision);
  CREATE INDEX tasks_by_owner ON tasks (owner) WHERE owner IS NOT NULL;
  INSERT INTO sqlite_sequence VALUES ('tasks', CAST(1000 * unixepoch('subsec') AS INTEGER));
  CREATE TABLE windows (
    id TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    alive_until_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE revisions (latest INTEGER NOT NULL, store TEXT NOT NULL) STRICT;
  INSERT INTO revisions VALUES (0, hex(randomblob(16)));`,
  // The sandboxes of old rows are gone: they get an origin that no sandbox has.
  `ALTER TABLE tasks ADD COLUMN origin TEXT;
  UPDATE tasks SET origin = 'http://127.0.0.1:0' WHERE dataset = '"Sandbox"';
  CREATE INDEX tasks_unbound ON tasks (dataset) WHERE origin IS NULL;`,
  `ALTER TABLE windows RENAME COLUMN alive_until_ms TO beat;
  CREATE TABLE cancel_requests (key INTEGER PRIMARY KEY) STRICT;`,
] as const;

/** As many rows are read or written before others of this process have their turn: about 10 ms. */
const STEP_ROWS = 200;

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    | 'origin'
    | 'source'
    | 'taskId'
    | 'taskIdFrom'
    | 'importAnswer'
    | 'phase'
    | 'attempts'
    | 'lastAnswer'
    | 'checkedMs'
    | 'trouble'
  >
>;

/** What is to become of a task as the store has it by then; undefined changes nothing. May be asked again later. */
export type TaskUpdate = (task: TrackedTask) => TaskChange | undefined;

/** A moment in the life of a store. */
export interface Moment {
  /** Which store it was: another one is begun where a damaged one was set aside. */
  readonly store: string;
  readonly revision: number;
  /** When this window had last beaten by then, by the clock's `monotonicMs`: for a lease nobody took what is its own. */
  readonly heldFromMs: number;
}

/** What any window has changed since a moment: the tasks as they are now, and the keys of all there are. */
export interface StoreNews {
  readonly upTo: Moment;
  readonly changed: readonly TrackedTask[];
  /** Undefined where nothing has changed at all. */
  readonly keys: ReadonlySet<number> | undefined;
}

/**
 * The tracked tasks on disk, shared by all windows. An import belongs to the window that is to send it, until it has
 * ended; what a window leaves behind is taken over by another. Every method may throw StoreError.
 */
export class TaskStore {
  readonly #file: SqliteFile;
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #window: EditorWindow;
  readonly #leases: Leases;
  #beatMs = Number.NEGATIVE_INFINITY;

  /** `openImports` is there as long as there may be imports that have not ended, for who has not opened the store. */
  constructor(
    file: SqliteFile,
    clock: Pick<Clock, 'now' | 'monotonicMs'>,
    openImports: Marker,
    window: EditorWindow = thisWindow(),
  ) {
    this.#file = file;
    this.#clock = clock;
    this.#window = window;
    this.#leases = new Leases(window, openImports, clock.monotonicMs);
  }

  /** Whether a task is an import that has not ended, and this window's to send. */
  isOurs({ owner, phase }: NewTask): boolean {
    return owner === this.#window.id && isOpen(phase);
  }

  /** A task as it is after a change: nobody's where it has ended, this window's where it is to be sent anew. */
  changed<Task extends NewTask>(task: Task, change: TaskChange): Task {
    const phase = change.phase ?? task.phase;
    return { ...task, ...change, owner: isOpen(phase) ? (task.owner ?? this.#window.id) : undefined };
  }

  /** Adds all of these tasks or none; those to be sent belong to this window. */
  add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    return this.#file.writeInSteps((db) => this.#add(db, tasks));
  }

  /**
   * Changes a task by what it is in the store; gives it as it is then, or undefined where nothing was changed. What
   * has already happened can wait for a moment: what is next to begin takes it along; that is `urgent`.
   */
  update(key: number, update: TaskUpdate, urgency: 'urgent' | 'soon'): Promise<TrackedTask | undefined> {
    const change = (db: DatabaseSync) => this.#update(db, key, update);
    return urgency === 'urgent' ? this.#file.write(change) : this.#file.writeSoon(change);
  }

  /** Changes many tasks as `update` does one, all of them or none; gives those that were changed. */
  updateAll(updates: Iterable<readonly [key: number, update: TaskUpdate]>): Promise<TrackedTask[]> {
    const all = [...updates];
    return this.#file.writeInSteps((db) => this.#updateAll(db, all));
  }

  /**
   * Puts tasks of a store that was set aside into this one, as this window knows them then; `known` is when it looked
   * there last. What it cannot be certain to own still is given: nothing is sent on the word of memory alone.
   */
  async restore(known: Moment, tasks: () => readonly TrackedTask[]): Promise<TrackedTask[]> {
    const beatMs = this.#clock.monotonicMs();
    const doubted = await this.#file.writeInSteps((db) => this.#restore(db, known, tasks()));
    this.#beatMs = beatMs;
    return doubted;
  }

  /** Removes tasks that have ended, as another window may be sending one by now; gives the keys of those that stay. */
  remove(keys: readonly number[]): Promise<number[]> {
    return this.#file.write((db) => {
      nextRevision(db);
      prepared(db, `DELETE FROM tasks WHERE owner IS NULL AND ${AMONG}`).run(listOf(keys));
      return keysOf(prepared(db, `SELECT key FROM tasks WHERE ${AMONG}`).all(listOf(keys)));
    });
  }

  /** Keeps what belongs to this window from being taken for a dead one's. */
  async renewLease(): Promise<void> {
    const beatMs = this.#clock.monotonicMs();
    await this.#file.write((db) => this.#leases.renew(db));
    this.#beatMs = beatMs;
  }

  /** Asks the windows that are to send these imports to cancel them. */
  requestCancel(keys: readonly number[]): Promise<void> {
    return this.#file.write((db) => this.#leases.requestCancel(db, keys));
  }

  /** The imports of this window that another one wants to be canceled; each is given once. */
  takeCancelRequests(): Promise<number[]> {
    return this.#file.write((db) => this.#leases.takeCancelRequests(db));
  }

  /**
   * Takes over what windows that are gone have left, and gives it: what they were sending is unconfirmed, what they
   * still held in memory not sent, and the rest of their queue becomes this window's.
   */
  adoptAbandoned(): Promise<TrackedTask[]> {
    return this.#file.writeInSteps((db) => this.#adoptAbandoned(db));
  }

  /** Binds rows of old stores, once and for all, to the origin that their dataset has now; others wait for theirs. */
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

  /** What has changed since a moment, or all there is. */
  newsSince(moment: Moment | undefined): Promise<StoreNews> {
    return this.#file.readInSteps((db) => this.#newsSince(db, moment));
  }

  /** What is left to do about imports that have not ended; without reading them all. */
  openImports(): Promise<OpenImports> {
    return this.#file.read((db) => this.#leases.openImports(db));
  }

  /** Takes the marker away where no window has anything left to send. */
  rest(): Promise<void> {
    return this.#file.write((db) => this.#leases.rest(db));
  }

  /** What changes while this reads is of a later revision than it says it knows, and so among the next news too. */
  *#newsSince(db: DatabaseSync, moment: Moment | undefined): Generator<undefined, StoreNews> {
    const { latest, store } = db.prepare('SELECT * FROM revisions').get() as { latest: number; store: string };
    const since = store === moment?.store ? moment.revision : -1;
    const upTo = { store, revision: latest, heldFromMs: this.#beatMs };
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

  *#updateAll(
    db: DatabaseSync,
    updates: readonly (readonly [key: number, update: TaskUpdate])[],
  ): Generator<undefined, TrackedTask[]> {
    const changed: TrackedTask[] = [];
    for (const [index, [key, update]] of updates.entries()) {
      changed.push(...[this.#update(db, key, update)].filter((task) => task !== undefined));
      if (index % STEP_ROWS === STEP_ROWS - 1) yield;
    }
    return changed;
  }

  #update(db: DatabaseSync, key: number, update: TaskUpdate): TrackedTask | undefined {
    const task = findTask(db, key);
    const change = task === undefined || task.phase.kind === 'unreadable' ? undefined : update(task);
    if (task === undefined || change === undefined) return undefined;
    const changed = this.changed(task, change);
    changeTask(db, key, { ...change, owner: changed.owner }, nextRevision(db));
    if (changed.owner !== undefined && task.owner === undefined) {
      this.#leases.renew(db);
      // What was asked for before meant the try before.
      this.#leases.forgetCancelRequest(db, key);
    }
    return changed;
  }

  *#restore(db: DatabaseSync, known: Moment, tasks: readonly TrackedTask[]): Generator<undefined, TrackedTask[]> {
    this.#leases.renew(db);
    const revision = nextRevision(db);
    const isHeld = this.#clock.monotonicMs() - known.heldFromMs < LEASE_MS;
    const doubted: TrackedTask[] = [];
    for (const [index, task] of tasks.entries()) {
      if (index % STEP_ROWS === STEP_ROWS - 1) yield;
      if (task.phase.kind === 'unreadable' || !this.#saysMore(db, task, findTask(db, task.key))) continue;
      const isOurs = task.owner === this.#window.id;
      const restored = isOurs && isHeld ? task : remembered(task, isOurs ? 'here' : 'elsewhere');
      putTask(db, restored, revision);
      if (restored.owner !== undefined) this.#leases.await(db, restored.owner);
      else if (isOurs) doubted.push(restored);
    }
    return doubted;
  }

  /** Whether this window's memory of a task holds, and not what another window has put into this store. */
  #saysMore(db: DatabaseSync, task: TrackedTask, there: TrackedTask | undefined): boolean {
    const here = this.#window.id;
    if (there === undefined || there.owner === here) return true;
    if (there.owner !== undefined && this.#leases.hasBeaten(db, there.owner)) return false;
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
      this.#leases.forget(db, owner);
    }
    if (adopted.some(({ phase }) => isOpen(phase))) this.#leases.renew(db);
    return adopted;
  }
}

/** Whether one of two memories of a task is the later one. Attempts come first, as clocks can be set. */
function isLater(one: TrackedTask, other: TrackedTask): boolean {
  const more = one.attempts.length - other.attempts.length;
  return more > 0 || (more === 0 && (one.checkedMs ?? 0) > (other.checkedMs ?? 0));
}
