import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoreError } from './storeError';
import { inStepwiseTransaction } from './transactions';

/** SQLite's own wait for a lock, in milliseconds: it blocks the extension host. */
const BUSY_TIMEOUT_MS = 50;

/** A script, or steps between which other work of this process runs. */
export type Migration = string | ((db: DatabaseSync) => Generator<undefined, void>);

/** The connection to a SQLite file that other windows may replace: opened, migrated and reopened as needed. */
export class SqliteConnection {
  readonly path: string;
  /** One a version, run in order; SQLite's user_version counts those that have run. */
  readonly #migrations: readonly Migration[];
  readonly #onSetAside: (path: string) => void;
  #db: DatabaseSync | undefined;
  #inode: bigint | undefined;

  constructor(filePath: string, migrations: readonly Migration[], onSetAside: (path: string) => void) {
    this.path = filePath;
    this.#migrations = migrations;
    this.#onSetAside = onSetAside;
  }

  /** The open database. Reopened where another window has set the file aside: SQLite would keep writing to the old one. */
  async open(): Promise<DatabaseSync> {
    if (this.#db !== undefined && inodeOf(this.path) !== this.#inode) this.close();
    this.#db ??= await this.#connect();
    return this.#db;
  }

  close(): void {
    if (this.#db === undefined) return;
    // Its statements hold it in memory.
    statements.delete(this.#db);
    this.#db.close();
    this.#db = undefined;
  }

  /** Renames the damaged file so that the next `open` begins a new one. @throws StoreError where it cannot be renamed */
  setAside(damage: StoreError): void {
    this.close();
    // Another window has replaced it already.
    if (inodeOf(this.path) !== this.#inode) return;
    const aside = `${this.path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    try {
      // The journal first: SQLite would play one that is left into the new file.
      if (existsSync(`${this.path}-journal`)) renameSync(`${this.path}-journal`, `${aside}-journal`);
      renameSync(this.path, aside);
    } catch {
      // Windows renames no file that another window has open.
      throw damage;
    }
    this.#onSetAside(aside);
  }

  async #connect(): Promise<DatabaseSync> {
    mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
    restrictToOwner(this.path);
    const sqlite: typeof import('node:sqlite') = require('node:sqlite');
    const db = new sqlite.DatabaseSync(this.path);
    try {
      this.#inode = inodeOf(this.path);
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#assertNotNewer(db);
      // Not WAL: before SQLite 3.51.3 several connections could corrupt it, and older VS Codes carry 3.50.
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
      if (versionOf(db) < this.#migrations.length) await inStepwiseTransaction(db, () => this.#migrate(db));
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  *#migrate(db: DatabaseSync): Generator<undefined, void> {
    // Another window may have migrated it while this one waited for the lock.
    this.#assertNotNewer(db);
    for (const migration of this.#migrations.slice(versionOf(db))) {
      if (typeof migration === 'string') db.exec(migration);
      else yield* migration(db);
    }
    db.exec(`PRAGMA user_version = ${this.#migrations.length}`);
  }

  #assertNotNewer(db: DatabaseSync): void {
    const version = versionOf(db);
    const known = this.#migrations.length;
    if (version > known) {
      throw new Error(`written by a newer version of the extension: layout ${version}, this one knows up to ${known}`);
    }
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
