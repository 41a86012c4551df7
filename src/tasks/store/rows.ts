import type { Cause, FileRow, Filter, ImportRow, State, StoredEvent, TaskRow } from './model';
import { PROBLEMS, STATES, TRACKED } from './model';
import { inSteps, type Step, type Tx, type Value } from './tx';

/** An SQL condition that is true if the ID is in the bound list. */
export const CHOSEN = 'IN (SELECT value FROM json_each(?))';

/**
 * Recomputes the columns `state`, `rank`, `reason` and `unfinished` from the latest imports and their tasks. Every
 * operation that changes an import or a task calls this. Forgets our copy of a text once its import is accepted. Batches
 * that become unfinished again will be announced again when they end.
 */
export function refresh(tx: Tx, files: readonly number[]): void {
  if (files.length === 0) return;
  tx.run(GO_BACK, files);
  tx.run(REFRESH, tx.nowMs, nextVersion(tx), files);
  tx.run(ANNOUNCE_AGAIN, files);
}

/**
 * Makes windows reread rows after a check is requested or finds nothing new. `changed_ms` stays the same, because a
 * check alone isn't progress.
 */
export function noteCheck(tx: Tx, files: readonly number[]): void {
  tx.run(`UPDATE files SET version = ? WHERE id ${CHOSEN}`, nextVersion(tx), files);
}

/** The version of the next change. `clear` keeps the row with the highest version, so versions never repeat. */
export function nextVersion(tx: Tx): number {
  return tx.one<{ next: number }>('SELECT ifnull(max(version), 0) + 1 AS next FROM files')?.next ?? 1;
}

const RANK = `CASE state ${STATES.map((state, rank) => `WHEN '${state}' THEN ${rank}`).join(' ')} END`;
const IS_PROBLEM = `state IN (${PROBLEMS.map((state) => `'${state}'`).join(', ')})`;

// The state of a file, which may have multiple tasks. The first condition that matches wins.
const STATE_OF_TASKS = `CASE
  WHEN sum(t.ended_ms IS NULL AND t.meaning = 'running') > 0 THEN 'running'
  WHEN sum(t.ended_ms IS NULL AND t.meaning = 'unknown') > 0 THEN 'unknown'
  WHEN sum(t.ended_ms IS NULL) = count(*) THEN 'waiting'
  WHEN sum(t.ended_ms IS NULL) > 0 THEN 'running'
  WHEN sum(t.meaning = 'failed') > 0 THEN 'failed'
  WHEN sum(t.meaning = 'untracked') > 0 THEN 'untracked'
  ELSE 'succeeded' END`;

const FACTS = `SELECT f.id, f.name, f.path, f.relative_path, f.removed_ms, iif(i.outcome = 'accepted', NULL, f.text_file) AS text_file,
    CASE WHEN i.outcome <> 'accepted' THEN i.outcome
      WHEN t.import IS NULL THEN iif(i.cause ->> 'name' = 'Marked', 'uploaded', 'noId')
      ELSE ${STATE_OF_TASKS} END AS state,
    ifnull(sum(t.ended_ms IS NULL AND t.import IS NOT NULL), 0) AS open,
    CASE WHEN i.outcome <> 'accepted' THEN i.cause ELSE max(iif(t.ended_ms IS NULL, t.cause, NULL)) END AS cause,
    max(CASE t.meaning WHEN 'failed' THEN t.message WHEN 'unknown' THEN t.status END) AS words
  FROM json_each(?3) chosen CROSS JOIN files f ON f.id = chosen.value JOIN imports i ON i.id = f.import
    LEFT JOIN tasks t ON t.import = i.id
  GROUP BY f.id`;

// If a file's latest import wasn't uploaded, an earlier unconfirmed import still needs the user's decision. If the latest
// import was canceled, an earlier import is tracked again if its tasks haven't ended or it has no task ID yet.
const GO_BACK = `UPDATE files SET import = earlier.id
  FROM (
    SELECT f.id AS file, i.cause ->> 'name' = 'CanceledError' AS canceled, (
        SELECT max(e.id) FROM imports e
        WHERE e.destination = i.destination AND e.path IS i.path AND e.file = f.id AND e.outcome <> 'notUploaded' AND e.id < i.id
      ) AS id
    FROM json_each(?) chosen CROSS JOIN files f ON f.id = chosen.value JOIN imports i ON i.id = f.import
    WHERE i.outcome = 'notUploaded'
  ) AS earlier
  WHERE files.id = earlier.file AND EXISTS (SELECT 1 FROM imports e LEFT JOIN tasks t ON t.import = e.id
    WHERE e.id = earlier.id AND (e.outcome = 'unconfirmed' OR (
      earlier.canceled AND e.outcome = 'accepted' AND t.ended_ms IS NULL AND e.cause ->> 'name' IS NOT 'Marked')))`;

const REFRESH = `UPDATE files
  SET state = now.state, rank = now.rank, unfinished = now.unfinished, reason = now.reason, changed_ms = ?1,
    version = ?2, text_file = now.text_file
  FROM (
    SELECT id, state, text_file, ${RANK} AS rank,
      state IN ('queued', 'sending') OR (open > 0 AND removed_ms IS NULL) AS unfinished,
      CASE WHEN ${IS_PROBLEM} OR cause ->> 'rejected' THEN reason_of(state, words, cause, name, path, relative_path) END AS reason
    FROM (${FACTS})
  ) AS now
  WHERE files.id = now.id`;

/** Makes sure that the batches of unfinished rows are announced again when they end. */
export const ANNOUNCE_AGAIN = `UPDATE batches SET announced_ms = NULL WHERE announced_ms IS NOT NULL AND id IN (
  SELECT batch FROM files WHERE id ${CHOSEN} AND unfinished = 1)`;
export const ANNOUNCE_FILE_AGAIN = `UPDATE runs SET announced_ms = NULL WHERE announced_ms IS NOT NULL AND id IN (
  SELECT i.run FROM files f JOIN imports i ON i.id = f.import WHERE f.id ${CHOSEN} AND f.unfinished = 1 AND i.single)`;

type Text = string | null;

/** Max length of a reason, in characters. */
const MAX_REASON = 300;
/** File names shorter than this aren't removed from reasons, because they may be ordinary words. */
const MIN_NAME = 4;

/**
 * Returns the same text for all rows with the same problem: the state, the kind and code of the cause, and its message
 * without numbers, quoted text or the file's own name. A status that is just a number is kept. Used for grouping, not for
 * display. SQL calls this function `reason_of`.
 */
export function reasonOf(state: string, words: Text, cause: Text, ...names: Text[]): string {
  const key = `${state} ${words} ${cause}`;
  const own = names.filter((name) => name !== null && name.length >= MIN_NAME && key.includes(name));
  const known = own.length > 0 ? undefined : REASONS.get(key);
  if (known !== undefined) return known;
  const { name, reason, code, status, message }: Partial<Cause> = cause === null ? {} : JSON.parse(cause);
  const exact = words === null ? [state, name, reason, code, status].filter((part) => part != null) : [state];
  const general = own
    .reduce<string>((rest, one) => rest.replaceAll(String(one), '*'), (words ?? message ?? '').slice(0, MAX_REASON))
    .replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|“[^”]*”/g, '*')
    .replaceAll(/\d+/g, (digits, _index, text) => (state === 'unknown' && digits === text ? digits : '#'));
  const short = [...exact, general].join(' ').slice(0, MAX_REASON).replaceAll(/\s+/g, ' ').trim();
  if (REASONS.size > MAX_KNOWN) REASONS.clear();
  if (own.length === 0) REASONS.set(key, short);
  return short;
}

/** Caches reasons that contain no file name, because thousands of rows may have the same reason. */
const REASONS = new Map<string, string>();
const MAX_KNOWN = 100;

export function addEvent(tx: Tx, file: number, event: StoredEvent): void {
  const add = 'INSERT INTO events SELECT ?1, ifnull(max(seq), 0) + 1, ?2, ?3 FROM events WHERE file = ?1';
  tx.run(add, file, tx.nowMs, event);
}

/** The SQL condition for listed rows of `files` that match a filter, and the values to bind. */
export function rowsOf(filter: Filter): { readonly sql: string; readonly values: readonly Value[] } {
  const conditions = ['files.removed_ms IS NULL'];
  const values: Value[] = [];
  const add = (sql: string, ...own: Value[]) => {
    conditions.push(sql);
    values.push(...own);
  };
  const { files, states, destinations, batch, run, reason, text, quietSinceMs, upTo } = filter;
  if (files !== undefined) add(`files.id ${CHOSEN}`, files);
  if (states !== undefined) add(`files.rank IN (${states.map(rankOf).join(', ')})`);
  if (destinations !== undefined) add(`files.destination ${CHOSEN}`, destinations);
  if (batch !== undefined) add('files.batch IS ?', batch);
  if (run !== undefined) add('files.id IN (SELECT file FROM imports WHERE run = ?)', run);
  // `IS ?` wouldn't use the index.
  if (reason === null) add('files.reason IS NULL');
  else if (reason !== undefined) add('files.reason = ?', reason);
  if (text !== undefined) {
    const part = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    add(HAS_TEXT, ...Array.from({ length: HAS_TEXT.split('?').length - 1 }, () => part));
  }
  if (quietSinceMs !== undefined)
    add(`files.rank IN (${TRACKED.map(rankOf).join(', ')}) AND files.changed_ms < ?`, quietSinceMs);
  if (upTo !== undefined) add('files.import <= ?', upTo);
  return { sql: conditions.join(' AND '), values };
}

/** The position of a state in the list. */
export function rankOf(state: State): number {
  return STATES.indexOf(state);
}

const LIKE = (...columns: string[]) => columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ');
const CAUSE_HAS_TEXT = LIKE(
  ...['message', 'code', 'excerpt', 'host', 'target', 'file'].map((field) => `cause ->> '${field}'`),
  // If there is an envelope, rows show its code instead of the HTTP status.
  "'HTTP ' || iif(cause ->> 'by' = 'envelope', NULL, cause ->> 'status')",
);

// Matches the text that a row shows and the file's earlier names. Each subquery runs once, in table order.
const HAS_TEXT = `(${LIKE('files.name', 'files.relative_path')}
  OR files.destination IN (SELECT id FROM destinations WHERE ${LIKE('dataset')})
  OR files.import IN (SELECT import FROM tasks WHERE ${LIKE('id', 'status', 'message')}
      OR (ended_ms IS NULL AND cause IS NOT NULL AND (${CAUSE_HAS_TEXT}))
    UNION ALL SELECT id FROM imports WHERE cause IS NOT NULL AND (${CAUSE_HAS_TEXT}))
  OR files.id IN (SELECT file FROM events WHERE event GLOB '{"kind":"renamed"*' AND (${LIKE("event ->> 'from'")})))`;

/** Changes the rows that match a filter, in steps. */
export function changeRows(tx: Tx, filter: Filter, change: (tx: Tx, files: readonly number[]) => void): Step<number> {
  const { sql, values } = rowsOf(filter);
  // With an index, SQLite would sort all matching IDs again in each step.
  return inSteps(tx, `SELECT id FROM files NOT INDEXED WHERE ${sql}`, values, (step, files) => {
    change(step, files);
    refresh(step, files);
  });
}

/** Reads rows in the order in which `files` lists their IDs. */
export function readRows(tx: Tx, files: readonly number[]): FileRow[] {
  const imports = new Map(tx.all<ImportRow>(NEWEST_IMPORTS, files).map((row) => [row.id, row]));
  const tasks = Map.groupBy(tx.all<TaskRow>(TASKS, [...imports.keys()]), (task) => task.import);
  const rows = tx.all<Omit<FileRow, 'import'> & { readonly import: number }>(FILES, files);
  const parts = (id: number) => ({ import: imports.get(id), tasks: tasks.get(id) ?? [] });
  return rows.map((row) => Object.assign(row, parts(row.import)) as FileRow);
}

/**
 * Whether a run has an import that is queued or being sent. Looks at the last file first, because files are sent in
 * order.
 */
export const IS_UNFINISHED = `EXISTS (
  SELECT 1 FROM imports WHERE run = runs.id AND outcome IN ('queued', 'sending') ORDER BY file DESC LIMIT 1)`;

/** Whether an import has tasks and all of them failed. If so, its content doesn't count as uploaded. */
export const hasFailed = (imports: string) =>
  `(SELECT min(meaning IS 'failed') FROM tasks WHERE import = ${imports}.id) IS 1`;

/** The columns of `imports` as an {@link ImportRow}. */
export const IMPORT_COLUMNS = `i.id, i.run, i.outcome, i.cause, i.cancel, i.queued_ms AS queuedMs,
  i.began_ms AS beganMs, i.ended_ms AS endedMs, i.sent_bytes AS sentBytes, max(i.size, ~i.size) AS sizeBytes,
  i.modified_ms AS modifiedMs, i.sha256`;

const NEWEST_IMPORTS = `SELECT ${IMPORT_COLUMNS} FROM json_each(?) chosen CROSS JOIN files f ON f.id = chosen.value
  JOIN imports i ON i.id = f.import`;

const FILES = `SELECT f.id, f.destination, d.dataset, d.origin, f.batch, f.path, f.name, f.relative_path AS relativePath,
    f.text_file AS textFile, f.state, f.reason, f.unfinished, f.changed_ms AS changedMs, f.removed_ms IS NOT NULL AS removed, f.import,
    CASE WHEN f.state IN ('failed', 'rejected', 'unconfirmed', 'notUploaded') THEN (
      SELECT max(ended_ms) FROM imports e
      WHERE e.destination = f.destination AND e.path = f.path AND e.outcome = 'accepted' AND e.id < f.import
        AND NOT ${hasFailed('e')}
    ) END AS lastUploadedMs
  FROM json_each(?) chosen CROSS JOIN files f ON f.id = chosen.value JOIN destinations d ON d.id = f.destination
  ORDER BY chosen.key`;

const TASKS = `SELECT import, id, status, meaning, progress, message, cause, nullif(checked_ms, 0) AS checkedMs,
    ended_ms AS endedMs, by_mapping AS byMapping, revision
  FROM tasks WHERE import ${CHOSEN} ORDER BY import, id`;
