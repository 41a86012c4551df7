import { LEASE_MS, type ListedWindow } from '../windowWatch';
import { RENEW } from './connection';
import type { Destination, DestinationRow, Pause, Served, ServeRequest } from './model';
import { CHOSEN, refresh } from './rows';
import { Rest, type Step, type Tx } from './tx';

/** How often a window renews its leases. */
const RENEW_MS = LEASE_MS / 3;

/** A row of the `windows` table. `schema` is the schema version that the window uses. */
export interface WindowRow extends ListedWindow {
  readonly schema: number;
}

/** Returns a destination's ID. Adds the destination if it is new. */
export function destinationOf(tx: Tx, { dataset, origin }: Destination): number {
  const known = tx.one<{ id: number }>('SELECT id FROM destinations WHERE dataset = ? AND origin = ?', dataset, origin);
  return known?.id ?? tx.insert('INSERT INTO destinations (dataset, origin) VALUES (?, ?)', dataset, origin);
}

/**
 * Claims a destination's lease after the user imports something in this window, unless an import is already being sent
 * to that destination. A stored pause after rejections ends if nothing was waiting because of it.
 */
export function claimLease(tx: Tx, destination: number): void {
  renew(tx);
  tx.run(CLAIM, tx.window.id, destination);
}

const CLAIM = `UPDATE destinations SET window = ?1, pause = iif(window IS NULL AND pause ->> 'reason' = 'rejections'
    AND NOT EXISTS (SELECT 1 FROM imports WHERE destination = ?2 AND outcome = 'queued'), NULL, pause)
  WHERE id = ?2 AND window IS NOT ?1
  AND NOT EXISTS (SELECT 1 FROM imports WHERE destination = ?2 AND outcome = 'sending')`;

/** Whether a window with a newer schema is waiting to take over. */
export function isOutdated(tx: Tx): boolean {
  return tx.one('SELECT 1 FROM windows WHERE schema > ?', tx.thread.schema) !== undefined;
}

/** Lets every window show why a destination served by this window is paused. Null ends the pause. */
export function pause(tx: Tx, { destination, pause: why }: { destination: number; pause: Pause | null }): boolean {
  return tx.run('UPDATE destinations SET pause = ? WHERE id = ? AND window = ?', why, destination, tx.window.id) > 0;
}

/** Unpauses these destinations. The windows that upload to them will notice within about a second. */
export function tryNow(tx: Tx, destinations: readonly number[]): number {
  return tx.run(`UPDATE destinations SET pause = NULL WHERE pause IS NOT NULL AND id ${CHOSEN}`, destinations);
}

/** Releases all leases when this window closes. The window stays listed if it has unfinished attempts. */
export function leave(tx: Tx, _none: null): void {
  tx.run('UPDATE destinations SET window = NULL WHERE window = ?', tx.window.id);
  if (ownAttempts(tx).length === 0) tx.run('DELETE FROM windows WHERE id = ?', tx.window.id);
}

/**
 * Renames a dataset. Returns `busy` if a window is uploading to it, and `taken` if rows of a removed dataset already use
 * the new name.
 */
export function rename(tx: Tx, { from, to }: { from: string; to: string }) {
  const renamed = destinations(tx, null).filter(({ dataset }) => dataset === from);
  if (renamed.some(({ busy, window }) => busy && window !== null)) return 'busy';
  const isTaken = `SELECT 1 FROM destinations d WHERE dataset = ? AND EXISTS (
    SELECT 1 FROM files WHERE destination = d.id UNION ALL SELECT 1 FROM imports WHERE destination = d.id)`;
  if (tx.one(isTaken, to) !== undefined) return 'taken';
  tx.run('DELETE FROM destinations WHERE dataset = ?', to);
  for (const { id } of renamed) tx.run('UPDATE destinations SET dataset = ? WHERE id = ?', to, id);
  // A new version makes all windows read the rows again.
  tx.run('UPDATE files SET version = version + 1 WHERE version = (SELECT max(version) FROM files)');
  return 'renamed';
}

/**
 * Claims destinations that this window can serve and that no live window holds. Releases destinations with nothing to
 * do. Imports that closed windows were sending become unconfirmed. Called once a second; usually only reads.
 */
export function serve(tx: Tx, request: ServeRequest): Step<Served> {
  return plan(tx, request).mustWrite ? new Rest((next) => serveNow(next, request)) : servedState(tx);
}

/** Decides what `serve` must write, without writing anything. */
function plan(tx: Tx, { able, checking }: ServeRequest) {
  const { id } = tx.window;
  const windows = tx.all<WindowRow>(WINDOWS);
  const closed = new Set(tx.thread.watch.closedAmong(windows));
  const isLive = (window: string | null) => windows.some((one) => one.id === window && !closed.has(one.id));
  const isAmong = (list: readonly Destination[], { dataset, origin }: Destination) =>
    list.some((one) => one.dataset === dataset && one.origin === origin);
  const outdated = isOutdated(tx);
  const all = destinations(tx, null);
  const wanted = all.filter((one) => isAmong(able, one) && !outdated && (one.busy || isAmong(checking, one)));
  const claimed = wanted.filter(({ window }) => window !== id && !isLive(window));
  const held = all.filter(({ window }) => window === id);
  const sending = ownAttempts(tx);
  const released = held.filter((one) => !wanted.includes(one) && !sending.some((own) => own.destination === one.id));
  const isNeeded = sending.length > 0 || claimed.length > 0 || held.length > released.length;
  const isDue = tx.thread.clock.monotonicMs() - (renewedMs(tx, windows) ?? Number.NEGATIVE_INFINITY) >= RENEW_MS;
  const hasOrphans = tx.all<{ window: string }>(SENDING_WINDOWS).some(({ window }) => !isLive(window));
  const hasChanges = claimed.length + released.length + closed.size > 0 || hasOrphans;
  const mustRenew = isNeeded ? isDue : windows.some((one) => one.id === id);
  return { windows, closed, claimed, released, isNeeded, mustWrite: hasChanges || mustRenew };
}

function serveNow(tx: Tx, request: ServeRequest): Served {
  const { windows, closed, claimed, released, isNeeded } = plan(tx, request);
  // Don't delete windows that have renewed their leases since the plan was made.
  for (const { id, beat } of windows)
    if (closed.has(id) && tx.run('DELETE FROM windows WHERE id = ? AND beat = ?', id, beat) > 0)
      tx.run('UPDATE destinations SET window = NULL WHERE window = ?', id);
  for (const { id } of claimed) tx.run('UPDATE destinations SET window = ? WHERE id = ?', tx.window.id, id);
  for (const { id } of released) tx.run('UPDATE destinations SET window = NULL WHERE id = ?', id);
  if (isNeeded) renew(tx);
  else tx.run('DELETE FROM windows WHERE id = ?', tx.window.id);
  // The service may have received what closed windows were sending. A late response can still change the outcome.
  refresh(tx, tx.ids(INTERRUPT, tx.nowMs));
  return servedState(tx);
}

function servedState(tx: Tx): Served {
  const all = destinations(tx, null);
  return {
    destinations: all,
    held: all.filter(({ window }) => window === tx.window.id).map(({ id }) => id),
    renewedMs: renewedMs(tx, tx.all<WindowRow>(WINDOWS)),
    canceled: ownAttempts(tx).flatMap(({ attempt, canceled }) => (canceled ? [attempt] : [])),
    outdated: isOutdated(tx),
  };
}

function renew(tx: Tx): void {
  const { id, machine, pid } = tx.window;
  const beat = tx.one<{ beat: number }>(RENEW, id, machine, pid, tx.thread.schema)?.beat ?? 0;
  Object.assign(tx.thread.renewal, { beat, ms: tx.thread.clock.monotonicMs() });
}

/** When this window last renewed its leases, or null if it holds none or the renewal was rolled back. */
function renewedMs({ window, thread }: Tx, windows: readonly WindowRow[]): number | null {
  return windows.some((one) => one.id === window.id && one.beat === thread.renewal.beat) ? thread.renewal.ms : null;
}

export function destinations(tx: Tx, _none: null): DestinationRow[] {
  return tx.all(DESTINATIONS);
}

const WINDOWS = 'SELECT * FROM windows';

const DESTINATIONS = `SELECT id, dataset, origin, window, pause, brake,
    EXISTS (SELECT 1 FROM imports WHERE destination = d.id AND outcome = 'queued')
      OR EXISTS (SELECT 1 FROM imports WHERE destination = d.id AND outcome = 'sending') AS busy,
    EXISTS (SELECT 1 FROM files WHERE destination = d.id AND unfinished = 1) AS unfinished
  FROM destinations d`;

const WINDOW_OF_ATTEMPT = "substr(attempt, 1, instr(attempt, ' ') - 1)";
const INTERRUPT = `UPDATE imports SET outcome = 'unconfirmed', cause = '{"name":"WindowClosed"}', ended_ms = ?
  WHERE outcome = 'sending' AND ${WINDOW_OF_ATTEMPT} NOT IN (SELECT id FROM windows) RETURNING file AS id`;
const SENDING_WINDOWS = `SELECT DISTINCT ${WINDOW_OF_ATTEMPT} AS window FROM imports WHERE outcome = 'sending'`;

function ownAttempts(tx: Tx) {
  const select = `SELECT attempt, destination, cancel AS canceled FROM imports
    WHERE outcome = 'sending' AND ${WINDOW_OF_ATTEMPT} = ?`;
  return tx.all<{ attempt: string; destination: number; canceled: boolean }>(select, tx.window.id);
}
