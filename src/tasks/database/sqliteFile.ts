import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises';
import { SerialQueue } from '../timing/serialQueue';
import { inTransaction, type OnSetAside, prepared, SqliteConnection } from './sqliteConnection';
import { StoreError, sqliteCode, untilUnlocked } from './storeError';

/** How long one attempt waits for a lock. Counted from its turn: the operations before it may take longer than this. */
const LOCK_TIMEOUT_MS = 5000;

/** The same for an attempt to read: the user is told about a lock after a second. */
const READ_LOCK_TIMEOUT_MS = 1000;

/** Max changes in one commit: other windows cannot write meanwhile. */
const MAX_GROUP_SIZE = 200;

/** A change that waits for its commit. */
interface PendingChange {
  /** Makes the change; the function that it returns is called once it is committed. */
  run(db: DatabaseSync): () => void;
  reject(error: unknown): void;
}

/**
 * A SQLite file that several windows write at once. Reads and writes run one after another, in the order of the calls. They
 * wait for a lock until it is released; the methods that start with `try` reject with the reason `locked` instead. Every
 * method rejects with StoreError.
 */
export class SqliteFile {
  readonly #connection: SqliteConnection;
  readonly #lockTimeoutMs: number;
  readonly #turns = new SerialQueue();
  /** The changes of the next commit, while more can join it. */
  #group: PendingChange[] | undefined;

  constructor(filePath: string, schema: string, onSetAside: OnSetAside, lockTimeoutMs: number = LOCK_TIMEOUT_MS) {
    this.#connection = new SqliteConnection(filePath, schema, onSetAside);
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  /** Whether the file is there already, opened or not. */
  get exists(): boolean {
    return existsSync(this.#connection.path);
  }

  /** Runs queries on one snapshot, which has every change asked for before and none asked for after. */
  read<T>(query: (db: DatabaseSync) => T): Promise<T> {
    return untilUnlocked(() => this.tryRead(query));
  }

  tryRead<T>(query: (db: DatabaseSync) => T): Promise<T> {
    return this.#query((db) => inTransaction(db, 'BEGIN', query));
  }

  /** Runs a large query whose statements each see a snapshot of their own: other windows may write between them. */
  scan<T>(query: (db: DatabaseSync) => T): Promise<T> {
    return untilUnlocked(() => this.#query(query));
  }

  /**
   * Differs from what it was before if another connection has committed, or the file was opened again. Rejects with `locked`
   * if a lock stays.
   */
  version(): Promise<string> {
    return this.#query((db) => {
      const { data_version: version } = prepared(db, 'PRAGMA data_version').get() ?? {};
      return `${this.#connection.opened} ${version}`;
    });
  }

  /**
   * Makes a change as a whole or not at all. Group commit: changes asked for until the commit begins share it, as
   * waiting for the disk takes longer than anything else.
   */
  write<T>(change: (db: DatabaseSync) => T): Promise<T> {
    return untilUnlocked(() => this.tryWrite(change));
  }

  tryWrite<T>(change: (db: DatabaseSync) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = (db: DatabaseSync) => {
        const result = change(db);
        return () => resolve(result);
      };
      if (this.#group === undefined || this.#group.length === MAX_GROUP_SIZE) {
        this.#group = [];
        void this.#commit(this.#group);
      }
      this.#group.push({ run, reject });
    });
  }

  /** Closes the file once what was asked for is done; a later call opens it again. */
  close(): Promise<void> {
    this.#group = undefined;
    return this.#turns.run(async () => this.#connection.close());
  }

  #query<T>(query: (db: DatabaseSync) => T): Promise<T> {
    this.#group = undefined;
    return this.#inTurn(query, Math.min(this.#lockTimeoutMs, READ_LOCK_TIMEOUT_MS));
  }

  async #commit(group: readonly PendingChange[]): Promise<void> {
    const endGroup = () => {
      if (this.#group === group) this.#group = undefined;
    };
    const commit = (db: DatabaseSync) =>
      inTransaction(db, 'BEGIN IMMEDIATE', () => group.map((change) => this.#runAlone(db, change)));
    try {
      for (const settle of await this.#inTurn(commit, this.#lockTimeoutMs, endGroup)) settle();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Runs one change of a group. Where it throws, it is undone and rejected, and the rest of the group goes on. */
  #runAlone(db: DatabaseSync, { run, reject }: PendingChange): () => void {
    db.exec('SAVEPOINT change');
    try {
      const settle = run(db);
      db.exec('RELEASE change');
      return settle;
    } catch (error) {
      if (sqliteCode(error) !== 0) throw error;
      db.exec('ROLLBACK TO change; RELEASE change');
      return () => reject(new StoreError(this.#connection.path, error));
    }
  }

  #inTurn<T>(use: (db: DatabaseSync) => T | Promise<T>, lockTimeoutMs: number, onTurn = () => {}): Promise<T> {
    return this.#turns.run(async () => {
      // Responses that came in during the last commit are read in one turn of the event loop and ask for their changes
      // by the next: waiting for both saves a third of the commits.
      await immediate();
      await immediate();
      onTurn();
      const deadlineMs = performance.now() + lockTimeoutMs;
      try {
        return await this.#whenUnlocked(use, deadlineMs);
      } catch (error) {
        if (!(error instanceof StoreError) || !['damaged', 'otherSchema'].includes(error.reason)) throw error;
        this.#connection.setAside(error);
        return this.#whenUnlocked(use, deadlineMs);
      }
    });
  }

  /** @throws StoreError */
  async #whenUnlocked<T>(use: (db: DatabaseSync) => T | Promise<T>, deadlineMs: number): Promise<T> {
    for (;;) {
      try {
        return await use(this.#connection.open());
      } catch (cause) {
        const error = new StoreError(this.#connection.path, cause);
        // Each try blocks the event loop: other work runs before the next one, and before the error is reported.
        if (error.reason === 'locked') await delay(10 + Math.random() * 40);
        if (error.reason === 'locked' && performance.now() < deadlineMs) continue;
        this.#connection.close();
        throw error;
      }
    }
  }
}
