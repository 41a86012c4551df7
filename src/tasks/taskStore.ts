import type { DatabaseSync } from 'node:sqlite';
import type { SqliteFile } from './sqliteFile';
import { leaseOf, readRow, type TaskRow, taskRow } from './taskRow';
import type { NewTask, TrackedTask } from './trackedTask';

/**
 * The layout of the store, one script a version. Each store has an id, as a damaged one is set aside and another
 * begun; its keys begin at the time, so that they are higher than those of the stores before it.
 */
export const TASK_MIGRATIONS = [
  `CREATE TABLE tasks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    dataset TEXT NOT NULL,
    source TEXT,
    created_ms INTEGER NOT NULL,
    task_id TEXT,
    task_id_from TEXT,
    import_answer TEXT,
    phase TEXT NOT NULL,
    last_answer TEXT,
    checked_ms INTEGER,
    trouble TEXT,
    leased_until_ms INTEGER,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_revision ON tasks (revision);
  INSERT INTO sqlite_sequence VALUES ('tasks', CAST(1000 * unixepoch('subsec') AS INTEGER));
  CREATE TABLE revisions (latest INTEGER NOT NULL, store TEXT NOT NULL) STRICT;
  INSERT INTO revisions VALUES (0, hex(randomblob(16)));`,
] as const;

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<TrackedTask, 'taskId' | 'taskIdFrom' | 'importAnswer' | 'phase' | 'lastAnswer' | 'checkedMs' | 'trouble'>
>;

/** A moment in the life of a store. */
export interface Moment {
  /** Which store it was: another one is begun where a damaged one was set aside. */
  readonly store: string;
  readonly revision: number;
}

/** What any window has changed since a moment: the tasks as they are now, and the keys of all there are. */
export interface StoreNews {
  readonly upTo: Moment;
  readonly changed: readonly TrackedTask[];
  readonly keys: ReadonlySet<number>;
}

/** How long a window's claim on a sending task lasts unless it is renewed. */
export const LEASE_MS = 30_000;

/**
 * The tracked tasks on disk, shared by all windows. A task that is being sent is leased to the window that sends it,
 * which tells a dead window from a live one. Every method may throw StoreError.
 */
export class TaskStore {
  readonly #file: SqliteFile;
  readonly #now: () => number;

  constructor(file: SqliteFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Adds tasks in one transaction; those being sent are leased to this window. */
  add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    return this.#file.write((db) => {
      const revision = nextRevision(db);
      return tasks.map((task) => this.#put(db, { key: undefined, ...task }, this.#lease(task), revision));
    });
  }

  /** Changes a task, and of it nothing else. One that another window has removed stays removed. */
  save(key: number, change: TaskChange): Promise<void> {
    return this.#file.write((db) => {
      const row = find(db, key);
      if (row === undefined) return;
      const task = { ...readRow(row, this.#now()), ...change };
      this.#put(db, task, task.phase.kind === 'sending' ? leaseOf(row) : null, nextRevision(db));
    });
  }

  /** Puts tasks of a store that was set aside into this one. Of two windows' memories the later one holds. */
  restore(tasks: readonly TrackedTask[]): Promise<void> {
    return this.#file.write((db) => {
      const revision = nextRevision(db);
      for (const task of tasks) {
        const row = find(db, task.key);
        const known = row === undefined ? undefined : readRow(row, this.#now());
        if (known === undefined || (task.checkedMs ?? 0) > (known.checkedMs ?? 0)) {
          this.#put(db, task, this.#lease(task), revision);
        }
      }
    });
  }

  /** Removes tasks. */
  remove(keys: readonly number[]): Promise<void> {
    return this.#file.write((db) => {
      const remove = db.prepare('DELETE FROM tasks WHERE key = ?');
      for (const key of keys) remove.run(key);
    });
  }

  /** Keeps tasks that this window is sending from being taken for those of a dead one. */
  renewLeases(keys: Iterable<number>): Promise<void> {
    return this.#file.write((db) => {
      // With a revision, as other windows may have taken them for abandoned while this one slept.
      const renew = db.prepare(
        'UPDATE tasks SET leased_until_ms = ?, revision = ? WHERE key = ? AND leased_until_ms IS NOT NULL',
      );
      const revision = nextRevision(db);
      for (const key of keys) renew.run(this.#now() + LEASE_MS, revision, key);
    });
  }

  /** What has changed since a moment, or all there is. Tasks of a dead window come as unconfirmed. */
  newsSince(moment: Moment | undefined): Promise<StoreNews> {
    return this.#file.read((db) => {
      const { latest, store } = db.prepare('SELECT * FROM revisions').get() as { latest: number; store: string };
      const since = store === moment?.store ? moment.revision : 0;
      const now = this.#now();
      const rows = db.prepare('SELECT * FROM tasks WHERE revision > ? OR leased_until_ms <= ?').all(since, now);
      const keys = db.prepare('SELECT key FROM tasks').all();
      return {
        upTo: { store, revision: latest },
        changed: rows.map((row) => readRow(row, now)),
        keys: new Set(keys.map((row) => Number(row['key']))),
      };
    });
  }

  #lease({ phase }: NewTask): number | null {
    return phase.kind === 'sending' ? this.#now() + LEASE_MS : null;
  }

  /** Writes a task, a new one where it has no key yet; gives it as it will be read. */
  #put(
    db: DatabaseSync,
    task: NewTask & { readonly key: number | undefined },
    leasedUntilMs: number | null,
    revision: number,
  ): TrackedTask {
    const put = db.prepare('INSERT OR REPLACE INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *');
    return readRow(put.get(...taskRow(task, leasedUntilMs, revision)) as TaskRow, this.#now());
  }
}

/** A counter of its own: the highest revision among the tasks would come again after that task is removed. */
function nextRevision(db: DatabaseSync): number {
  return Number(db.prepare('UPDATE revisions SET latest = latest + 1 RETURNING latest').get()?.['latest']);
}

function find(db: DatabaseSync, key: number): TaskRow | undefined {
  return db.prepare('SELECT * FROM tasks WHERE key = ?').get(key);
}
