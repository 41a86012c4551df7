import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { WindowRow } from './leases';
import { reasonOf } from './rows';
import { APPLICATION_ID } from './schema';
import { faultOf, StoreFault } from './storeFault';
import { prepared, type ThreadState } from './tx';

/** How long SQLite waits for a lock that another window holds. */
export const LOCK_TIMEOUT_MS = 5000;

export interface ConnectionSetup {
  readonly path: string;
  readonly migrations: readonly string[];
  readonly lockTimeoutMs: number;
  /** Called after an unusable database file has been renamed. `aside` is its new path. */
  onSetAside(aside: string, reason: 'damaged' | 'foreign'): void;
}

/**
 * The connection to the database file. Nothing else in this process may open or close the file, because on POSIX
 * systems, closing any descriptor of a file drops all locks that the process holds on it.
 */
export class Connection {
  #db: DatabaseSync | undefined;
  /** The inode of the open file. */
  #inode: bigint | undefined;

  constructor(
    private readonly setup: ConnectionSetup,
    private readonly thread: ThreadState,
  ) {}

  /**
   * Begins a transaction. Another window may have set the open file aside or migrated it, so every transaction checks that
   * the file is still in place and has our version of the tables. @throws StoreFault
   */
  begin(writes: boolean): DatabaseSync {
    for (let tries = 0; ; tries++) {
      this.#db ??= this.#connect();
      this.#db.exec(writes ? 'BEGIN IMMEDIATE' : 'BEGIN');
      if (versionOf(this.#db) === this.thread.schema && inodeOf(this.setup.path) === this.#inode) return this.#db;
      this.close();
      if (tries === 3) throw new StoreFault('unusable', 'The task database is replaced again and again.');
    }
  }

  /** Closes the connection. This rolls back an open transaction. */
  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  /**
   * Call this after a failed transaction. Closes the connection, and sets the file aside if it is damaged or isn't a
   * task database. Returns the fault to report.
   */
  recover(fault: StoreFault): StoreFault {
    try {
      this.close();
      if (fault.reason === 'damaged' || fault.reason === 'foreign') this.#setAside(fault.reason);
      return fault;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** @throws StoreFault */
  #connect(): DatabaseSync {
    mkdirSync(path.dirname(this.setup.path), { recursive: true, mode: 0o700 });
    restrictToOwner(this.setup.path);
    const isReplaced = this.#inode !== undefined || existsSync(`${this.setup.path}.lock`);
    const db = openDatabase(this.setup.path);
    try {
      this.#inode = inodeOf(this.setup.path);
      db.exec(`PRAGMA busy_timeout = ${this.setup.lockTimeoutMs}; ${DURABLE}`);
      db.function('reason_of', { deterministic: true, varargs: true }, reasonOf as (...values: unknown[]) => string);
      if (versionOf(db) !== this.thread.schema) this.#migrate(db, isReplaced);
      return db;
    } catch (error) {
      db.close();
      throw faultOf(error);
    }
  }

  /** Creates the tables, or migrates older tables once the windows that use them have closed. */
  #migrate(db: DatabaseSync, isReplaced: boolean): void {
    db.exec('BEGIN IMMEDIATE');
    const { schema } = this.thread;
    const version = versionOf(db);
    const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (!isEmpty && db.prepare('PRAGMA application_id').get()?.['application_id'] !== APPLICATION_ID)
      throw new StoreFault('foreign', 'The file has tables of another program or an unreleased version.');
    if (version > schema) throw new StoreFault('newer', 'A newer version of the extension made the file.');
    if (version > 0 && this.#waitsForOlder(db)) {
      db.exec('COMMIT');
      throw new StoreFault('older', 'A window with an older version of the extension is still open.');
    }
    for (const script of this.setup.migrations.slice(version)) db.exec(script);
    if (isEmpty && isReplaced) db.prepare(START_IDS).run(this.thread.clock.now());
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${schema}; COMMIT`);
  }

  /**
   * Whether any windows running an older version are open. Adds this window to the `windows` table so that they know it
   * is waiting.
   */
  #waitsForOlder(db: DatabaseSync): boolean {
    const { window, schema, watch } = this.thread;
    db.prepare(RENEW).run(window.id, window.machine, window.pid, schema);
    const windows = db.prepare('SELECT * FROM windows').all() as unknown as WindowRow[];
    const closed = watch.closedAmong(windows);
    return windows.some((other) => other.schema < schema && !closed.includes(other.id));
  }

  /** Renames the file, so that the next connection creates a new one. @throws StoreFault if it can't be renamed */
  #setAside(reason: 'damaged' | 'foreign'): void {
    const { path: file, lockTimeoutMs, onSetAside } = this.setup;
    const time = new Date(this.thread.clock.now()).toISOString().replaceAll(':', '-');
    const aside = `${file}.${reason}-${time}`;
    // Two windows may find the same damage. The second window must not rename the new file that the first window created.
    const lock = openDatabase(`${file}.lock`);
    try {
      lock.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}; BEGIN EXCLUSIVE`);
      if (inodeOf(file) !== this.#inode) return;
      // Rename the journal first, or SQLite would apply it to the new file.
      if (existsSync(`${file}-journal`)) renameSync(`${file}-journal`, `${aside}-journal`);
      renameSync(file, aside);
    } catch (error) {
      if (faultOf(error).reason === 'locked') throw error;
      throw new StoreFault(reason, `${file} can't be used, and can't be renamed.`, { cause: error });
    } finally {
      lock.close();
    }
    onSetAside(aside, reason);
  }
}

/**
 * Don't use WAL, because SQLite versions before 3.51.3 can corrupt the file, and older VS Code versions ship SQLite
 * 3.50. Don't use DELETE with FULL, because the deleted journal can reappear after a power loss and roll back a commit.
 */
const DURABLE = 'PRAGMA journal_mode = PERSIST; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON';

export const RENEW = `INSERT INTO windows (id, machine, pid, beat, schema) VALUES (?, ?, ?, 1, ?)
  ON CONFLICT (id) DO UPDATE SET beat = beat + 1 RETURNING beat`;

/**
 * Sets the first IDs in a database file that replaces another one. Windows may still hold IDs from the old file. If new
 * rows reused those IDs, a file could be sent to the wrong dataset.
 */
const START_IDS = `INSERT INTO sqlite_sequence (name, seq)
  SELECT name, CAST(? AS INTEGER) FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'`;

function openDatabase(file: string): DatabaseSync {
  const sqlite: typeof import('node:sqlite') = require('node:sqlite');
  return new sqlite.DatabaseSync(file);
}

function versionOf(db: DatabaseSync): number {
  return Number(prepared(db, 'PRAGMA user_version').statement.get()?.['user_version']);
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Lets only the owner read the file. SQLite gives the journal the same mode. */
function restrictToOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // Either the file already exists, or SQLite will report what is wrong.
  }
  try {
    chmodSync(path.dirname(file), 0o700);
    chmodSync(file, 0o600);
  } catch {
    // The file system doesn't support file modes.
  }
}
