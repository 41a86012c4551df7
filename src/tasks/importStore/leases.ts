import { RENEW } from './connection';
import type { Destination, DestinationRow, Pause, Served, ServeRequest } from './model';
import { parsed, refresh } from './rows';
import { Rest, type Step, type Tx } from './tx';
import { LEASE_MS, type WindowRow } from './windowWatch';

/** How often a window renews its leases. */
const RENEW_MS = LEASE_MS / 3;

/**
 * Takes the destinations without a live owner that this window can serve, releases the others, and ends what closed windows
 * were sending. To be called once a second; mostly it only reads.
 */
export function serve(tx: Tx, request: ServeRequest): Step<Served> {
  const before = look(tx, request);
  return before.mustWrite ? new Rest((next) => serveNow(next, request)) : servedState(tx, before.windows, 0);
}

/** The id of a destination, which is created if it is new. */
export function destinationOf(tx: Tx, { dataset, origin }: Destination): number {
  const known = tx.one<{ id: number }>('SELECT id FROM destinations WHERE dataset = ? AND origin = ?', dataset, origin);
  return known?.id ?? tx.insert('INSERT INTO destinations (dataset, origin) VALUES (?, ?)', dataset, origin);
}

/** The user imports in this window: it sends from now on, unless another window's upload is under way. */
export function claimLease(tx: Tx, destination: number): void {
  renew(tx);
  tx.run(
    `UPDATE destinations SET window = ?1 WHERE id = ?2 AND window IS NOT ?1
      AND NOT EXISTS (SELECT 1 FROM imports WHERE destination = ?2 AND outcome = 'sending')`,
    tx.window.id,
    destination,
  );
}

/** Whether a window with newer tables waits for this one. */
export function isOutdated(tx: Tx): boolean {
  return tx.one('SELECT 1 FROM windows WHERE schema > ?', tx.thread.schema) !== undefined;
}

/** Shows all windows why a destination that this window serves sends nothing; null ends the pause. */
export function pause(tx: Tx, { destination, pause: why }: { destination: number; pause: Pause | null }): boolean {
  const set = 'UPDATE destinations SET pause = ? WHERE id = ? AND window = ?';
  return tx.run(set, why && JSON.stringify(why), destination, tx.window.id) > 0;
}

/** Ends all pauses of these destinations. The serving window sees it in its next turn. */
export function tryNow(tx: Tx, destinations: readonly number[]): number {
  return tx.run('UPDATE destinations SET pause = NULL WHERE id IN (SELECT value FROM json_each(?))', destinations);
}

/** Gives up all leases, for a window that closes. What it was sending stays its own until it ends. */
export function leave(tx: Tx): void {
  tx.run('UPDATE destinations SET window = NULL WHERE window = ?', tx.window.id);
  if (ownAttempts(tx).length === 0) tx.run('DELETE FROM windows WHERE id = ?', tx.window.id);
}

/** Renames a dataset at all its origins. False if rows of a removed dataset have the new name. */
export function rename(tx: Tx, { from, to }: { from: string; to: string }): boolean {
  const isTaken = `SELECT 1 FROM destinations d WHERE dataset = ? AND EXISTS (
    SELECT 1 FROM files WHERE destination = d.id UNION ALL SELECT 1 FROM imports WHERE destination = d.id)`;
  if (tx.one(isTaken, to) !== undefined) return false;
  tx.run('DELETE FROM destinations WHERE dataset = ?', to);
  tx.run('UPDATE destinations SET dataset = ? WHERE dataset = ?', to, from);
  return true;
}

/** Finds out what has to be done, without writing. */
function look(tx: Tx, { able, checking }: ServeRequest) {
  const { id } = tx.window;
  const windows = tx.all<WindowRow>('SELECT * FROM windows');
  const closed = tx.thread.watch.closed(windows);
  const isLive = (window: string | null) => windows.some((one) => one.id === window && !closed.has(one.id));
  const outdated = isOutdated(tx);
  const sending = ownAttempts(tx).length > 0;
  const isAmong = (list: readonly Destination[], { dataset, origin }: Destination) =>
    list.some((one) => one.dataset === dataset && one.origin === origin);
  const destinations = readDestinations(tx);
  const wanted = outdated
    ? []
    : destinations.filter((one) => isAmong(able, one) && (one.busy || isAmong(checking, one)));
  const take = wanted.filter(({ window }) => window !== id && !isLive(window));
  const held = destinations.filter(({ window }) => window === id);
  const release = held.filter((one) => !wanted.includes(one) && !isSendingAt(tx, one.id));
  const isNeeded = sending || take.length > 0 || held.length > release.length;
  const own = windows.find((one) => one.id === id);
  const isDue = tx.thread.clock.monotonicMs() - (tx.thread.lease.renewedMs ?? Number.NEGATIVE_INFINITY) >= RENEW_MS;
  const orphans = sendingWindows(tx).some((window) => !isLive(window));
  const mustWrite =
    take.length + release.length + closed.size > 0 ||
    orphans ||
    isNeeded !== (own !== undefined) ||
    (isNeeded && isDue);
  return { windows, closed, take, release, isNeeded, mustWrite };
}

function serveNow(tx: Tx, request: ServeRequest): Served {
  const { windows, closed, take, release, isNeeded } = look(tx, request);
  // Unless it has renewed its lease since.
  for (const { id, beat } of windows)
    if (closed.has(id)) tx.run('DELETE FROM windows WHERE id = ? AND beat = ?', id, beat);
  for (const { id } of take) tx.run('UPDATE destinations SET window = ? WHERE id = ?', tx.window.id, id);
  for (const { id } of release) tx.run('UPDATE destinations SET window = NULL WHERE id = ?', id);
  if (isNeeded) renew(tx);
  else tx.run('DELETE FROM windows WHERE id = ?', tx.window.id);
  const interrupted = endInterrupted(tx);
  return servedState(tx, tx.all<WindowRow>('SELECT * FROM windows'), interrupted);
}

/** The service may have received what a closed window was sending: unconfirmed, unless a late response arrives. */
function endInterrupted(tx: Tx): number {
  const files = tx.all<{ file: number }>(
    `UPDATE imports SET outcome = 'unconfirmed', cause = '{"name":"WindowClosed"}', ended_ms = ?
      WHERE outcome = 'sending' AND ${WINDOW_OF_ATTEMPT} NOT IN (SELECT id FROM windows) RETURNING file`,
    tx.nowMs,
  );
  refresh(
    tx,
    files.map(({ file }) => file),
  );
  return files.length;
}

function servedState(tx: Tx, windows: readonly WindowRow[], interrupted: number): Served {
  const destinations = readDestinations(tx);
  const held = destinations.filter(({ window }) => window === tx.window.id).map(({ id }) => id);
  return {
    destinations,
    held,
    renewedMs: windows.some(({ id }) => id === tx.window.id) ? tx.thread.lease.renewedMs : null,
    attempts: ownAttempts(tx).map(({ attempt, cancel }) => ({ attempt, canceled: cancel === 1 })),
    interrupted,
    outdated: isOutdated(tx),
  };
}

function renew(tx: Tx): void {
  const { id, machine, pid } = tx.window;
  tx.run(RENEW, id, machine, pid, tx.thread.schema);
  tx.thread.lease.renewedMs = tx.thread.clock.monotonicMs();
}

function readDestinations(tx: Tx): DestinationRow[] {
  return tx.all<StoredDestination>(DESTINATIONS).map(({ pause: why, busy, unfinished, ...row }) => ({
    ...row,
    pause: parsed(why),
    busy: busy === 1,
    unfinished: unfinished === 1,
  }));
}

type StoredDestination = Omit<DestinationRow, 'pause' | 'busy' | 'unfinished'> &
  Record<'busy' | 'unfinished', number> & { readonly pause: string | null };

const DESTINATIONS = `SELECT id, dataset, origin, window, pause, brake,
    EXISTS (SELECT 1 FROM imports WHERE destination = d.id AND outcome = 'queued')
      OR EXISTS (SELECT 1 FROM imports WHERE destination = d.id AND outcome = 'sending') AS busy,
    EXISTS (SELECT 1 FROM files WHERE destination = d.id AND unfinished = 1) AS unfinished
  FROM destinations d`;

const WINDOW_OF_ATTEMPT = "substr(attempt, 1, instr(attempt, ' ') - 1)";

function sendingWindows(tx: Tx): string[] {
  const select = `SELECT DISTINCT ${WINDOW_OF_ATTEMPT} AS window FROM imports WHERE outcome = 'sending'`;
  return tx.all<{ window: string }>(select).map(({ window }) => window);
}

function ownAttempts(tx: Tx): { attempt: string; cancel: number }[] {
  const select = `SELECT attempt, cancel FROM imports WHERE outcome = 'sending' AND ${WINDOW_OF_ATTEMPT} = ?`;
  return tx.all(select, tx.window.id);
}

function isSendingAt(tx: Tx, destination: number): boolean {
  const select = `SELECT 1 FROM imports WHERE outcome = 'sending' AND destination = ? AND ${WINDOW_OF_ATTEMPT} = ?`;
  return tx.one(select, destination, tx.window.id) !== undefined;
}
