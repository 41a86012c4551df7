import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { IS_PROBLEM } from '../rows/listedFacts';
import { type BatchRun, readRuns } from '../rows/runs';
import { readSkipped, type Skipped } from '../rows/skipped';
import { AMONG, keysOf, listOf, selectTasks } from '../rows/taskTable';
import type { TrackedTask } from '../trackedTask';
import { type BatchSummary, readBatchSummary } from './batchSummary';

/** All that a page about a batch shows. */
export interface BatchPage {
  readonly summary: BatchSummary;
  readonly reasons: BatchReasons;
  /** The newest first. */
  readonly runs: readonly BatchRun[];
  /** Of the newest run, as are the others below; undefined where nothing of it is left. */
  readonly course: BatchCourse | undefined;
  readonly skipped: readonly Skipped[];
}

/** How the files of one start of an import got on: how many were uploaded, and had ended, by which time. */
export interface BatchCourse {
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How many files there are. */
  readonly total: number;
  /** At equal times from the first to the last, how many there were until then. */
  readonly uploaded: readonly number[];
  readonly ended: readonly number[];
}

/** Tasks of a batch that need a person for the same reason. */
export interface BatchReason {
  readonly count: number;
  /** The first of them. */
  readonly tasks: readonly TrackedTask[];
}

export interface BatchReasons {
  /** Those of most tasks first. */
  readonly reasons: readonly BatchReason[];
  /** How many more there are than are read. */
  readonly more: number;
}

/** How many parts the time is divided into. */
const PARTS = 60;

/** Max reasons, and max tasks of each, that are read. */
const MAX_REASONS = 20;
const MAX_TASKS = 20;

/** Reads the page about a batch; undefined where none of its tasks is tracked. */
export function readBatchPage(db: DatabaseSync, batchId: string, nowMs: number): BatchPage | undefined {
  const summary = readBatchSummary(db, batchId, {});
  if (summary === undefined) return undefined;
  const runs = readRuns(db, batchId);
  const beganMs = runs[0]?.beganMs ?? summary.first.createdMs;
  return {
    summary,
    runs,
    reasons: readReasons(db, batchId),
    course: readCourse(db, batchId, beganMs, nowMs),
    skipped: readSkipped(db, batchId, beganMs),
  };
}

/** Reads the course of what a batch holds of a start of its import, until now where that is under way. */
function readCourse(db: DatabaseSync, batchId: string, beganMs: number, nowMs: number): BatchCourse | undefined {
  const { total, unfinished, last } = prepared(db, RANGE).get(batchId, beganMs) ?? {};
  if (Number(total ?? 0) === 0) return undefined;
  const lastMs = Number(unfinished) > 0 ? Math.max(nowMs, Number(last)) : Number(last);
  const toMs = Math.max(lastMs, beganMs + PARTS);
  const partMs = (toMs - beganMs) / PARTS;
  const [uploaded, ended] = [new Array<number>(PARTS + 1).fill(0), new Array<number>(PARTS + 1).fill(0)];
  const note = (counts: number[], at: unknown) => {
    if (at === null) return;
    const part = Math.min(PARTS, Math.max(0, Math.ceil((Number(at) - beganMs) / partMs)));
    counts[part] = (counts[part] ?? 0) + 1;
  };
  for (const row of prepared(db, TIMES).iterate(batchId, beganMs)) {
    note(uploaded, row['uploaded_ms']);
    // What was not uploaded has ended nowhere.
    if (row['uploaded_ms'] !== null) note(ended, row['ended_ms']);
  }
  return { fromMs: beganMs, toMs, total: Number(total), uploaded: summed(uploaded), ended: summed(ended) };
}

function summed(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum;
  });
}

const RANGE = `SELECT count(*) AS total, sum(unfinished) AS unfinished,
    max(max(ifnull(uploaded_ms, 0), ifnull(ended_ms, 0))) AS last
  FROM tasks INDEXED BY tasks_by_batch_and_time WHERE batch_id = ? AND created_ms = ?`;

const TIMES = `SELECT uploaded_ms, ended_ms FROM tasks INDEXED BY tasks_by_batch_and_time WHERE batch_id = ? AND created_ms = ?`;

/** Reads for which reasons tasks of a batch need a person. */
function readReasons(db: DatabaseSync, batchId: string): BatchReasons {
  const rows = prepared(db, REASONS).all(batchId);
  const reasons = rows.slice(0, MAX_REASONS).map(({ reason, count }) => {
    const keys = keysOf(prepared(db, TASKS).all(batchId, reason ?? null, MAX_TASKS));
    const tasks = selectTasks(db, `WHERE ${AMONG} ORDER BY key`, listOf(keys));
    return { count: Number(count), tasks };
  });
  return { reasons, more: rows.length - reasons.length };
}

const REASONS = `SELECT reason, count(*) AS count FROM tasks INDEXED BY problems_by_batch
  WHERE batch_id = ? AND ${IS_PROBLEM} AND reason IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`;

const TASKS = `SELECT key FROM tasks INDEXED BY problems_by_batch WHERE batch_id = ? AND ${IS_PROBLEM} AND reason = ? LIMIT ?`;
