import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { keysOf } from '../rows/taskTable';

/** How many of the tasks that have ended are kept; Infinity without a limit. */
export interface Keeping {
  readonly days: number;
  readonly tasks: number;
}

/** The last task, by its end, that is kept no longer. */
export interface Cutoff {
  readonly endedMs: number;
  readonly key: number;
}

const DAY_MS = 86_400_000;

/** Up to where tasks that have ended are kept no longer; undefined where all are kept. */
export function cutoffOf(db: DatabaseSync, { days, tasks }: Keeping, nowMs: number): Cutoff | undefined {
  const old = Number.isFinite(days) ? { endedMs: nowMs - days * DAY_MS, key: Number.MAX_SAFE_INTEGER } : undefined;
  const row = Number.isFinite(tasks) ? prepared(db, FIRST_BEYOND).get(tasks) : undefined;
  if (row === undefined) return old;
  const beyond = { endedMs: Number(row['ended_ms']), key: Number(row['key']) };
  return old !== undefined && old.endedMs > beyond.endedMs ? old : beyond;
}

/** The next tasks that are kept no longer, the oldest first. */
export function keysUpTo(db: DatabaseSync, { endedMs, key }: Cutoff, count: number): number[] {
  return keysOf(prepared(db, UP_TO).all(endedMs, key, count));
}

/** What has ended and leaves nothing to decide. The index `tasks_ended` has these and no others. */
const CLEARED = `state IN ('succeeded', 'failed', 'rejected', 'notSent')`;

const FIRST_BEYOND = `SELECT ended_ms, key FROM tasks WHERE ${CLEARED} ORDER BY ended_ms DESC, key DESC LIMIT 1 OFFSET ?`;

const UP_TO = `SELECT key FROM tasks INDEXED BY tasks_ended
  WHERE ${CLEARED} AND (ended_ms, key) <= (?, ?) AND unfinished = 0
  ORDER BY ended_ms, key LIMIT ?`;
