import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OtherSchemaError, type StoreError } from './storeError';

/** SQLite's own wait for a lock, in milliseconds: it blocks the extension host. */
const BUSY_TIMEOUT_MS = 50;

/**
 * A commit must survive a power loss: a lost "sending" mark would upload a file twice. A deleted journal can reappear if its
 * folder wasn't synced, and SQLite would then roll the last commit back. PERSIST syncs the journal's cleared header instead,
 * and is the fastest durable mode. `fullfsync` has an effect only on macOS, where fsync alone doesn't reach the disk.
 * WAL is out: several connections could corrupt it before SQLite 3.51.3, and older VS Codes carry 3.50.
 */
const DURABLE = `PRAGMA journal_mode = PERSIST; PRAGMA journal_size_limit = ${4 * 1024 * 1024};
  PRAGMA synchronous = FULL; PRAGMA fullfsync = 1`;

/** Tells the user that a file was moved to a path, and why. */
export type OnSetAside = (path: string, reason: StoreError['reason']) => void;

/** The connection to a SQLite file that other windows may replace: opened, created and reopened as needed. */
export class SqliteConnection {
  readonly path: string;
  /** The script that makes all tables. */
  readonly #schema: string;
  /** Of that script, as SQLite's user_version: a file of another one cannot be read. */
  readonly #version: number;
  readonly #onSetAside: OnSetAside;
  #wasOpen = false;
  #db: DatabaseSync | undefined;
  #opened = 0;
  #inode: bigint | undefined;

  constructor(filePath: string, schema: string, onSetAside: OnSetAside) {
    this.path = filePath;
    this.#schema = schema;
    this.#version = createHash('sha256').update(schema).digest().readInt32BE();
    this.#onSetAside = onSetAside;
  }

  /** How many times the file was opened. */
  get opened(): number {
    return this.#opened;
  }

  /** The open database. Reopened where another window has set the file aside: SQLite would keep writing to the old one. */
  open(): DatabaseSync {
    if (this.#db !== undefined && inodeOf(this.path) !== this.#inode) this.close();
    this.#db ??= this.#connect();
    this.#wasOpen = true;
    return this.#db;
  }

  close(): void {
    if (this.#db === undefined) return;
    // Its statements hold it in memory.
    statements.delete(this.#db);
    this.#db.close();
    this.#db = undefined;
  }

  /** Renames a file that cannot be read, so that the next `open` begins a new one. @throws StoreError where it stays */
  setAside(error: StoreError): void {
    this.close();
    // Another version of the extension has begun anew in another window: it would set ours aside in turn.
    if (error.reason === 'otherSchema' && this.#wasOpen) throw error;
    // Another window has replaced it already.
    if (inodeOf(this.path) !== this.#inode) return;
    const aside = `${this.path}.${error.reason === 'damaged' ? 'damaged' : 'other-version'}-${new Date().toISOString().replaceAll(':', '-')}`;
    try {
      // The journal first: SQLite would play one that is left into the new file.
      if (existsSync(`${this.path}-journal`)) renameSync(`${this.path}-journal`, `${aside}-journal`);
      renameSync(this.path, aside);
    } catch {
      // Windows renames no file that another window has open.
      throw error;
    }
    this.#onSetAside(aside, error.reason);
  }

  #connect(): DatabaseSync {
    mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
    restrictToOwner(this.path);
    const sqlite: typeof import('node:sqlite') = require('node:sqlite');
    const db = new sqlite.DatabaseSync(this.path);
    try {
      this.#inode = inodeOf(this.path);
      this.#opened++;
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      // Of a new file only, as it would write into any other: what is removed can be given back part by part.
      if (db.prepare('PRAGMA page_count').get()?.['page_count'] === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec(DURABLE);
      if (versionOf(db) !== this.#version) inTransaction(db, 'BEGIN IMMEDIATE', () => this.#create(db));
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #create(db: DatabaseSync): void {
    const version = versionOf(db);
    // Another window may have created it while this one waited for the lock.
    if (version === this.#version) return;
    if (version !== 0 || db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) throw new OtherSchemaError();
    db.exec(`${this.#schema}; PRAGMA user_version = ${this.#version}`);
  }
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A statement, compiled once for each connection: compiling it takes ten times as long as running it. */
export function prepared(db: DatabaseSync, sql: string): StatementSync {
  const ofConnection = statements.get(db) ?? new Map<string, StatementSync>();
  statements.set(db, ofConnection);
  const statement = ofConnection.get(sql) ?? db.prepare(sql);
  ofConnection.set(sql, statement);
  return statement;
}

/** Restricts the file and its folder to their owner. SQLite gives the journal the mode of the file. */
function restrictToOwner(filePath: string): void {
  const steps: readonly (() => void)[] = [
    () => closeSync(openSync(filePath, 'wx', 0o600)),
    () => chmodSync(path.dirname(filePath), 0o700),
    () => chmodSync(filePath, 0o600),
    () => chmodSync(`${filePath}-journal`, 0o600),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // The file exists, or there is no journal, or the file system has no modes. SQLite reports what matters.
    }
  }
}

function inodeOf(filePath: string): bigint | undefined {
  return statSync(filePath, { bigint: true, throwIfNoEntry: false })?.ino;
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Runs `use` in a transaction, which is rolled back where it throws. */
export function inTransaction<T>(
  db: DatabaseSync,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  use: (db: DatabaseSync) => T,
): T {
  db.exec(begin);
  try {
    const result = use(db);
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
