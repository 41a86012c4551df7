import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { type TaskState, type TrackedTask, taskState } from '../trackedTask';

/** One start of a batch's import, which its tasks share by the time at which they were queued. */
export interface BatchRun {
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  /** When the last of its imports ended; undefined while one has not. Of those that were imported again since, none counts. */
  readonly endedMs: number | undefined;
  /** How its imports stand, or stood when their files were imported again. */
  readonly counts: readonly { readonly state: TaskState; readonly count: number }[];
}

/** Keeps how an import of a batch stands, as its file is about to be imported again. */
export function leaveRun(db: DatabaseSync, task: TrackedTask): void {
  if (task.batch !== undefined) prepared(db, LEAVE).run(task.batch.id, task.createdMs, taskState(task));
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

/** Forgets the runs of those of these batches of which nothing is left. */
export function forgetRuns(db: DatabaseSync, batchIds: readonly string[]): void {
  if (batchIds.length > 0) prepared(db, FORGET).run(JSON.stringify(batchIds));
}

const LEAVE = `INSERT INTO runs (batch_id, began_ms, state, count) VALUES (?, ?, ?, 1)
  ON CONFLICT DO UPDATE SET count = count + 1`;

const RUNS = `SELECT began_ms, state, sum(count) AS count, sum(unended) AS unended, max(ended_ms) AS ended_ms FROM (
    SELECT created_ms AS began_ms, state, count(*) AS count, max(ended_ms) AS ended_ms, count(*) - count(ended_ms) AS unended
      FROM tasks INDEXED BY tasks_of_batch WHERE batch_id = ?1 GROUP BY 1, 2
    UNION ALL SELECT began_ms, state, count, NULL, 0 FROM runs WHERE batch_id = ?1)
  GROUP BY 1, 2 ORDER BY began_ms DESC`;

const FORGET = `DELETE FROM runs WHERE batch_id IN (SELECT value FROM json_each(?))
  AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.batch_id = runs.batch_id)`;
