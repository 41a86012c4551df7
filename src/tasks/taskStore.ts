import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { TaskId } from '../service/taskId';
import type { SqliteFile } from './sqliteFile';
import type { Phase, Source, TrackedTask, Trouble } from './trackedTask';

/** The layout of the store, one script a version. */
export const TASK_MIGRATIONS = [
  `CREATE TABLE tasks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    dataset TEXT NOT NULL,
    source TEXT,
    created_ms INTEGER NOT NULL,
    task_id TEXT,
    phase TEXT NOT NULL,
    last_answer TEXT,
    checked_ms INTEGER,
    trouble TEXT,
    owner TEXT,
    owned_until_ms INTEGER,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_revision ON tasks (revision);
  CREATE TABLE revisions (latest INTEGER NOT NULL) STRICT;
  INSERT INTO revisions VALUES (0);`,
] as const;

/** What a new task is made of; the store adds the key. */
export type NewTask = Omit<TrackedTask, 'key'>;

/** What can change in a task. */
export type TaskChange = Partial<Pick<TrackedTask, 'taskId' | 'phase' | 'lastAnswer' | 'checkedMs' | 'trouble'>>;

/** What any window has changed since a revision: the tasks as they are now, and the keys of all there are. */
export interface StoreNews {
  readonly revision: number;
  readonly changed: readonly TrackedTask[];
  readonly keys: ReadonlySet<number>;
}

/** How long a window's claim on a sending task lasts unless it is renewed. */
export const LEASE_MS = 30_000;

/**
 * The tracked tasks on disk, shared by all windows. A task that is being sent belongs to the window that sends it:
 * its lease tells a dead window from a live one. Every method may throw StoreError.
 */
export class TaskStore {
  readonly #file: SqliteFile;
  readonly #owner: string;
  readonly #now: () => number;

  /** `owner` names this window, unlike any other's name. */
  constructor(file: SqliteFile, owner: string, now: () => number) {
    this.#file = file;
    this.#owner = owner;
    this.#now = now;
  }

  /** Adds tasks in one transaction; those being sent are leased to this window. */
  add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    return this.#file.write((db) => {
      const revision = nextRevision(db);
      const insert = db.prepare(
        `INSERT INTO tasks (dataset, source, created_ms, task_id, phase, last_answer, checked_ms, trouble, owner, owned_until_ms, revision)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      return tasks.map((task) => {
        const { lastInsertRowid } = insert.run(
          task.dataset,
          toText(task.source),
          task.createdMs,
          task.taskId ?? null,
          JSON.stringify(task.phase),
          task.lastAnswer ?? null,
          task.checkedMs ?? null,
          toText(task.trouble),
          this.#owner,
          this.#now() + LEASE_MS,
          revision,
        );
        return { ...task, key: Number(lastInsertRowid) };
      });
    });
  }

  /** Writes a task as it is now. One that another window has removed stays removed. */
  save(task: TrackedTask): Promise<void> {
    return this.#file.write((db) => {
      db.prepare(
        `UPDATE tasks SET task_id = ?, phase = ?, last_answer = ?, checked_ms = ?, trouble = ?, revision = ? WHERE key = ?`,
      ).run(
        task.taskId ?? null,
        JSON.stringify(task.phase),
        task.lastAnswer ?? null,
        task.checkedMs ?? null,
        toText(task.trouble),
        nextRevision(db),
        task.key,
      );
    });
  }

  /** Removes tasks. */
  remove(keys: readonly number[]): Promise<void> {
    return this.#file.write((db) => {
      const remove = db.prepare('DELETE FROM tasks WHERE key = ?');
      for (const key of keys) remove.run(key);
    });
  }

  /** Keeps the tasks that this window is sending from being taken for those of a dead one. */
  renewLeases(): Promise<void> {
    return this.#file.write((db) => {
      db.prepare(`UPDATE tasks SET owned_until_ms = ? WHERE owner = ? AND phase ->> 'kind' = 'sending'`).run(
        this.#now() + LEASE_MS,
        this.#owner,
      );
    });
  }

  /** What has changed since a revision; 0 gives everything. Tasks of a dead window come as unconfirmed. */
  newsSince(revision: number): Promise<StoreNews> {
    return this.#file.read((db) => {
      const now = this.#now();
      const latest = Number(db.prepare('SELECT latest FROM revisions').get()?.['latest']);
      // A store that was begun anew counts from 0 again.
      const since = latest < revision ? 0 : revision;
      const rows = db
        .prepare(`SELECT * FROM tasks WHERE revision > ? OR (phase ->> 'kind' = 'sending' AND owned_until_ms <= ?)`)
        .all(since, now);
      const keys = db.prepare('SELECT key FROM tasks').all();
      return {
        revision: latest,
        changed: rows.map((row) => toTask(row, now)),
        keys: new Set(keys.map((row) => Number(row['key']))),
      };
    });
  }
}

/** A counter of its own: the highest revision among the tasks would come again after that task is removed. */
function nextRevision(db: DatabaseSync): number {
  return Number(db.prepare('UPDATE revisions SET latest = latest + 1 RETURNING latest').get()?.['latest']);
}

type Row = Record<string, SQLOutputValue>;

function toTask(row: Row, now: number): TrackedTask {
  const phase: Phase = JSON.parse(String(row['phase']));
  const abandoned = phase.kind === 'sending' && Number(row['owned_until_ms']) <= now;
  const source = fromText<Source>(row['source']);
  return {
    key: Number(row['key']),
    dataset: String(row['dataset']),
    source,
    createdMs: Number(row['created_ms']),
    taskId: (row['task_id'] ?? undefined) as TaskId | undefined,
    phase: abandoned ? abandonedPhase : phase,
    lastAnswer: row['last_answer'] === null ? undefined : String(row['last_answer']),
    checkedMs: row['checked_ms'] === null ? undefined : Number(row['checked_ms']),
    trouble: fromText<Trouble>(row['trouble']),
  };
}

/** How much had left is not known: the window that knew it is gone. */
const abandonedPhase: Phase = {
  kind: 'unconfirmed',
  failure: { name: 'WindowClosed', detail: '' },
  sentBytes: 0,
  totalBytes: 0,
};

function toText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function fromText<T>(value: SQLOutputValue | undefined): T | undefined {
  return typeof value === 'string' ? (JSON.parse(value) as T) : undefined;
}
