import { among, type Filter } from './model';
import { CHOSEN, changeRows, refresh, rowsOf } from './rows';
import { type Tx, withResult } from './tx';

const CANCEL = `UPDATE imports SET outcome = 'notUploaded', cause = '{"name":"CanceledError"}', ended_ms = ?, cancel = 0`;

/**
 * Cancels queued imports, and asks windows to stop the imports that they are sending. Returns the number of canceled
 * imports, and the attempts in flight in any window. Each attempt ends when its window stops it.
 */
export function cancel(tx: Tx, chosen: Filter) {
  const filter = importedSoFar(tx, chosen);
  const sending = stopSending(tx, filter);
  return withResult(tx, changeRows(tx, among(filter, ['queued']), cancelRows), (canceled, last) => {
    // During the cancellation, another window may have marked more imports as sending, and put some of them back.
    const { sql, values } = rowsOf(among(filter, ['queued']));
    const left = last.ids(`SELECT id FROM files WHERE ${sql}`, ...values);
    cancelRows(last, left);
    refresh(last, left);
    return { canceled: canceled + left.length, sending: [...new Set([...sending, ...stopSending(last, filter)])] };
  });
}

/** Restricts a filter to rows that haven't been imported again after this point. */
export function importedSoFar(tx: Tx, filter: Filter): Filter {
  return { upTo: tx.one<{ id: number }>('SELECT ifnull(max(id), 0) AS id FROM imports')?.id ?? 0, ...filter };
}

/** Asks windows to stop their attempts, and returns those attempts. */
function stopSending(tx: Tx, filter: Filter): string[] {
  const { sql, values } = rowsOf(among(filter, ['sending']));
  const isChosen = `outcome = 'sending' AND id IN (SELECT import FROM files WHERE ${sql})`;
  const stop = `UPDATE imports SET cancel = 1 WHERE ${isChosen} RETURNING attempt`;
  return tx.all<{ attempt: string }>(stop, ...values).map(({ attempt }) => attempt);
}

export function cancelRows(tx: Tx, files: readonly number[]): void {
  const ofRows = `id IN (SELECT import FROM files WHERE id ${CHOSEN})`;
  tx.run(`${CANCEL} WHERE outcome = 'queued' AND ${ofRows}`, tx.nowMs, files);
}
