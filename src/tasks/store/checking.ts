// Which tasks are to be checked, and what their stored responses say under another mapping.
import type { Filter, ResponseKind, UnfinishedTask } from './model';
import { CHOSEN, nextVersion, noteCheck, rankOf, refresh, rowsOf } from './rows';
import { inSteps, type Step, type Tx } from './tx';

/**
 * The tasks to be checked at a destination, of the rows that changed since a version. `files` are all of these rows, so
 * that the caller can drop their other tasks. With version 0, `files` is empty.
 */
export function unfinishedTasks(tx: Tx, { destination, since }: { destination: number; since: number }) {
  const files = since === 0 ? [] : tx.ids(CHANGED, destination, since);
  return { version: nextVersion(tx) - 1, files, tasks: tx.all<UnfinishedTask>(UNFINISHED, destination, since) };
}

const CHANGED = 'SELECT id FROM files INDEXED BY files_by_version WHERE destination = ? AND version > ?';

const UNFINISHED = `SELECT t.import, t.id, t.revision, f.id AS file, i.queued_ms AS queuedMs, f.changed_ms AS changedMs,
    t.checked_ms AS checkedMs
  FROM files f INDEXED BY files_by_version JOIN imports i ON i.id = f.import JOIN tasks t ON t.import = i.id
  WHERE f.destination = ? AND f.version > ? AND f.unfinished = 1 AND t.ended_ms IS NULL AND f.removed_ms IS NULL`;

/**
 * Stored responses at a destination, for a mapping: those of rows that wait for an id, some at a time in the order of their
 * imports; or of each different result of a task, one.
 */
export function responses(tx: Tx, wanted: { destination: number; kind: ResponseKind; after: number }) {
  const select = wanted.kind === 'import' ? RESPONSES_WITHOUT_ID : RESPONSES_BY_RESULT;
  return tx.all<{ import: number; file: number; text: string }>(select, wanted.destination, wanted.after);
}

const RESPONSES_WITHOUT_ID = `SELECT i.id AS import, f.id AS file, r.text
  FROM files f JOIN imports i ON i.id = f.import JOIN responses r ON r.import = i.id AND r.kind = 'import'
  WHERE f.rank IN (${['noId' as const, 'unconfirmed' as const].map(rankOf)}) AND f.removed_ms IS NULL AND f.destination = ?
    AND i.id > ?
  ORDER BY i.id LIMIT 100`;

const RESPONSES_BY_RESULT = `SELECT max(i.id) AS import, i.file, r.text
  FROM imports i JOIN tasks t ON t.import = i.id JOIN responses r ON r.import = i.id AND r.kind = 'query'
  WHERE i.destination = ? AND i.id > ? AND i.file IS NOT NULL GROUP BY t.status, t.meaning LIMIT 100`;

/** Has unfinished tasks checked now, by the window that follows them. Returns the number of rows. */
export function checkNow(tx: Tx, filter: Filter): Step<number> {
  const { sql, values } = rowsOf(filter);
  return inSteps(tx, `SELECT id FROM files NOT INDEXED WHERE ${sql} AND unfinished = 1`, values, (step, files) => {
    step.run(CHECK_NOW, files);
    noteCheck(step, files);
  });
}

const CHECK_NOW = `UPDATE tasks SET checked_ms = NULL
  WHERE ended_ms IS NULL AND import IN (SELECT import FROM files WHERE id ${CHOSEN})`;

/**
 * After a change of the mapping: has all tasks checked that haven't ended, or whose result came from a mapping. Checks in
 * flight become stale. Returns the number of rows.
 */
export function checkAgain(tx: Tx, destination: number): Step<number> {
  return inSteps(tx, MAPPED, [destination], (step, files) => {
    step.run(CHECK_AGAIN, files);
    refresh(step, files);
  });
}

const IS_MAPPED = "(ended_ms IS NULL OR by_mapping = 1) AND meaning IS NOT 'untracked'";
const MAPPED = `SELECT id FROM files NOT INDEXED
  WHERE destination = ? AND EXISTS (SELECT 1 FROM tasks WHERE import = files.import AND ${IS_MAPPED})`;
const CHECK_AGAIN = `UPDATE tasks SET ended_ms = NULL, checked_ms = NULL, revision = revision + 1
  WHERE ${IS_MAPPED} AND import IN (SELECT import FROM files WHERE id ${CHOSEN})`;
