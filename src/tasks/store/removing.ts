// Removes rows from the list at the user's request, and deletes old rows.
import { cancelRows, importedSoFar } from './canceling';
import { among, type Filter, type Retention, STATES } from './model';
import { CHOSEN, changeRows, hasFailed, IS_UNFINISHED, nextVersion, refresh } from './rows';
import { inSteps, type Step, type Tx, withResult } from './tx';

/**
 * Removes rows from the list and cancels their queued imports. Files that are being sent stay in the list. Earlier
 * uploads of removed files are still remembered. Returns the number of rows, and the `removedMs` to pass to `undo`.
 */
export function remove(tx: Tx, filter: Filter): Step<{ readonly removed: number; readonly removedMs: number }> {
  const removedMs = tx.nowMs;
  const states = STATES.filter((state) => state !== 'sending');
  const step = changeRows(tx, among(importedSoFar(tx, filter), states), (now, files) => {
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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Finished rows, except rows that are waiting for the user to say whether the file was uploaded or what its task ID is.
 */
const IS_DONE =
  "unfinished = 0 AND state IN ('succeeded', 'failed', 'rejected', 'notUploaded', 'uploaded', 'untracked')";

/**
 * Deletes rows that were removed at least an hour ago, and finished rows beyond the retention limits. Keeps removed rows
 * of unconfirmed files, so that these files aren't imported again without a question. Keeps the rows of unfinished runs,
 * because the totals of these runs include them. Returns the number of rows.
 */
export function clear(tx: Tx, retention: Retention): Step<number> {
  const limit = Math.min(retention.rows, Number.MAX_SAFE_INTEGER);
  const beyond = tx.one<{ changed_ms: number; id: number }>(NEWEST_BEYOND, limit) ?? { changed_ms: -1, id: 0 };
  const beforeMs = Number.isFinite(retention.days) ? tx.nowMs - retention.days * DAY_MS : -1;
  const [removedMs, version] = [tx.nowMs - HOUR_MS, nextVersion(tx) - 1];
  const rows = inSteps(tx, CLEARED, [removedMs, beforeMs, beyond.changed_ms, beyond.id, version], deleteRows);
  return withResult(tx, rows, (count, step) => {
    step.run(DELETE_RUNS, removedMs);
    step.run(DELETE_BATCHES);
    return count;
  });
}

const NEWEST_BEYOND = `SELECT changed_ms, id FROM files WHERE removed_ms IS NULL AND ${IS_DONE}
  ORDER BY changed_ms DESC, id DESC LIMIT 1 OFFSET ?`;

const IS_UNDECIDED = `(path IS NOT NULL AND EXISTS (
  SELECT 1 FROM imports i WHERE i.id = files.import AND i.outcome = 'unconfirmed' AND i.size >= 0))`;

const CLEARED = `SELECT id FROM files NOT INDEXED
  WHERE ((removed_ms <= ? AND NOT ${IS_UNDECIDED}) OR (removed_ms IS NULL AND ${IS_DONE} AND (changed_ms <= ? OR (changed_ms, id) <= (?, ?))))
    AND version < ? AND state <> 'sending'
    AND NOT EXISTS (SELECT 1 FROM imports WHERE file = files.id
      AND run IN (SELECT id FROM runs WHERE announced_ms IS NULL AND ${IS_UNFINISHED}))`;

// Remembered uploads of deleted rows still count in the runs on their batch's page.
const DELETE_RUNS = `DELETE FROM runs WHERE began_ms < ?
  AND NOT EXISTS (SELECT 1 FROM imports WHERE run = runs.id AND (file IS NOT NULL
    OR EXISTS (SELECT 1 FROM files WHERE batch = runs.batch AND removed_ms IS NULL)))`;
// Import Changes… finds new files in folders whose rows were deleted.
const DELETE_BATCHES = `DELETE FROM batches WHERE id NOT IN (
    SELECT batch FROM files WHERE batch IS NOT NULL UNION SELECT batch FROM runs WHERE batch IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.destination = batches.destination
    AND i.path > batches.folder AND i.path < batches.folder || char(0x10FFFF))`;

/** Deletes rows, but remembers one upload for each destination, path and content. */
function deleteRows(tx: Tx, files: readonly number[]): void {
  const imports = tx.ids(IMPORTS_OF_ROWS, files);
  tx.run(`DELETE FROM imports WHERE id ${CHOSEN} AND ${hasFailed('imports')}`, imports);
  tx.run(`DELETE FROM tasks WHERE import ${CHOSEN}`, imports);
  tx.run(`DELETE FROM responses WHERE import ${CHOSEN}`, imports);
  tx.run(`DELETE FROM events WHERE file ${CHOSEN}`, files);
  tx.run(`UPDATE imports SET file = NULL, attempt = NULL, cause = NULL WHERE id ${CHOSEN}`, imports);
  tx.run(`DELETE FROM imports WHERE id ${CHOSEN} AND (${IS_FORGOTTEN} OR ${IS_REPEATED})`, imports);
  tx.run(`DELETE FROM files WHERE id ${CHOSEN}`, files);
}

const IMPORTS_OF_ROWS = `WITH chosen AS (
    SELECT f.id, f.destination, f.path, f.import FROM json_each(?) one CROSS JOIN files f ON f.id = one.value)
  SELECT i.id FROM chosen CROSS JOIN imports i INDEXED BY imports_by_path
    ON i.destination = chosen.destination AND i.path IS chosen.path AND i.file = chosen.id
  UNION SELECT import FROM chosen`;

const IS_FORGOTTEN = "(size < 0 OR outcome <> 'accepted' AND (outcome <> 'unconfirmed' OR sha256 IS NULL))";

const IS_REPEATED = `EXISTS (SELECT 1 FROM imports newer WHERE newer.destination = imports.destination
  AND newer.outcome = 'accepted' AND newer.size = imports.size AND newer.sha256 IS imports.sha256
  AND newer.path IS imports.path AND newer.id > imports.id AND NOT ${hasFailed('newer')})`;
