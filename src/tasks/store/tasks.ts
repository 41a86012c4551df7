import type { TaskId } from '../../service/json/taskId';
import { destinationOf } from './leases';
import type { AttachRequest, Destination, Filter, Meaning, Report, ResponseKind, TaskFacts, TaskRow } from './model';
import { among, TRACKED } from './model';
import { ANNOUNCE_FILE_AGAIN, addEvent, CHOSEN, changeRows, nextVersion, noteCheck, refresh } from './rows';
import { Rest, type Step, type Tx } from './tx';

export function storeResponse(tx: Tx, importId: number, kind: ResponseKind, text: string): void {
  const put = `INSERT INTO responses VALUES (?, ?, ?) ON CONFLICT (import, kind) DO UPDATE SET text = excluded.text`;
  tx.run(put, importId, kind, text);
}

export function addTasks(tx: Tx, importId: number, ids: readonly TaskId[]): void {
  for (const id of ids) tx.run('INSERT OR IGNORE INTO tasks (import, id) VALUES (?, ?)', importId, id);
}

/**
 * Finds a different file, with different content, whose import has one of these task IDs. If there is one, the response
 * that contained these IDs may belong to that file's import instead. Skips forgotten uploads, whose size is negative, and
 * tasks that were added by their ID, which have no attempt.
 */
export function otherFileWithId(tx: Tx, importId: number, ids: readonly TaskId[]) {
  return tx.one<{ readonly id: TaskId; readonly file: string }>(OTHER_FILE, importId, ids);
}

const OTHER_FILE = `SELECT t.id, ifnull(f.relative_path, other.path) AS file
  FROM json_each(?2) given CROSS JOIN tasks t ON t.id = given.value
    CROSS JOIN imports other ON other.id = t.import
    CROSS JOIN imports own ON own.id = ?1 AND own.id <> other.id AND own.destination = other.destination
    LEFT JOIN files f ON f.id = other.file
  WHERE other.size >= 0 AND other.attempt IS NOT NULL
    AND other.file IS NOT own.file AND (other.path IS NULL OR other.path IS NOT own.path)
    AND (other.size <> own.size OR other.sha256 IS NULL OR other.sha256 IS NOT own.sha256)
  LIMIT 1`;

/**
 * Stores the result of a check if it differs from the stored result. Returns false if the check is stale, because the
 * task has ended or has changed since the check began.
 */
export function report(tx: Tx, one: Report): Step<boolean> {
  const stored = storedTask(tx, one);
  if (stored === undefined) return false;
  // Store the time of a first or requested check even if nothing else has changed.
  if (stored.checkedMs && !hasChanged(stored, one)) return true;
  return new Rest((next) => storeReport(next, one));
}

interface StoredTask extends TaskFacts, Pick<TaskRow, 'cause' | 'checkedMs'> {
  readonly file: number | null;
}

function storedTask(tx: Tx, { import: importId, id, revision }: Report): StoredTask | undefined {
  return tx.one<StoredTask>(TASK, importId, id, revision);
}

function hasChanged(stored: StoredTask, { facts, cause }: Report): boolean {
  return JSON.stringify({ ...stored, ...facts, cause }) !== JSON.stringify(stored);
}

function storeReport(tx: Tx, one: Report): boolean {
  const stored = storedTask(tx, one);
  if (stored === undefined) return false;
  const { import: importId, id, facts, cause, response, source } = one;
  // A recheck keeps the old result if the service no longer returns any data for the task.
  const isForgotten = facts?.meaning === 'none' && isResult(stored.meaning);
  const { meaning, status, progress, message, byMapping } = isForgotten || facts === null ? stored : facts;
  const hasEnded = isResult(meaning) && (facts !== null || cause?.['forgotten'] === true);
  const values = [status, meaning, progress, message, cause, tx.nowMs, hasEnded ? tx.nowMs : null, byMapping];
  tx.run(SET_TASK, ...values, importId, id);
  // If a file has multiple tasks, keep the response for a failed one.
  const isWorthMore = meaning === 'failed' || tx.one(OTHER_FAILED, importId, id) === undefined;
  if (response !== undefined && isWorthMore && !isForgotten) storeResponse(tx, importId, 'query', response);
  if (stored.file === null) return true;
  if (stored.meaning !== meaning || stored.status !== status)
    addEvent(tx, stored.file, { kind: 'status', id, meaning, status, source });
  if (hasEnded || hasChanged(stored, one)) refresh(tx, [stored.file]);
  else noteCheck(tx, [stored.file]);
  return true;
}

/** SQL that tests whether the service has never recognized a task's ID, so it was probably read from the wrong field. */
export const IS_WRONG_ID = "(meaning IS NULL AND ifnull(cause ->> 'forgotten', 0))";

function isResult(meaning: Meaning): boolean {
  return meaning === 'succeeded' || meaning === 'failed';
}

const TASK = `SELECT t.meaning, t.status, t.progress, t.message, t.by_mapping AS byMapping, t.cause,
    t.checked_ms AS checkedMs, i.file
  FROM tasks t JOIN imports i ON i.id = t.import
  WHERE t.import = ? AND t.id = ? AND t.revision = ? AND t.ended_ms IS NULL`;

const SET_TASK = `UPDATE tasks SET status = ?, meaning = ?, progress = ?, message = ?, cause = ?, checked_ms = ?,
  ended_ms = ?, by_mapping = ?, revision = revision + 1 WHERE import = ? AND id = ?`;

const OTHER_FAILED = "SELECT 1 FROM tasks WHERE import = ? AND id <> ? AND meaning = 'failed'";

/**
 * Attaches IDs to imports that are unconfirmed, or that were accepted without an ID. Replaces IDs that the service has
 * never recognized.
 */
export function attach(tx: Tx, { rows, byMapping }: AttachRequest) {
  const touched: number[] = [];
  const results = rows.map(({ import: importId, ids }): 'attached' | 'repeatedId' | 'notWaiting' => {
    const waiting = tx.one<{ file: number; before: 'accepted' | 'unconfirmed' }>(WAITING, importId, ids, byMapping);
    if (waiting === undefined || ids.length === 0) return 'notWaiting';
    const repeated = byMapping ? otherFileWithId(tx, importId, ids) : undefined;
    if (repeated !== undefined) {
      // Once the other file's row is deleted, only this shows that the ID isn't ours.
      tx.run(SET_REPEATED, importId, { name: 'RepeatedId', ...repeated });
      return 'repeatedId';
    }
    tx.run("UPDATE imports SET outcome = 'accepted', cause = NULL WHERE id = ?", importId);
    tx.run('DELETE FROM tasks WHERE import = ?', importId);
    addTasks(tx, importId, ids);
    addEvent(tx, waiting.file, { kind: 'attached', import: importId, ids, before: waiting.before, byMapping });
    touched.push(waiting.file);
    return 'attached';
  });
  refresh(tx, touched);
  tx.run(ANNOUNCE_FILE_AGAIN, touched);
  return results;
}

const SET_REPEATED = `UPDATE imports SET cause = ?2
  WHERE id = ?1 AND cause IS NOT ?2 AND ifnull(cause ->> 'name' = 'RepeatedId', outcome = 'accepted')`;

// An import no longer waits for an ID once its file has been imported again. An ID that another file had is not ours,
// even after that file was removed from the list or forgotten.
const WAITING = `SELECT file, outcome AS before FROM imports i WHERE id = ?1 AND (outcome = 'unconfirmed'
  OR (outcome = 'accepted' AND NOT EXISTS (
    SELECT 1 FROM tasks WHERE import = i.id AND (NOT ${IS_WRONG_ID} OR id IN (SELECT value FROM json_each(?2))))))
  AND EXISTS (SELECT 1 FROM files WHERE id = i.file AND import = i.id)
  AND NOT (?3 AND ifnull(cause ->> 'name' = 'RepeatedId' AND cause ->> 'id' IN (SELECT value FROM json_each(?2)), 0))
  AND NOT (?3 AND EXISTS (
    SELECT 1 FROM events WHERE file = i.file AND event ->> 'import' = i.id AND event ->> 'byMapping' = 0))`;

/** Tracks a task that was created elsewhere. Returns the ID of its row, which may already have existed. */
export function track(tx: Tx, { destination: to, id, name }: { destination: Destination; id: TaskId; name: string }) {
  const destination = destinationOf(tx, to);
  const [known] = tx.ids(ROW_WITH_TASK, id, destination);
  if (known !== undefined) return known;
  const file = tx.insert(INSERT_FILE, destination, name, name, tx.nowMs, nextVersion(tx));
  const importId = tx.insert(INSERT_IMPORT, destination, file, tx.nowMs, tx.nowMs);
  tx.run('UPDATE files SET import = ? WHERE id = ?', importId, file);
  addTasks(tx, importId, [id]);
  refresh(tx, [file]);
  return file;
}

const ROW_WITH_TASK = `SELECT f.id FROM tasks t JOIN imports i ON i.id = t.import JOIN files f ON f.id = i.file AND f.import = i.id
  WHERE t.id = ? AND f.destination = ? AND f.removed_ms IS NULL`;
const INSERT_FILE = `INSERT INTO files (destination, name, relative_path, import, state, rank, unfinished, changed_ms, version)
  VALUES (?, ?, ?, 0, 'waiting', 0, 1, ?, ?)`;
const INSERT_IMPORT = `INSERT INTO imports (destination, file, size, queued_ms, single, outcome, ended_ms)
  VALUES (?, ?, 0, ?, 1, 'accepted', ?)`;

/**
 * Marks unconfirmed imports as uploaded after the user confirms that the service has the files. Returns the number of
 * affected rows.
 */
export function markUploaded(tx: Tx, filter: Filter): Step<number> {
  return changeRows(tx, among(filter, ['unconfirmed']), (step, files) => {
    for (const { id, file } of step.all<{ id: number; file: number }>(MARK_UPLOADED, files))
      addEvent(step, file, { kind: 'marked', import: id });
  });
}

const MARK_UPLOADED = `UPDATE imports SET outcome = 'accepted', cause = '{"name":"Marked"}'
  WHERE outcome = 'unconfirmed' AND id IN (SELECT import FROM files WHERE id ${CHOSEN}) RETURNING id, file`;

/** Stops tracking unfinished tasks. Returns the number of affected rows. */
export function stopTracking(tx: Tx, filter: Filter): Step<number> {
  return changeRows(tx, among(filter, TRACKED), (step, files) => {
    step.run(STOP_TRACKING, step.nowMs, files);
  });
}

const STOP_TRACKING = `UPDATE tasks SET meaning = 'untracked', ended_ms = ?
  WHERE ended_ms IS NULL AND import IN (SELECT import FROM files WHERE id ${CHOSEN})`;
