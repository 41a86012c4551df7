import { type Filter, STATES } from './model';
import { among, refresh, rowsOf } from './rows';
import { inSteps } from './tasks';
import { Rest, STEP_ROWS, type Step, type Tx } from './tx';

export interface CancelRequest {
  readonly filter: Filter;
  /** Attempts of this window that were prepared and not sent: they end at once. */
  readonly unsent: readonly string[];
}

export interface Canceled {
  readonly canceled: number;
  /** Attempts that are being sent, in any window. Each ends when its window stops it. */
  readonly sending: readonly string[];
}

/** Cancels what is queued, and asks the windows to stop what they are sending. */
export function cancel(tx: Tx, { filter, unsent }: CancelRequest): Step<Canceled> {
  const { sql, values } = rowsOf(among(filter, ['sending']));
  const chosen = `outcome = 'sending' AND id IN (SELECT import FROM files WHERE ${sql})`;
  const prepared = `UPDATE imports SET ${CANCELED} WHERE attempt IN (SELECT value FROM json_each(?)) AND ${chosen} RETURNING file`;
  const files = tx.all<{ file: number }>(prepared, tx.nowMs, unsent, ...values).map(({ file }) => file);
  const sending = tx
    .all<{ attempt: string }>(`UPDATE imports SET cancel = 1 WHERE ${chosen} RETURNING attempt`, ...values)
    .map(({ attempt }) => attempt);
  refresh(tx, files);
  // Leave alone files that are queued from now on.
  const upTo = tx.one<{ id: number }>('SELECT ifnull(max(id), 0) AS id FROM imports')?.id ?? 0;
  return cancelQueued(tx, filter, { upTo, after: 0, canceled: files.length, sending });
}

function cancelQueued(
  tx: Tx,
  filter: Filter,
  progress: Canceled & { readonly upTo: number; readonly after: number },
): Step<Canceled> {
  const { sql, values } = rowsOf(among(filter, ['queued']));
  const select = `SELECT id FROM files WHERE ${sql} AND id > ? AND import <= ? ORDER BY id LIMIT ${STEP_ROWS}`;
  const files = tx.all<{ id: number }>(select, ...values, progress.after, progress.upTo).map(({ id }) => id);
  cancelRows(tx, files);
  refresh(tx, files);
  const canceled = progress.canceled + files.length;
  const after = files.at(-1);
  if (after === undefined || files.length < STEP_ROWS) return { canceled, sending: progress.sending };
  return new Rest((step) => cancelQueued(step, filter, { ...progress, after, canceled }));
}

const CANCELED = `outcome = 'notUploaded', cause = '{"name":"CanceledError"}', ended_ms = ?, cancel = 0`;

function cancelRows(tx: Tx, files: readonly number[]): void {
  tx.run(
    `UPDATE imports SET ${CANCELED} WHERE outcome = 'queued' AND id IN (
      SELECT import FROM files WHERE id IN (SELECT value FROM json_each(?)))`,
    tx.nowMs,
    files,
  );
}

/**
 * Takes rows off the list; queued ones are canceled. Rows that are being sent stay. Returns how many were removed, and the
 * time by which `undo` finds them. The memory of what was uploaded stays too.
 */
export function remove(tx: Tx, filter: Filter, removedMs = tx.nowMs): Step<{ removed: number; removedMs: number }> {
  const states = STATES.filter((state) => state !== 'sending');
  const step = inSteps(tx, among(filter, states), (now, files) => {
    cancelRows(now, files);
    now.run('UPDATE files SET removed_ms = ? WHERE id IN (SELECT value FROM json_each(?))', removedMs, files);
  });
  return withResult(step, (removed) => ({ removed, removedMs }));
}

/** Puts removed rows back into the list, unless they were imported again. What was canceled stays canceled. */
export function undo(tx: Tx, removedMs: number): Step<number> {
  const select = `UPDATE files SET removed_ms = NULL WHERE id IN (
    SELECT id FROM files WHERE removed_ms = ? LIMIT ${STEP_ROWS}) RETURNING id`;
  const files = tx.all<{ id: number }>(select, removedMs).map(({ id }) => id);
  refresh(tx, files);
  if (files.length < STEP_ROWS) return files.length;
  return new Rest((step) => withResult(undo(step, removedMs), (count) => count + files.length));
}

function withResult<From, To>(step: Step<From>, map: (result: From) => To): Step<To> {
  return step instanceof Rest ? new Rest((tx) => withResult(step.run(tx), map)) : map(step);
}
