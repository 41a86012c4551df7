import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from './storeError';

/** How long other windows may hold the file before we say so. */
const PATIENCE_MS = 5000;
/** How long SQLite itself may wait: it blocks the extension host meanwhile. */
const BLOCKING_WAIT_MS = 50;

/** How a database is laid out: one script a version, run in order; SQLite's user_version tells how far it is. */
export type Migrations = readonly string[];

/**
 * A SQLite file that several windows write at once. Opened at first use. A damaged file is set aside under a dated
 * name and a new one begun.
 */
export class SqliteFile {
  readonly #path: string;
  readonly #migrations: Migrations;
  readonly #onSetAside: (path: string) => void;
  #db: DatabaseSync | undefined;

  constructor(filePath: string, migrations: Migrations, onSetAside: (path: string) => void) {
    this.#path = filePath;
    this.#migrations = migrations;
    this.#onSetAside = onSetAside;
  }

  /** Reads. @throws StoreError */
  read<T>(query: (db: DatabaseSync) => T): Promise<T> {
    return this.#patiently(query);
  }

  /** Writes in one transaction: wholly or not at all. @throws StoreError */
  write<T>(change: (db: DatabaseSync) => T): Promise<T> {
    return this.#patiently((db) => inTransaction(db, change));
  }

  /** Closes the file; a later call opens it again. */
  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  async #patiently<T>(use: (db: DatabaseSync) => T): Promise<T> {
    const patienceEnds = performance.now() + PATIENCE_MS;
    for (let setAside = false; ; ) {
      try {
        this.#db ??= this.#open();
        return use(this.#db);
      } catch (cause) {
        const error = new StoreError(this.#path, cause);
        if (error.reason === 'damaged' && !setAside) {
          this.#setAside();
          setAside = true;
        } else if (error.reason === 'locked' && performance.now() < patienceEnds) {
          await delay(10 + Math.random() * 40);
        } else {
          throw error;
        }
      }
    }
  }

  #open(): DatabaseSync {
    mkdirSync(path.dirname(this.#path), { recursive: true });
    const sqlite: typeof import('node:sqlite') = require('node:sqlite');
    const db = new sqlite.DatabaseSync(this.#path);
    try {
      db.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
      // Not WAL: before SQLite 3.51.3 several connections could corrupt it, and older VS Codes carry 3.50.
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
      if (versionOf(db) < this.#migrations.length) inTransaction(db, () => this.#migrate(db));
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #migrate(db: DatabaseSync): void {
    for (const migration of this.#migrations.slice(versionOf(db))) db.exec(migration);
    db.exec(`PRAGMA user_version = ${this.#migrations.length}`);
  }

  #setAside(): void {
    this.close();
    const aside = `${this.#path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(this.#path, aside);
    this.#onSetAside(aside);
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

function inTransaction<T>(db: DatabaseSync, change: (db: DatabaseSync) => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = change(db);
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
