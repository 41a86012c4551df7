import type { DatabaseSync } from 'node:sqlite';
import type { OriginOf } from '../destination';
import type { Clock } from '../timing/clock';
import { isOpen, type NewTask, type TrackedTask } from '../trackedTask';
import { abandoned } from './abandoned';
import { AMONG, keysOf, Leases, listOf, type PendingWork } from './leases';
import { prepared } from './prepared';
import type { SqliteFile } from './sqliteFile';
import { readDataset } from './taskRow';
import { changeTask, findTask, nextRevision, putTask, selectTasks } from './taskTable';
import { type EditorWindow, thisWindow } from './windowLease';

/**
 * The layout of the store, one script a version. Each store has an id, as a damaged one is set aside and another begun;
 * its keys begin at the time, so that they are higher than those of the stores before it.
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
  [
    ['"name":"BadAnswerError"', '"name":"BadResponseError"'],
    ['"name":"CancelledError"', '"name":"CanceledError"'],
    ['"name":"HeldBack"', '"name":"CircuitOpen"'],
    ['"how":"recognised"', '"how":"recognized"'],
  ]
    .flatMap(([before, now]) =>
      ['task_id_from', 'phase', 'attempts', 'trouble'].map(
        (column) =>
          `UPDATE tasks SET ${column} = replace(${column}, '${before}', '${now}') WHERE instr(${column}, '${before}');`,
      ),
    )
    .join('\n'),
  `ALTER TABLE tasks RENAME COLUMN import_answer TO import_response;
  ALTER TABLE tasks RENAME COLUMN last_answer TO last_response;
  ALTER TABLE tasks RENAME COLUMN trouble TO last_query_error;`,
] as const;

/** As many rows are written before others of this process have their turn: about 10 ms. */
const STEP_ROWS = 200;

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
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

/** What is to become of a task as the store has it by then; undefined changes nothing. May be asked again later. */
export type TaskUpdate = (task: TrackedTask) => TaskChange | undefined;

export type KeyedUpdate = readonly [key: number, update: TaskUpdate];

/** A moment in the life of a store. */
export interface StoreVersion {
  /** Which store it was: another one is begun where a damaged one was set aside. */
  readonly store: string;
  readonly revision: number;
}

/** What any window has changed since a moment: the tasks as they are now, and the keys of all there are. */
export interface StoreChanges {
  readonly upTo: StoreVersion;
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

  constructor(file: SqliteFile, clock: Pick<Clock, 'now' | 'monotonicMs'>, window: EditorWindow = thisWindow()) {
    this.#file = file;
    this.#clock = clock;
    this.#window = window;
    this.#leases = new Leases(window, clock.monotonicMs);
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

  /** Updates tasks, all of them or none; returns those that were changed. A single update shares its commit with others. */
  async updateAll(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    const [first, ...others] = updates;
    if (first === undefined) return [];
    if (others.length > 0) return this.#file.writeInSteps((db) => this.#updateAll(db, updates));
    return this.#file.write((db) => this.#update(db, ...first));
  }

  /**
   * Puts tasks of a store that was set aside into this one. Of two windows' memories of a task the one of the window
   * that sends it holds, or else the later one.
   */
  restore(tasks: readonly TrackedTask[]): Promise<void> {
    return this.#file.write((db) => {
      this.#leases.renew(db);
      const revision = nextRevision(db);
      const here = this.#window.id;
      // Other windows are not in this store yet: until they are, each may miss its beats for a lease.
      const mayLive = db.prepare("INSERT OR IGNORE INTO windows VALUES (?, '', 0, 0)");
      for (const task of tasks.filter(({ phase }) => phase.kind !== 'unreadable')) {
        const known = findTask(db, task.key);
        const isOurs = task.owner === here || known?.owner === here;
        const isLater = known === undefined || (task.checkedMs ?? 0) > (known.checkedMs ?? 0);
        if (!isOurs && !isLater) continue;
        putTask(db, task, revision);
        if (task.owner !== undefined) mayLive.run(task.owner);
      }
    });
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
  renewLease(): Promise<void> {
    return this.#file.write((db) => this.#leases.renew(db));
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
  changesSince(version: StoreVersion | undefined): Promise<StoreChanges> {
    return this.#file.read((db) => {
      const { latest, store } = db.prepare('SELECT * FROM revisions').get() as { latest: number; store: string };
      const since = store === version?.store ? version.revision : -1;
      const upTo = { store, revision: latest };
      if (latest === since) return { upTo, changed: [], keys: undefined };
      const changed = selectTasks(db, 'revision > ?', since);
      const keys = db.prepare('SELECT key FROM tasks').all();
      return { upTo, changed, keys: new Set(keys.map((row) => Number(row['key']))) };
    });
  }

  /** Whether there is a store yet; reading or writing makes one. */
  get exists(): boolean {
    return this.#file.exists;
  }

  /** What other windows have left to this one; reads no task. */
  pendingWork(): Promise<PendingWork> {
    return this.#file.read((db) => this.#leases.pendingWork(db));
  }

  /** Removes all leases and cancel requests, unless a window still has an import to send. */
  clearUnusedLeases(): Promise<void> {
    return this.#file.write((db) => this.#leases.clearUnused(db));
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
      // What was asked for before meant the try before.
      this.#leases.removeCancelRequest(db, key);
    }
    return [changed];
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
