import { LEASE_MS } from '../windowWatch';
import { CANCELED, statesOf } from './lists';
import type { Announcement, BatchPage, BatchRow, RunRow } from './model';
import { CHOSEN, IS_UNFINISHED } from './rows';
import { Rest, type Step, type Tx } from './tx';

/** The number of time slices in a run's chart. */
const PARTS = 60;

/** Reads the data for a batch's page, or null if there is no such batch. */
export function batchPage(tx: Tx, id: number): BatchPage | null {
  const [batch] = batches(tx, [id]);
  if (batch === undefined) return null;
  const runs = tx.all<StoredRun>(RUNS_OF_BATCH, id).map((run) => readRun(tx, run));
  const counts = statesOf(tx, { batch: id });
  const canceled = statesOf(tx, { batch: id, reason: CANCELED }).notUploaded ?? 0;
  const found = tx.all<{ reason: string; count: number; total: number }>(REASONS, id);
  const reasons = found.map((one) => ({ ...one, files: tx.ids(FILES_WITH_REASON, id, one.reason) }));
  return { batch, counts, canceled, runs, reasons, course: courseOf(tx, id, runs) };
}

const RUNS_OF_BATCH = 'SELECT * FROM runs WHERE batch = ? ORDER BY began_ms';

interface StoredRun {
  readonly id: string;
  readonly batch: number | null;
  readonly began_ms: number;
  readonly skipped: RunRow['skipped'];
}

function readRun(tx: Tx, { id, began_ms: beganMs, skipped }: StoredRun, sums = SUMS_OF_RUN): RunRow {
  const ended = tx.all<{ outcome: string; count: number; endedMs: number | null }>(sums, id);
  const endedMs = Math.max(0, ...ended.map((one) => one.endedMs ?? 0)) || null;
  return { id, beganMs, endedMs, skipped, sums: Object.fromEntries(ended.map((one) => [one.outcome, one.count])) };
}

// A file that wasn't uploaded no longer counts once the user removes its row.
const countOf = (outcome: string) => `sum(${outcome} <> 'notUploaded'
  OR NOT EXISTS (SELECT 1 FROM files WHERE id = i.file AND removed_ms IS NOT NULL)) AS count`;
const SUMS_OF_RUN = `SELECT outcome, ${countOf('outcome')}, max(ended_ms) AS endedMs FROM imports i WHERE run = ? GROUP BY 1`;

const REASONS = `SELECT reason, count(*) AS count, sum(count(*)) OVER () AS total FROM files INDEXED BY files_by_reason
  WHERE batch = ? AND reason IS NOT NULL AND removed_ms IS NULL GROUP BY reason ORDER BY count DESC LIMIT 20`;
const FILES_WITH_REASON = `SELECT id FROM files INDEXED BY files_by_reason
  WHERE batch = ? AND reason = ? AND removed_ms IS NULL ORDER BY id LIMIT 20`;

/**
 * The chart of the latest run: how many files had been uploaded, and how many had finished, by the end of each time
 * slice.
 */
function courseOf(tx: Tx, batch: number, runs: readonly RunRow[]): BatchPage['course'] {
  const newest = runs.at(-1);
  const fromMs = newest?.beganMs ?? tx.nowMs;
  const parts = (times: readonly { readonly part: number; readonly count: number }[]) => {
    const counts = new Map(times.map(({ part, count }) => [part, count]));
    let total = 0;
    return Array.from({ length: PARTS }, (_, part) => (total += counts.get(part) ?? 0));
  };
  const isUnfinished = tx.one('SELECT 1 FROM files WHERE batch = ? AND unfinished = 1 LIMIT 1', batch) !== undefined;
  const last = tx.one<{ last: number | null }>(LAST_OF_RUN, newest?.id ?? null)?.last ?? fromMs;
  const toMs = Math.max(isUnfinished ? tx.nowMs : last, fromMs + PARTS);
  const values = [fromMs, (toMs - fromMs) / PARTS, newest?.id ?? null];
  return { fromMs, toMs, uploaded: parts(tx.all(UPLOADED, ...values)), finished: parts(tx.all(FINISHED, ...values)) };
}

const LAST_OF_RUN = `SELECT max(max(i.ended_ms), ifnull(max(t.ended_ms), 0)) AS last
  FROM imports i LEFT JOIN tasks t ON t.import = i.id WHERE i.run = ?`;
const PART = (ms: string) => `max(0, min(${PARTS - 1}, CAST((${ms} - ?1) / ?2 AS INTEGER)))`;
const UPLOADED = `SELECT ${PART('ended_ms')} AS part, count(*) AS count FROM imports
  WHERE run = ?3 AND outcome = 'accepted' AND file IS NOT NULL GROUP BY part`;
const FINISHED = `SELECT ${PART('ms')} AS part, count(*) AS count FROM (
  SELECT max(t.ended_ms) AS ms FROM imports i JOIN tasks t ON t.import = i.id
  WHERE i.run = ?3 GROUP BY i.id HAVING count(*) = count(t.ended_ms)) GROUP BY part`;

export function batches(tx: Tx, ids: readonly (number | null)[]): BatchRow[] {
  return tx.all(`SELECT ${BATCH} FROM batches b WHERE id ${CHOSEN}`, ids);
}

const BATCH = `b.id, b.destination, b.label, b.folder,
    coalesce((SELECT max(began_ms) FROM runs WHERE batch = b.id),
      (SELECT max(i.queued_ms) FROM files f JOIN imports i ON i.id = f.import
        WHERE f.batch = b.id AND f.removed_ms IS NULL), 0) AS beganMs`;

/** If a run or batch ended longer ago than this, don't show a message, because the badge is enough. */
const NEWS_MS = 3_600_000;

/**
 * Claims the messages about runs and batches that have ended. The window that started a run announces the run, and the
 * serving window announces a batch. If no window is serving the destination, the window that started the batch's last
 * run announces the batch. Messages that are still unclaimed after a while are claimed by the serving window, or by any
 * window if none is serving. A single file gets only one message, after its task has ended.
 */
export function announce(tx: Tx, served: readonly number[]): Step<Announcement> {
  const { runs, ended } = endedNow(tx, served);
  if (runs.length + ended.length === 0) return { runs: [], batches: [] };
  return new Rest((step) => claim(step, endedNow(step, served)));
}

interface EndedBatch extends BatchRow {
  readonly ended_ms: number;
  /** The window that started the last run. */
  readonly window: string | null;
}

interface EndedRun extends StoredRun {
  readonly window: string;
  readonly destination: number;
  readonly ended_ms: number;
  readonly isNewest: boolean;
}

function endedNow(tx: Tx, served: readonly number[]) {
  const overdueMs = tx.nowMs - LEASE_MS;
  const free = new Set(tx.ids('SELECT id FROM destinations WHERE window IS NULL'));
  const isServed = ({ destination }: { readonly destination: number }) => served.includes(destination);
  const isOverdue = (one: EndedRun | EndedBatch) =>
    one.ended_ms < overdueMs && (isServed(one) || free.has(one.destination));
  const isOwn = ({ window }: { readonly window: string | null }) => window === tx.window.id;
  const isLeft = (batch: EndedBatch) => isOwn(batch) && free.has(batch.destination);
  return {
    runs: tx.all<EndedRun>(ENDED_RUNS).filter((run) => isOwn(run) || isOverdue(run)),
    ended: tx.all<EndedBatch>(ENDED_BATCHES).filter((batch) => isServed(batch) || isOverdue(batch) || isLeft(batch)),
  };
}

const IN_RUN = 'id IN (SELECT file FROM imports WHERE run = runs.id)';
// If a single file was imported again before its task ended, the message about the later run covers both runs.
const IS_NEWEST = `NOT EXISTS (SELECT 1 FROM imports i JOIN files f ON f.id = i.file JOIN imports latest ON latest.id = f.import
    JOIN runs later ON later.id = latest.run
  WHERE i.run = runs.id AND i.single AND later.id <> runs.id AND later.announced_ms IS NULL)`;
const ENDED_RUNS = `SELECT runs.*, ${IS_NEWEST} AS isNewest,
    ifnull((SELECT destination FROM batches WHERE id = runs.batch),
      (SELECT destination FROM imports WHERE run = runs.id LIMIT 1)) AS destination,
    ifnull(iif(batch IS NULL,
      (SELECT max(changed_ms) FROM files WHERE ${IN_RUN}),
      (SELECT max(ended_ms) FROM imports WHERE run = runs.id)), began_ms) AS ended_ms
  FROM runs WHERE announced_ms IS NULL AND NOT ${IS_UNFINISHED}
    AND (batch IS NOT NULL OR (SELECT count(*) FROM (SELECT 1 FROM imports WHERE run = runs.id LIMIT 2)) = 2
      OR NOT EXISTS (SELECT 1 FROM files WHERE ${IN_RUN} AND unfinished = 1))`;

// If a file was imported again, count its newest outcome.
const SUMS_NOW = `SELECT ifnull(newest.outcome, i.outcome) AS outcome, ${countOf('ifnull(newest.outcome, i.outcome)')},
    max(i.ended_ms) AS endedMs
  FROM imports i LEFT JOIN files f ON f.id = i.file LEFT JOIN imports newest ON newest.id = f.import AND newest.id > i.id
  WHERE i.run = ? GROUP BY 1`;

const ENDED_BATCHES = `SELECT ${BATCH},
    (SELECT max(changed_ms) FROM files WHERE batch = b.id) AS ended_ms,
    (SELECT window FROM runs WHERE batch = b.id ORDER BY began_ms DESC LIMIT 1) AS window
  FROM batches b WHERE b.announced_ms IS NULL
    AND NOT EXISTS (SELECT 1 FROM files WHERE destination = b.destination AND batch = b.id AND unfinished = 1)
    AND EXISTS (SELECT 1 FROM files WHERE batch = b.id AND removed_ms IS NULL)`;

function claim(tx: Tx, { runs, ended }: ReturnType<typeof endedNow>): Announcement {
  for (const { id } of runs) tx.run('UPDATE runs SET announced_ms = ? WHERE id = ?', tx.nowMs, id);
  for (const { id } of ended) tx.run('UPDATE batches SET announced_ms = ? WHERE id = ?', tx.nowMs, id);
  const isNews = (endedMs: number) => endedMs > tx.nowMs - NEWS_MS;
  return {
    runs: runs
      .filter((run) => isNews(run.ended_ms) && run.isNewest)
      .map((run) => {
        const [batch = null] = batches(tx, [run.batch]);
        return { ...readRun(tx, run, SUMS_NOW), batch, destination: run.destination };
      }),
    batches: ended
      .filter((batch) => isNews(batch.ended_ms))
      .map(({ ended_ms: _, window: _window, ...batch }) => ({ ...batch, counts: statesOf(tx, { batch: batch.id }) })),
  };
}
