import type { DatabaseSync } from 'node:sqlite';
import type { Marker } from './marker';
import { prepared } from './prepared';
import { type EditorWindow, type LeaseHolder, LeaseWatch } from './windowLease';

/** What there is to do about imports that have not ended, in the store of all windows. */
export type OpenImports = 'none' | 'owned' | 'abandoned' | 'cancelRequested';

/**
 * Which windows send, and which of them are gone, as the store that all of them share tells; and what one window asks
 * of another. Every method runs inside a transaction.
 */
export class Leases {
  readonly #window: EditorWindow;
  readonly #openImports: Marker;
  readonly #watch: LeaseWatch;

  constructor(window: EditorWindow, openImports: Marker, monotonicMs: () => number) {
    this.#window = window;
    this.#openImports = openImports;
    this.#watch = new LeaseWatch(window, monotonicMs);
  }

  /** Shows the others that this window is there. The marker goes with it, lest another window take that away. */
  renew(db: DatabaseSync): void {
    this.#openImports.set();
    const { id, machine, pid } = this.#window;
    prepared(db, BEAT).run(id, machine, pid);
  }

  /** The other windows that are gone and have left something to send. */
  goneOwners(db: DatabaseSync): string[] {
    const owners = prepared(db, 'SELECT DISTINCT owner FROM tasks WHERE owner IS NOT NULL').all();
    const others = owners.map((row) => String(row['owner'])).filter((id) => id !== this.#window.id);
    const windows = prepared(db, `SELECT * FROM windows WHERE id IN (SELECT value FROM json_each(?))`);
    const known = windows.all(JSON.stringify(others)) as unknown as LeaseHolder[];
    const gone = this.#watch.look(known);
    return others.filter((other) => gone.includes(other) || !known.some(({ id }) => id === other));
  }

  /** Awaits a window that this store has not heard of: until it beats it may miss its beats for a lease. */
  await(db: DatabaseSync, windowId: string): void {
    prepared(db, "INSERT OR IGNORE INTO windows VALUES (?, '', 0, 0)").run(windowId);
  }

  /** Whether this store has heard of a window. */
  hasBeaten(db: DatabaseSync, windowId: string): boolean {
    return prepared(db, 'SELECT 1 FROM windows WHERE id = ? AND beat > 0').get(windowId) !== undefined;
  }

  /** Forgets a window whose imports were taken over. */
  forget(db: DatabaseSync, windowId: string): void {
    prepared(db, 'DELETE FROM windows WHERE id = ?').run(windowId);
  }

  /** Whether there are imports that have not ended, and whether one of them waits for this window to do something. */
  openImports(db: DatabaseSync): OpenImports {
    if (this.goneOwners(db).length > 0) return 'abandoned';
    if (prepared(db, `SELECT 1 FROM cancel_requests WHERE ${OURS} LIMIT 1`).get(this.#window.id))
      return 'cancelRequested';
    return hasOpenImports(db) ? 'owned' : 'none';
  }

  /** Takes the marker away where no window has anything left to send. */
  rest(db: DatabaseSync): void {
    if (hasOpenImports(db)) return;
    this.#openImports.remove();
    db.exec('DELETE FROM windows; DELETE FROM cancel_requests');
  }

  /** Asks the windows that are to send these imports to cancel them. */
  requestCancel(db: DatabaseSync, keys: readonly number[]): void {
    const request = `INSERT OR IGNORE INTO cancel_requests SELECT key FROM tasks WHERE owner IS NOT NULL AND ${AMONG}`;
    prepared(db, request).run(listOf(keys));
  }

  /** The imports of this window that another one wants to be canceled; each is given once. */
  takeCancelRequests(db: DatabaseSync): number[] {
    const take = prepared(db, `DELETE FROM cancel_requests WHERE ${OURS} RETURNING key`);
    return keysOf(take.all(this.#window.id));
  }

  forgetCancelRequest(db: DatabaseSync, key: number): void {
    prepared(db, 'DELETE FROM cancel_requests WHERE key = ?').run(key);
  }
}

const BEAT = `INSERT INTO windows VALUES (?, ?, ?, 1) ON CONFLICT (id)
  DO UPDATE SET machine = excluded.machine, pid = excluded.pid, beat = beat + 1`;

const OURS = 'key IN (SELECT key FROM tasks WHERE owner = ?)';

/** A condition that takes keys as {@link listOf} writes them. */
export const AMONG = 'key IN (SELECT value FROM json_each(?))';

/** Keys as {@link AMONG} takes them. */
export function listOf(keys: readonly number[]): string {
  return JSON.stringify(keys);
}

/** The keys of these rows. */
export function keysOf(rows: readonly Readonly<Record<string, unknown>>[]): number[] {
  return rows.map((row) => Number(row['key']));
}

function hasOpenImports(db: DatabaseSync): boolean {
  return prepared(db, 'SELECT 1 FROM tasks WHERE owner IS NOT NULL LIMIT 1').get() !== undefined;
}
