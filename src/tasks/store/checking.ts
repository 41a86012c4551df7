// Lists the tasks that need a status check and the stored responses for the mapping dialogs.
import type { Filter, ResponseKind, UnfinishedTask } from './model';
import { CHOSEN, nextVersion, noteCheck, rankOf, refresh, rowsOf } from './rows';
import { IS_WRONG_ID } from './tasks';
import { inSteps, STEP_ROWS, type Step, type Tx } from './tx';

/**
 * Reads a page of the tasks to check at a destination. If `since` is 0, reads the tasks of all unfinished rows.
 * Otherwise, reads only the tasks of rows that have changed since that version. For each file in the returned `files`,
 * the caller should replace all tasks it already has with the returned ones. `last` is null on the last page.
 */
export function unfinishedTasks(tx: Tx, wanted: { destination: number; since: number; after: number }) {
  const { destination, since, after } = wanted;
  const files = tx.ids(since === 0 ? UNFINISHED : CHANGED, destination, since, after);
  const last = files.length < STEP_ROWS ? null : (files.at(-1) ?? null);
  return { version: nextVersion(tx) - 1, files, tasks: tx.all<UnfinishedTask>(TASKS, files), last };
}

const PAGE = `destination = ? AND version > ? AND id > ? ORDER BY id LIMIT ${STEP_ROWS}`;
const UNFINISHED = `SELECT id FROM files NOT INDEXED WHERE unfinished = 1 AND ${PAGE}`;
const CHANGED = `SELECT id FROM files INDEXED BY files_by_version WHERE ${PAGE}`;

const TASKS = `SELECT t.import, t.id, t.revision, f.id AS file, i.queued_ms AS queuedMs, f.changed_ms AS changedMs,
    t.checked_ms AS checkedMs, t.cause IS NOT NULL AS isFailing
  FROM json_each(?) chosen CROSS JOIN files f ON f.id = chosen.value JOIN imports i ON i.id = f.import
    JOIN tasks t ON t.import = i.id
  WHERE f.unfinished = 1 AND t.ended_ms IS NULL`;

/**
 * Reads stored responses for a mapping. For `import`, returns the responses to imports that have no ID or a wrong one,
 * one page at a time. Includes removed rows, because the user may restore them. For `query`, returns one response for
 * each distinct combination of status and meaning.
 */
export function responses(tx: Tx, wanted: { destination: number; kind: ResponseKind; after: number }) {
  const select = wanted.kind === 'import' ? RESPONSES_WITHOUT_ID : RESPONSES_BY_RESULT;
  return tx.all<{ import: number; file: number; text: string }>(select, wanted.destination, wanted.after);
}

const RESPONSES_WITHOUT_ID = `SELECT i.id AS import, f.id AS file, r.text
  FROM imports i JOIN files f ON f.id = i.file AND f.import = i.id JOIN responses r ON r.import = i.id AND r.kind = 'import'
  WHERE f.rank IN (${(['noId', 'unconfirmed', 'waiting'] as const).map(rankOf)})
    AND f.destination = ? AND i.id > ? AND NOT EXISTS (SELECT 1 FROM tasks WHERE import = i.id AND NOT ${IS_WRONG_ID})
  ORDER BY i.id LIMIT 100`;

const RESPONSES_BY_RESULT = `SELECT max(i.id) AS import, i.file, r.text
  FROM imports i JOIN tasks t ON t.import = i.id JOIN responses r ON r.import = i.id AND r.kind = 'query'
  WHERE i.destination = ? AND i.id > ? AND i.file IS NOT NULL GROUP BY t.status, t.meaning LIMIT 100`;

/** Makes the serving window check unfinished tasks now. Returns the number of rows. */
export function checkNow(tx: Tx, filter: Filter): Step<number> {
  const { sql, values } = rowsOf(filter);
  return inSteps(tx, `SELECT id FROM files NOT INDEXED WHERE ${sql} AND unfinished = 1`, values, (step, files) => {
    step.run(CHECK_NOW, files);
    noteCheck(step, files);
  });
}

const CHECK_NOW = `UPDATE tasks SET checked_ms = 0
  WHERE ended_ms IS NULL AND import IN (SELECT import FROM files WHERE id ${CHOSEN})`;

/** The results that a new mapping may change. */
export interface Affected {
  readonly destination: number;
  /** The statuses whose meaning has changed, or null if the meaning of every status may have changed. */
  readonly statuses: readonly string[] | null;
  /** Whether the messages of failed tasks may have changed. */
  readonly messages: boolean;
}

/**
 * Call this after the mapping changes. Unfinished tasks are checked again, and so are finished tasks whose result was
 * determined by the changed part of the mapping. Checks in flight become stale. All other results are final. Returns
 * the number of updated rows.
 */
export function checkAgain(tx: Tx, { destination, statuses, messages }: Affected): Step<number> {
  const values = [messages, statuses === null, statuses ?? []];
  return inSteps(tx, MAPPED, [destination, ...values], (step, files) => {
    step.run(CHECK_AGAIN, ...values, files);
    refresh(step, files);
  });
}

const IS_AFFECTED = `(meaning = 'failed' AND ?) OR ? OR status ${CHOSEN}`;
const IS_MAPPED = `meaning IS NOT 'untracked' AND (ended_ms IS NULL OR (by_mapping = 1 AND (${IS_AFFECTED})))`;
const MAPPED = `SELECT id FROM files NOT INDEXED
  WHERE destination = ? AND EXISTS (SELECT 1 FROM tasks WHERE import = files.import AND ${IS_MAPPED})`;
const CHECK_AGAIN = `UPDATE tasks SET ended_ms = NULL, checked_ms = 0, revision = revision + 1
  WHERE ${IS_MAPPED} AND import IN (SELECT import FROM files WHERE id ${CHOSEN})`;

/**
 * The unrecognized statuses that must have meant "running", because the same task had a different status afterward. Both
 * must come from this source, because a status from another one doesn't show that the task has moved on.
 */
export function passedStatuses(tx: Tx, { destination, source }: { destination: number; source: string | null }) {
  return tx.all<{ status: string }>(PASSED, destination, source).map(({ status }) => status);
}

const STATUS = "event ->> 'status'";
const PASSED = `SELECT DISTINCT e.${STATUS} AS status FROM files f JOIN events e ON e.file = f.id
  WHERE f.destination = ?1 AND e.event ->> 'meaning' = 'unknown' AND e.event ->> 'source' IS ?2 AND EXISTS (
    SELECT 1 FROM events later WHERE later.file = e.file AND later.seq > e.seq AND later.event ->> 'source' IS ?2
      AND later.event ->> 'id' = e.event ->> 'id' AND later.${STATUS} <> e.${STATUS})`;
