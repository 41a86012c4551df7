import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { AMONG, keysOf, listOf } from '../rows/taskTable';
import { type EditorWindow, type LeaseHolder, LeaseWatch } from './windowLease';

/** What a window finds to do in the store about imports that are not its own, or that another window wants canceled. */
export interface PendingWork {
  /** A window that is gone has left imports. */
  readonly hasAbandoned: boolean;
  /** Another window has asked this one to cancel some. */
  readonly hasCancelRequests: boolean;
}

/**
 * The tables `windows` (a lease for each window that has imports to send) and `cancel_requests` (what one window asks of
 * another). Every method runs inside a transaction.
 */
export class Leases {
  readonly #window: EditorWindow;
  readonly #watch: LeaseWatch;

  constructor(window: EditorWindow, monotonicMs: () => number) {
    this.#window = window;
    this.#watch = new LeaseWatch(window, monotonicMs);
  }

  /** Renews this window's lease. */
  renew(db: DatabaseSync): void {
    const { id, machine, pid } = this.#window;
    prepared(db, RENEW).run(id, machine, pid);
  }

  /** Gives a window a lease that it has not taken yet in this store, so that it is not taken for gone. */
  grant(db: DatabaseSync, windowId: string): void {
    prepared(db, "INSERT OR IGNORE INTO windows VALUES (?, '', 0, 0)").run(windowId);
  }

  /** The other windows whose lease has run out and that own imports. */
  goneOwners(db: DatabaseSync): string[] {
    const owners = prepared(db, 'SELECT DISTINCT owner FROM tasks WHERE owner IS NOT NULL').all();
    const others = owners.map((row) => String(row['owner'])).filter((id) => id !== this.#window.id);
    const windows = prepared(db, `SELECT * FROM windows WHERE id IN (SELECT value FROM json_each(?))`);
    const known = windows.all(JSON.stringify(others)) as unknown as LeaseHolder[];
    const gone = this.#watch.goneAmong(known);
    return others.filter((other) => gone.includes(other) || !known.some(({ id }) => id === other));
  }

  /** Whether a window has taken its lease in this store, and not only been granted one. */
  hasLease(db: DatabaseSync, windowId: string): boolean {
    return prepared(db, 'SELECT 1 FROM windows WHERE id = ? AND beat > 0').get(windowId) !== undefined;
  }

  /** Removes the lease of a window whose imports were taken over. */
  remove(db: DatabaseSync, windowId: string): void {
    prepared(db, 'DELETE FROM windows WHERE id = ?').run(windowId);
  }

  pendingWork(db: DatabaseSync): PendingWork {
    const request = prepared(db, `SELECT 1 FROM cancel_requests WHERE ${OURS} LIMIT 1`).get(this.#window.id);
    return { hasAbandoned: this.goneOwners(db).length > 0, hasCancelRequests: request !== undefined };
  }

  /** Removes all leases and cancel requests, unless a window still has an import to send. */
  clearUnused(db: DatabaseSync): void {
    if (prepared(db, 'SELECT 1 FROM tasks WHERE owner IS NOT NULL LIMIT 1').get() !== undefined) return;
    db.exec('DELETE FROM windows; DELETE FROM cancel_requests');
  }

  /** Asks the owners of these imports to cancel them. */
  requestCancel(db: DatabaseSync, keys: readonly number[]): void {
    const request = `INSERT OR IGNORE INTO cancel_requests SELECT key FROM tasks WHERE owner IS NOT NULL AND ${AMONG}`;
    prepared(db, request).run(listOf(keys));
  }

  /** The imports of this window that another one wants to be canceled; each is returned once. */
  takeCancelRequests(db: DatabaseSync): number[] {
    const take = prepared(db, `DELETE FROM cancel_requests WHERE ${OURS} RETURNING key`);
    return keysOf(take.all(this.#window.id));
  }

  removeCancelRequest(db: DatabaseSync, key: number): void {
    prepared(db, 'DELETE FROM cancel_requests WHERE key = ?').run(key);
  }
}

const RENEW = `INSERT INTO windows VALUES (?, ?, ?, 1) ON CONFLICT (id)
  DO UPDATE SET machine = excluded.machine, pid = excluded.pid, beat = beat + 1`;

const OURS = 'key IN (SELECT key FROM tasks WHERE owner = ?)';
