// Who may send, and why nothing is uploaded twice: Only the window that holds a destination's lease may call `begin`
// for that destination. `begin` marks an import as sending, and the mark is on disk before the first byte is sent. It
// marks an import only if the import is still queued and is the latest import of its file. From then on, the import
// belongs to its attempt: only `end` or `putBack` with that attempt can change it, even if another window now holds the
// lease. `putBack` queues it again if nothing was sent, or if the service's response calls for another try. If the
// window closes instead, `serve` in another window makes the import unconfirmed, and only the user can have it sent
// again.
import { isOutdated } from './leases';
import type { Begin, Cause, End, Ended, ImportOutcome, ImportRow, NextImport, PutBack } from './model';
import { addEvent, refresh } from './rows';
import { addTasks, otherFileWithId, storeResponse } from './tasks';
import type { Tx } from './tx';

/**
 * If the service asks us this many times to try a file again later but accepts other files, we treat the file as
 * rejected.
 */
const MAX_ANSWERS = 5;

/** Returns the next imports to send: single files first, then imports with the fewest tries, then the oldest. */
export function next(tx: Tx, wanted: { destination: number; count: number; except: readonly number[] }): NextImport[] {
  return isOutdated(tx) ? [] : tx.all<NextImport>(NEXT, wanted.destination, wanted.except, wanted.count);
}

const NEXT = `SELECT i.id AS import, f.id AS file, f.path, f.text_file AS textFile, f.name, f.relative_path AS relativePath,
    i.size AS sizeBytes, i.modified_ms AS modifiedMs, i.sha256, i.single
  FROM imports i INDEXED BY imports_queued CROSS JOIN files f ON f.id = i.file
  WHERE i.destination = ? AND i.outcome = 'queued' AND i.file NOT IN (SELECT value FROM json_each(?))
  ORDER BY i.single DESC, i.tries, i.id LIMIT ?`;

/**
 * Marks imports as sending before anything is sent. Returns the attempts that may proceed. Idempotent: if the result is lost,
 * repeating the call returns the same attempts.
 */
export function begin(tx: Tx, attempts: readonly Begin[]): string[] {
  const mayMark = !isOutdated(tx);
  const marked: number[] = [];
  const started = attempts.filter(({ import: id, attempt, content }) => {
    if (!attempt.startsWith(`${tx.window.id} `)) return false;
    const { sizeBytes = null, modifiedMs = null, sha256 = null } = content ?? {};
    const values = [attempt, tx.nowMs, sizeBytes, modifiedMs, sha256, content !== undefined];
    const [changed] = mayMark ? tx.all<{ file: number }>(MARK, id, tx.window.id, ...values) : [];
    if (changed !== undefined) marked.push(changed.file);
    const stored = tx.one<StoredAttempt>(ATTEMPT, attempt);
    return stored?.id === id && stored.outcome === 'sending';
  });
  refresh(tx, marked);
  return started.map(({ attempt }) => attempt);
}

// Our copy of a text doesn't change, so the text keeps the hash that was stored when it was queued.
const TEXT_HASH = '(SELECT imports.sha256 FROM files f WHERE f.id = imports.file AND f.text_file IS NOT NULL)';

const MARK = `UPDATE imports SET outcome = 'sending', attempt = ?3, began_ms = ?4, ended_ms = NULL, sent_bytes = 0,
    size = ifnull(?5, size), modified_ms = iif(?8, ?6, modified_ms), sha256 = iif(?8, ifnull(?7, ${TEXT_HASH}), sha256)
  WHERE id = ?1 AND outcome = 'queued' AND cancel = 0
    AND EXISTS (SELECT 1 FROM files f WHERE f.id = imports.file AND f.import = imports.id)
    AND EXISTS (SELECT 1 FROM destinations d WHERE d.id = imports.destination AND d.window = ?2)
  RETURNING file`;

/** Stores the outcome of an attempt. Returns null if the attempt is unknown because the database was set aside. */
export function end(tx: Tx, ended: End): Ended | null {
  const stored = tx.one<StoredAttempt>(ATTEMPT, ended.attempt);
  if (stored !== undefined && isOpen(stored)) store(tx, stored, ended);
  return tx.one<Ended>(RESULT, ended.attempt) ?? null;
}

/**
 * Whether the attempt's outcome can still change. If the attempt is unconfirmed only because its window was presumed
 * closed, a late response still counts.
 */
function isOpen({ outcome, cause }: StoredAttempt): boolean {
  return outcome === 'sending' || outcome === 'queued' || (outcome === 'unconfirmed' && cause?.name === 'WindowClosed');
}

function store(tx: Tx, { id, file, destination, cause: before }: StoredAttempt, ended: End): void {
  const { taskIds = [], content, response, sentBytes } = ended;
  if (content !== undefined) tx.run(SET_CONTENT, content.sizeBytes, content.modifiedMs, content.sha256, id);
  const repeated = ended.outcome === 'accepted' ? otherFileWithId(tx, id, taskIds) : undefined;
  const outcome = repeated === undefined ? ended.outcome : 'unconfirmed';
  const cause = repeated === undefined ? (ended.cause ?? null) : { name: 'RepeatedId', ...repeated };
  const set = 'UPDATE imports SET outcome = ?, cause = ?, ended_ms = ?, sent_bytes = ?, cancel = 0 WHERE id = ?';
  tx.run(set, outcome, cause, tx.nowMs, sentBytes, id);
  if (response !== undefined) storeResponse(tx, id, 'import', response);
  if (outcome === 'accepted') addTasks(tx, id, taskIds);
  tx.run('UPDATE destinations SET brake = ?1 WHERE id = ?2 AND brake <> ?1', ended.brake, destination);
  if (file === null) return;
  if (before?.name === 'WindowClosed') addEvent(tx, file, { kind: 'lateResponse', import: id });
  refresh(tx, [file]);
}

const SET_CONTENT = `UPDATE imports SET size = ?, modified_ms = ?, sha256 = ifnull(?, ${TEXT_HASH}) WHERE id = ?`;

/**
 * Queues this window's imports again, because nothing was sent or because the service's response calls for another try.
 */
export function putBack(tx: Tx, attempts: readonly PutBack[]): (Ended | null)[] {
  return attempts.map((one) => {
    const stored = one.attempt.startsWith(`${tx.window.id} `) ? tx.one<StoredAttempt>(ATTEMPT, one.attempt) : undefined;
    if (stored === undefined) return null;
    // An import keeps its attempt when it is put back, so a second call finds it queued.
    if (stored.outcome !== 'queued' && isOpen(stored)) queueAgain(tx, stored, one);
    return tx.one<Ended>(RESULT, one.attempt) ?? null;
  });
}

/** Counts the responses about an import that called for another try. `sinceMs` is when the first one arrived. */
interface Rejections extends Cause {
  readonly times: number;
  readonly sinceMs: number;
}

function queueAgain(tx: Tx, stored: StoredAttempt, { tried, answer }: PutBack): void {
  const { id, file, destination, outcome } = stored;
  const before = outcome === 'sending' ? (stored.cause as Rejections | null) : null;
  // A rate limit or a rejected access key concerns all files.
  const isOwn = answer?.status !== 429 && answer?.status !== 401;
  const { times, sinceMs } = before?.times ? before : { times: 0, sinceMs: tx.nowMs };
  const rejections = answer && { ...answer, times: times + Number(isOwn), sinceMs };
  const finish = (ended: ImportOutcome, cause: Cause) => tx.run(END_UNSENT, ended, cause, tx.nowMs, id);
  if (stored.cancel || stored.removed) finish('notUploaded', { name: 'CanceledError' });
  else if (!stored.isNewest) finish('notUploaded', { name: 'Superseded' });
  else if (answer && isOwn && times + 1 >= MAX_ANSWERS && tx.one(OTHER_ACCEPTED, destination, sinceMs, tx.nowMs))
    finish('rejected', answer);
  else tx.run(QUEUE_AGAIN, tried, answer !== undefined && (isOwn || before !== null), rejections ?? before, id);
  if (file === null) return;
  if (answer !== undefined) addEvent(tx, file, { kind: 'putBack', import: id, answer });
  refresh(tx, [file]);
}

const END_UNSENT = 'UPDATE imports SET outcome = ?, cause = ?, ended_ms = ?, cancel = 0 WHERE id = ?';

// After a rejection of its own, or a second rate limit, even a single file goes behind the untried ones, because only
// another file shows whether this file is the problem.
const QUEUE_AGAIN = `UPDATE imports SET outcome = 'queued', tries = tries + ?, single = single AND NOT ?, cause = ?,
  began_ms = NULL, ended_ms = NULL, sent_bytes = 0 WHERE id = ?`;

// Tasks that were added by their ID have no attempt. If the clock was set back, earlier imports end in the future.
const OTHER_ACCEPTED = `SELECT 1 FROM imports WHERE destination = ? AND outcome = 'accepted' AND attempt IS NOT NULL
  AND ended_ms BETWEEN ? AND ? LIMIT 1`;

interface StoredAttempt extends Pick<ImportRow, 'id' | 'outcome' | 'cause' | 'cancel'> {
  readonly file: number | null;
  readonly destination: number;
  readonly isNewest: boolean;
  readonly removed: boolean;
}

const ATTEMPT = `SELECT i.id, i.file, i.destination, i.outcome, i.cause, i.cancel, f.import IS i.id AS isNewest,
    f.removed_ms IS NOT NULL AS removed
  FROM imports i LEFT JOIN files f ON f.id = i.file WHERE i.attempt = ?`;

const RESULT = 'SELECT outcome, cause FROM imports WHERE attempt = ?';
