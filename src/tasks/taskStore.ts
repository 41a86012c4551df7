import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { abandoned } from './abandoned';
import type { OriginOf } from './destination';
import type { Marker } from './marker';
import { prepared } from './prepared';
import type { SqliteFile } from './sqliteFile';
import { columnsOf, readDataset, readRow, TASK_COLUMNS, type TaskRow, taskValues } from './taskRow';
import { isOpen, type NewTask, type Phase, type TrackedTask } from './trackedTask';
import { type EditorWindow, isGone, LEASE_MS, thisWindow } from './windowLife';

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
] as const;

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    'source' | 'taskId' | 'taskIdFrom' | 'importAnswer' | 'phase' | 'attempts' | 'lastAnswer' | 'checkedMs' | 'trouble'
  >
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
  /** Undefined where nothing has changed at all. */
  readonly keys: ReadonlySet<number> | undefined;
}

/**
 * The tracked tasks on disk, shared by all windows. An import belongs to the window that is to send it, until it has
 * ended; what a window leaves behind is taken over by another. Every method may throw StoreError.
 */
export class TaskStore {
  readonly #file: SqliteFile;
  readonly #now: () => number;
  readonly #openImports: Marker;
  readonly #window: EditorWindow;

  /** `openImports` is there as long as there may be imports that have not ended, for who has not opened the store. */
  constructor(file: SqliteFile, now: () => number, openImports: Marker, window: EditorWindow = thisWindow()) {
    this.#file = file;
    this.#now = now;
    this.#openImports = openImports;
    this.#window = window;
  }

  /** Whose a task is once it is written: nobody's where it has ended, this window's where it is to be sent anew. */
  owned<Task extends NewTask>(task: Task): Task {
    return { ...task, owner: isOpen(task.phase) ? (task.owner ?? this.#window.id) : undefined };
  }

  /** Adds tasks in one transaction; those to be sent belong to this window. */
  add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    return this.#file.write((db) => {
      const revision = nextRevision(db);
      if (tasks.some(({ phase }) => isOpen(phase))) this.#giveSignOfLife(db);
      return tasks.map((task) => putTask(db, { key: undefined, ...this.owned(task) }, revision));
    });
  }

  /**
   * Changes a task, and of it nothing else. One that another window has removed stays removed. What has already
   * happened can wait for a moment: what is next to begin takes it along.
   */
  save(key: number, change: TaskChange): Promise<void> {
    return this.#file.writeSoon((db) => {
      const ends = change.phase !== undefined && !isOpen(change.phase);
      updateTasks(db, ends ? { ...change, owner: undefined } : change, 'key = ?', key);
      if (change.phase === undefined || ends) return;
      prepared(db, 'UPDATE tasks SET owner = ? WHERE key = ? AND owner IS NULL').run(this.#window.id, key);
    });
  }

  /**
   * Marks a queued import of this window as being sent: once this resolves, its bytes may leave. False, and nothing is
   * changed, where it is not this window's to send any more.
   */
  begin(key: number): Promise<boolean> {
    return this.#file.write((db) => {
      const isOurs = `key = ? AND owner = ? AND phase = '{"kind":"queued"}'`;
      return updateTasks(db, { phase: { kind: 'sending' } }, isOurs, key, this.#window.id) > 0;
    });
  }

  /**
   * Puts ended imports that may be sent again as they are now back into the queue of this window, for another origin
   * where one is given; gives those.
   */
  requeue(keys: readonly number[], maySend: (phase: Phase) => boolean, origin?: string): Promise<TrackedTask[]> {
    return this.#file.write((db) => {
      this.#giveSignOfLife(db);
      const revision = nextRevision(db);
      return keys.flatMap((key) => {
        const task = find(db, key);
        if (task === undefined || isOpen(task.phase) || !maySend(task.phase)) return [];
        const queued = { ...task, origin: origin ?? task.origin, phase: { kind: 'queued' } } as const;
        return [putTask(db, this.owned(queued), revision)];
      });
    });
  }

  /**
   * Puts tasks of a store that was set aside into this one. Of two windows' memories of a task the one of the window
   * that sends it holds, or else the later one.
   */
  restore(tasks: readonly TrackedTask[]): Promise<void> {
    return this.#file.write((db) => {
      this.#giveSignOfLife(db);
      const revision = nextRevision(db);
      const here = this.#window.id;
      // Other windows are not in this store yet: until they are, each has a lease.
      const mayLive = db.prepare("INSERT OR IGNORE INTO windows VALUES (?, '', 0, ?)");
      for (const task of tasks) {
        const known = find(db, task.key);
        const isOurs = task.owner === here || known?.owner === here;
        const isLater = known === undefined || (task.checkedMs ?? 0) > (known.checkedMs ?? 0);
        if (!isOurs && !isLater) continue;
        putTask(db, task, revision);
        if (task.owner !== undefined) mayLive.run(task.owner, this.#now() + LEASE_MS);
      }
    });
  }

  /** Removes tasks that have ended, as another window may be sending one by now; gives the keys of those that stay. */
  remove(keys: readonly number[]): Promise<number[]> {
    return this.#file.write((db) => {
      nextRevision(db);
      prepared(db, `DELETE FROM tasks WHERE owner IS NULL AND key IN (SELECT value FROM json_each(?))`).run(
        listOf(keys),
      );
      const left = prepared(db, `SELECT key FROM tasks WHERE key IN (SELECT value FROM json_each(?))`);
      return left.all(listOf(keys)).map((row) => Number(row['key']));
    });
  }

  /** Removes imports that this window has just added and is not to send. */
  withdraw(keys: readonly number[]): Promise<void> {
    return this.#file.write((db) => {
      nextRevision(db);
      const withdraw = `DELETE FROM tasks WHERE owner = ? AND key IN (SELECT value FROM json_each(?))`;
      prepared(db, withdraw).run(this.#window.id, listOf(keys));
    });
  }

  /** Keeps what belongs to this window from being taken for a dead one's. */
  renewLease(): Promise<void> {
    return this.#file.write((db) => this.#giveSignOfLife(db));
  }

  /**
   * Takes over what windows that are gone have left: what they were sending is unconfirmed, what they still held in
   * memory not sent, and the rest of their queue, which is given, becomes this window's.
   */
  adoptAbandoned(): Promise<TrackedTask[]> {
    return this.#file.write((db) => {
      const adopted: TrackedTask[] = [];
      for (const owner of goneOwners(db, this.#window, this.#now())) {
        const revision = nextRevision(db);
        for (const row of db.prepare('SELECT * FROM tasks WHERE owner = ? ORDER BY key').all(owner)) {
          const left = abandoned(readRow(row), this.#now());
          const task = putTask(db, this.owned({ ...left, owner: undefined }), revision);
          if (task.phase.kind === 'queued') adopted.push(task);
        }
        db.prepare('DELETE FROM windows WHERE id = ?').run(owner);
      }
      if (adopted.length > 0) this.#giveSignOfLife(db);
      return adopted;
    });
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
      for (const { dataset, origin } of bindings) {
        updateTasks(db, { origin }, 'dataset = ? AND origin IS NULL', dataset);
      }
    });
  }

  /**
   * Sends queued imports of this window to another origin than the one they were for; gives the keys of those that are
   * still waiting here.
   */
  redirect(keys: readonly number[], origin: string): Promise<number[]> {
    return this.#file.write((db) => {
      const isOurs = `key = ? AND owner = ? AND phase = '{"kind":"queued"}'`;
      return keys.filter((key) => updateTasks(db, { origin }, isOurs, key, this.#window.id) > 0);
    });
  }

  /** What has changed since a moment, or all there is. */
  newsSince(moment: Moment | undefined): Promise<StoreNews> {
    return this.#file.read((db) => {
      const { latest, store } = db.prepare('SELECT * FROM revisions').get() as { latest: number; store: string };
      const since = store === moment?.store ? moment.revision : -1;
      const upTo = { store, revision: latest };
      if (latest === since) return { upTo, changed: [], keys: undefined };
      const changed = db.prepare('SELECT * FROM tasks WHERE revision > ?').all(since).map(readRow);
      const keys = db.prepare('SELECT key FROM tasks').all();
      return { upTo, changed, keys: new Set(keys.map((row) => Number(row['key']))) };
    });
  }

  /** Whether there are imports that have not ended, and whether the window of one is gone; without reading them all. */
  openImports(): Promise<'none' | 'owned' | 'abandoned'> {
    return this.#file.read((db) => {
      if (goneOwners(db, this.#window, this.#now()).length > 0) return 'abandoned';
      return hasOpenImports(db) ? 'owned' : 'none';
    });
  }

  /** Takes the marker away where no window has anything left to send. */
  rest(): Promise<void> {
    return this.#file.write((db) => {
      if (hasOpenImports(db)) return;
      this.#openImports.remove();
      db.prepare('DELETE FROM windows').run();
    });
  }

  /** Within a transaction that writes, as the marker is too: so that no window takes away what another one needs. */
  #giveSignOfLife(db: DatabaseSync): void {
    this.#openImports.set();
    const { id, machine, pid } = this.#window;
    db.prepare('INSERT OR REPLACE INTO windows VALUES (?, ?, ?, ?)').run(id, machine, pid, this.#now() + LEASE_MS);
  }
}

/** Keys as SQLite's json_each reads them. */
function listOf(keys: readonly number[]): string {
  return JSON.stringify(keys);
}

/** The windows that are gone and have left something to send. */
function goneOwners(db: DatabaseSync, here: EditorWindow, now: number): string[] {
  const windows = db.prepare('SELECT * FROM windows WHERE id = ?');
  const owners = db.prepare('SELECT DISTINCT owner FROM tasks WHERE owner IS NOT NULL').all();
  return owners
    .map((row) => String(row['owner']))
    .filter((id) => {
      const row = windows.get(id);
      const window = { id, machine: String(row?.['machine']), pid: Number(row?.['pid'] ?? 0) };
      return isGone(window, Number(row?.['alive_until_ms'] ?? 0), here, now);
    });
}

function hasOpenImports(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM tasks WHERE owner IS NOT NULL LIMIT 1').get() !== undefined;
}

const PUT = `INSERT OR REPLACE INTO tasks (key, revision, ${TASK_COLUMNS})
  VALUES (?, ?, ${TASK_COLUMNS.map(() => '?')}) RETURNING *`;

/** Writes a task, a new one where it has no key yet; gives it as it will be read. */
function putTask(
  db: DatabaseSync,
  { key, ...task }: NewTask & { readonly key: number | undefined },
  revision: number,
): TrackedTask {
  return readRow(prepared(db, PUT).get(key ?? null, revision, ...taskValues(task)) as TaskRow);
}

/** Changes these parts, and nothing else, of the tasks that a condition names; gives how many there were. */
function updateTasks(
  db: DatabaseSync,
  parts: TaskChange & Partial<Pick<TrackedTask, 'owner' | 'origin'>>,
  where: string,
  ...values: readonly SQLInputValue[]
): number {
  const columns = columnsOf(parts);
  const changes = ['revision', ...columns.map(([name]) => name)].map((name) => `${name} = ?`);
  const update = prepared(db, `UPDATE tasks SET ${changes} WHERE ${where}`);
  return Number(update.run(nextRevision(db), ...columns.map(([, value]) => value), ...values).changes);
}

/** A counter of its own: the highest revision among the tasks would come again after that task is removed. */
function nextRevision(db: DatabaseSync): number {
  return Number(prepared(db, 'UPDATE revisions SET latest = latest + 1 RETURNING latest').get()?.['latest']);
}

function find(db: DatabaseSync, key: number): TrackedTask | undefined {
  const row: TaskRow | undefined = prepared(db, 'SELECT * FROM tasks WHERE key = ?').get(key);
  return row === undefined ? undefined : readRow(row);
}
