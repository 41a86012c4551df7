import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { type TaskState, type TrackedTask, taskState } from '../trackedTask';

/** One start of a batch's import, which its tasks share by the time at which they were queued. */
export interface BatchRun {
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  /** When the last of its imports ended that are still its own; undefined while one has not. */
  readonly endedMs: number | undefined;
  /** How its imports stand, or stood when their files were imported again or removed from the list. */
  readonly counts: readonly { readonly state: TaskState; readonly count: number }[];
}

/** Keeps how an import of a batch stands, as its file is about to be imported again. */
export function leaveRun(db: DatabaseSync, task: TrackedTask): void {
  if (task.batch !== undefined) prepared(db, LEAVE).run(task.batch.id, task.createdMs, taskState(task));
}

/** Keeps how imports of batches stand, as they are about to be removed. */
export function leaveRuns(db: DatabaseSync, keys: readonly number[]): void {
  prepared(db, LEAVE_ALL).run(JSON.stringify(keys));
}

/** Counts a removed import no longer as one that has left its run, as it is there again. */
export function rejoinRun(db: DatabaseSync, key: number): void {
  prepared(db, REJOIN).run(key);
}

/** The runs of a batch, the newest first. */
export function readRuns(db: DatabaseSync, batchId: string): BatchRun[] {
  const rows = prepared(db, RUNS).all(batchId);
  return [...Map.groupBy(rows, ({ began_ms }) => Number(began_ms))].map(([beganMs, its]) => ({
    beganMs,
    endedMs: its.some(({ unended }) => Number(unended) > 0)
      ? undefined
      : Math.max(beganMs, ...its.map(({ ended_ms }) => Number(ended_ms))),
    counts: its.map(({ state, count }) => ({ state: String(state) as TaskState, count: Number(count) })),
  }));
}

/** Forgets the runs and counts of batches of which nothing is in the list. */
export function forgetRuns(db: DatabaseSync): void {
  for (const table of ['runs', 'skipped'])
    db.exec(`DELETE FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.batch_id = ${table}.batch_id)`);
  db.exec('DELETE FROM counts WHERE count = 0');
}

const LEAVE = `INSERT INTO runs (batch_id, began_ms, state, count) VALUES (?, ?, ?, 1)
  ON CONFLICT DO UPDATE SET count = count + 1`;

const LEAVE_ALL = `INSERT INTO runs (batch_id, began_ms, state, count)
  SELECT batch_id, created_ms, state, count(*) FROM tasks
    WHERE key IN (SELECT value FROM json_each(?)) AND batch_id IS NOT NULL GROUP BY 1, 2, 3
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

const REJOIN = `UPDATE runs SET count = count - 1
  WHERE (batch_id, began_ms, state) = (SELECT batch_id, created_ms, state FROM tasks WHERE key = ?)`;

const RUNS = `SELECT began_ms, state, sum(count) AS count, sum(unended) AS unended, max(ended_ms) AS ended_ms FROM (
    SELECT created_ms AS began_ms, state, count(*) AS count, max(ended_ms) AS ended_ms, count(*) - count(ended_ms) AS unended
      FROM tasks INDEXED BY tasks_by_batch_and_time WHERE batch_id = ?1 GROUP BY 1, 2
    UNION ALL SELECT began_ms, state, count, NULL, 0 FROM runs WHERE batch_id = ?1 AND count > 0)
  GROUP BY 1, 2 ORDER BY began_ms DESC`;
