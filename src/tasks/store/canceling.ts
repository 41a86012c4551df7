import { among, type Filter, STATES } from './model';
import { CHOSEN, changeRows, refresh, rowsOf } from './rows';
import { inSteps, type Step, type Tx, withResult } from './tx';

export interface Canceled {
  /** How many queued imports were canceled. */
  readonly canceled: number;
  /** Attempts in flight in any window. Each attempt ends when its window stops it. */
  readonly sending: readonly string[];
}

const CANCEL = `UPDATE imports SET outcome = 'notUploaded', cause = '{"name":"CanceledError"}', ended_ms = ?, cancel = 0`;

/** Cancels queued imports, and asks windows to stop the imports that they are sending. */
export function cancel(tx: Tx, filter: Filter): Step<Canceled> {
  // Don't cancel files that are queued from now on.
  const newest = tx.one<{ id: number }>('SELECT ifnull(max(id), 0) AS id FROM imports')?.id ?? 0;
  const sending = stopSending(tx, filter, newest);
  const step = changeRows(tx, among(filter, ['queued']), cancelRows, newest);
  return withResult(tx, step, (canceled, last) => ({
    canceled,
    // Another window may have marked imports between two steps.
    sending: [...new Set([...sending, ...stopSending(last, filter, newest)])],
  }));
}

/** Asks windows to stop their attempts, and returns those attempts. */
function stopSending(tx: Tx, filter: Filter, newest: number): string[] {
  const { sql, values } = rowsOf(among(filter, ['sending']));
  const isChosen = `outcome = 'sending' AND id <= ? AND id IN (SELECT import FROM files WHERE ${sql})`;
  const stop = `UPDATE imports SET cancel = 1 WHERE ${isChosen} RETURNING attempt`;
  return tx.all<{ attempt: string }>(stop, newest, ...values).map(({ attempt }) => attempt);
}

function cancelRows(tx: Tx, files: readonly number[]): void {
  const ofRows = `id IN (SELECT import FROM files WHERE id ${CHOSEN})`;
  tx.run(`${CANCEL} WHERE outcome = 'queued' AND ${ofRows}`, tx.nowMs, files);
}

/**
 * Removes rows from the list and cancels their queued imports. Files that are being sent stay in the list. Earlier
 * uploads of removed files are still remembered. Returns the number of rows, and the `removedMs` to pass to `undo`.
 */
export function remove(tx: Tx, filter: Filter): Step<{ readonly removed: number; readonly removedMs: number }> {
  const removedMs = tx.nowMs;
  const states = STATES.filter((state) => state !== 'sending');
  const step = changeRows(tx, among(filter, states), (now, files) => {
    cancelRows(now, files);
    now.run(`UPDATE files SET removed_ms = ? WHERE id ${CHOSEN}`, removedMs, files);
  });
  return withResult(tx, step, (removed) => ({ removed, removedMs }));
}

/** Puts removed rows back into the list, unless they were imported again. Canceled imports stay canceled. */
export function undo(tx: Tx, removedMs: number): Step<number> {
  return inSteps(tx, 'SELECT id FROM files WHERE removed_ms = ?', [removedMs], (step, files) => {
    step.run(`UPDATE files SET removed_ms = NULL WHERE id ${CHOSEN}`, files);
    refresh(step, files);
  });
}
