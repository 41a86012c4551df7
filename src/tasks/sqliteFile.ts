import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises';
import { OneAtATime } from './oneAtATime';
import { forgetPrepared } from './prepared';
import { StoreError, sqliteCode } from './storeError';
import { inStepwiseTransaction, inTransaction, readStepwise } from './transactions';

/** How long other windows may hold the file before we say so. */
const PATIENCE_MS = 5000;
/** How long SQLite itself may wait: it blocks the extension host meanwhile. */
const BLOCKING_WAIT_MS = 50;

/** How many changes may share a transaction: it blocks the extension host meanwhile. */
const GROUP_SIZE = 200;

/** For at most so many turns of the event loop, and while each brings more, a group waits: a commit takes longer. */
const GATHERING_TURNS = 3;

/** And where none of its changes is in a hurry, for as long as this many milliseconds. */
const UNHURRIED_MS = 10;

/** A change that waits to be written, and who waits for it. */
interface WaitingChange {
  run(db: DatabaseSync): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** Changes that will share a transaction, as each one waits for the disk. */
class Group {
  readonly changes: WaitingChange[] = [];
  readonly #gathered = Promise.withResolvers<void>();
  readonly #timer = setTimeout(() => this.hurry(), UNHURRIED_MS);

  /** Does not wait any longer than for those that come at the same time. */
  hurry(): void {
    clearTimeout(this.#timer);
    this.#gathered.resolve();
  }

  async gathered(): Promise<void> {
    await this.#gathered.promise;
    for (let turn = 0, before = 0; turn < GATHERING_TURNS && this.changes.length > before; turn++) {
      before = this.changes.length;
      await immediate();
    }
  }
}

/** How a database is laid out: one script a version, run in order; SQLite's user_version tells how far it is. */
export type Migrations = readonly string[];

/**
 * A SQLite file that several windows write at once. Opened at first use; what is asked of it is done in turn. A
 * damaged file is set aside under a dated name and a new one begun.
 */
export class SqliteFile {
  readonly #path: string;
  readonly #migrations: Migrations;
  readonly #onSetAside: (path: string) => void;
  readonly #patienceMs: number;
  #db: DatabaseSync | undefined;
  /** Which file was opened under the path: another window may have set it aside since. */
  #inode: bigint | undefined;
  /** Of two changes of the same row, the later one must be the last to be written. */
  readonly #turns = new OneAtATime();
  /** What can still be joined. */
  #group: Group | undefined;

  constructor(
    filePath: string,
    migrations: Migrations,
    onSetAside: (path: string) => void,
    patienceMs: number = PATIENCE_MS,
  ) {
    this.#path = filePath;
    this.#migrations = migrations;
    this.#onSetAside = onSetAside;
    this.#patienceMs = patienceMs;
  }

  /** Reads, all of it from one moment. @throws StoreError */
  read<T>(query: (db: DatabaseSync) => T): Promise<T> {
    // What is asked to be written after this must not be read by it.
    this.#endGroup();
    // In a long row of groups, others have their turn too.
    return this.#inTurn((db) => inTransaction(db, 'BEGIN', query), immediate);
  }

  /**
   * Reads much: `query` yields where others may have their turn, other windows too, and what it reads after that is of a
   * later moment. @throws StoreError
   */
  readInSteps<T>(query: (db: DatabaseSync) => Generator<undefined, T>): Promise<T> {
    this.#endGroup();
    return this.#inTurn((db) => readStepwise(db, query), immediate);
  }

  /**
   * Writes wholly or not at all. What is asked for while others wait for their turn goes to the disk together with
   * them. @throws StoreError
   */
  write<T>(change: (db: DatabaseSync) => T): Promise<T> {
    const written = this.writeSoon(change);
    this.#group?.hurry();
    return written;
  }

  /**
   * Writes much, wholly or not at all: `change` yields where others of this process may have their turn. What was
   * asked for before is written before. @throws StoreError
   */
  writeInSteps<T>(change: (db: DatabaseSync) => Generator<undefined, T>): Promise<T> {
    this.#endGroup();
    return this.#inTurn((db) => inStepwiseTransaction(db, change), immediate);
  }

  /** As `write` does, but first waits a moment for another one to take it along: the disk is what takes the time. */
  writeSoon<T>(change: (db: DatabaseSync) => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    const waiting: WaitingChange = {
      run: (db) => {
        result = change(db);
      },
      resolve: () => resolve(result),
      reject,
    };
    if (this.#group?.changes.length === GROUP_SIZE) this.#endGroup();
    if (this.#group === undefined) {
      this.#group = new Group();
      void this.#writeGroup(this.#group);
    }
    this.#group.changes.push(waiting);
    return promise;
  }

  /** Closes the file once all that was asked for is done; a later call opens it again. */
  close(): Promise<void> {
    this.#endGroup();
    return this.#turns.run(async () => this.#close());
  }

  #close(): void {
    if (this.#db === undefined) return;
    forgetPrepared(this.#db);
    this.#db.close();
    this.#db = undefined;
  }

  async #writeGroup(group: Group): Promise<void> {
    const { changes } = group;
    try {
      const failed = await this.#inTurn(
        (db) => {
          if (this.#group === group) this.#group = undefined;
          return inTransaction(db, 'BEGIN IMMEDIATE', () => runAll(db, changes));
        },
        () => group.gathered(),
      );
      for (const change of changes) {
        const error = failed.get(change);
        error === undefined ? change.resolve() : change.reject(new StoreError(this.#path, error));
      }
    } catch (error) {
      // Where the file could not even be opened, it still takes changes.
      if (this.#group === group) this.#group = undefined;
      for (const { reject } of changes) reject(error);
    }
  }

  /** Lets nothing join the group any more. */
  #endGroup(): void {
    this.#group?.hurry();
    this.#group = undefined;
  }

  #inTurn<T>(use: (db: DatabaseSync) => T | Promise<T>, ready: () => Promise<unknown>): Promise<T> {
    const patienceEnds = performance.now() + this.#patienceMs;
    return this.#turns.run(async () => {
      await ready();
      return this.#patiently(use, patienceEnds);
    });
  }

  async #patiently<T>(use: (db: DatabaseSync) => T | Promise<T>, patienceEnds: number): Promise<T> {
    for (let setAside = false; ; ) {
      try {
        return await use(this.#opened());
      } catch (cause) {
        const error = new StoreError(this.#path, cause);
        if (error.reason === 'damaged' && !setAside) {
          this.#setAside(error);
          setAside = true;
          continue;
        }
        if (error.reason === 'locked') {
          // Before giving up too: each try blocks the extension host, and more may be waiting behind this one.
          await delay(10 + Math.random() * 40);
          if (performance.now() < patienceEnds) continue;
        }
        this.#close();
        throw error;
      }
    }
  }

  #opened(): DatabaseSync {
    // SQLite itself would go on in the file that another window has set aside.
    if (this.#db !== undefined && inodeOf(this.#path) !== this.#inode) this.#close();
    this.#db ??= this.#open();
    return this.#db;
  }

  #open(): DatabaseSync {
    mkdirSync(path.dirname(this.#path), { recursive: true, mode: 0o700 });
    keepToOwner(this.#path);
    const sqlite: typeof import('node:sqlite') = require('node:sqlite');
    const db = new sqlite.DatabaseSync(this.#path);
    try {
      this.#inode = inodeOf(this.#path);
      db.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
      this.#mustNotBeNewer(db);
      // Not WAL: before SQLite 3.51.3 several connections could corrupt it, and older VS Codes carry 3.50.
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
      if (versionOf(db) < this.#migrations.length) inTransaction(db, 'BEGIN IMMEDIATE', () => this.#migrate(db));
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #migrate(db: DatabaseSync): void {
    this.#mustNotBeNewer(db);
    for (const migration of this.#migrations.slice(versionOf(db))) db.exec(migration);
    db.exec(`PRAGMA user_version = ${this.#migrations.length}`);
  }

  #mustNotBeNewer(db: DatabaseSync): void {
    const version = versionOf(db);
    const known = this.#migrations.length;
    if (version > known) {
      throw new Error(`written by a newer version of the extension: layout ${version}, this one knows up to ${known}`);
    }
  }

  #setAside(damage: StoreError): void {
    this.#close();
    // Another window that met the same damage was first, and its new file is good.
    if (inodeOf(this.#path) !== this.#inode) return;
    const aside = `${this.#path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    try {
      // The journal goes first: left behind, it would be played back into the new file.
      if (existsSync(`${this.#path}-journal`)) renameSync(`${this.#path}-journal`, `${aside}-journal`);
      renameSync(this.#path, aside);
    } catch {
      // Where another window has it open, Windows lets nobody rename it.
      throw damage;
    }
    this.#onSetAside(aside);
  }
}

/** Runs each change; one that throws by itself leaves nothing and does not take the others with it. */
function runAll(db: DatabaseSync, changes: readonly WaitingChange[]): Map<WaitingChange, unknown> {
  const failed = new Map<WaitingChange, unknown>();
  for (const change of changes) {
    db.exec('SAVEPOINT change');
    try {
      change.run(db);
    } catch (error) {
      if (sqliteCode(error) !== 0) throw error;
      db.exec('ROLLBACK TO change');
      failed.set(change, error);
    }
    db.exec('RELEASE change');
  }
  return failed;
}

/** Lets only its owner read the file and its folder. SQLite gives the journal the mode of the file. */
function keepToOwner(filePath: string): void {
  const ways: readonly (() => void)[] = [
    () => closeSync(openSync(filePath, 'wx', 0o600)),
    () => chmodSync(path.dirname(filePath), 0o700),
    () => chmodSync(filePath, 0o600),
    () => chmodSync(`${filePath}-journal`, 0o600),
  ];
  for (const way of ways) {
    try {
      way();
    } catch {
      // The file is there, or there is no journal, or the disk knows no modes; what hinders SQLite it says itself.
    }
  }
}

function inodeOf(filePath: string): bigint | undefined {
  return statSync(filePath, { bigint: true, throwIfNoEntry: false })?.ino;
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}
