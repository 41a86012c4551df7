import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { selectTasks } from '../rows/taskTable';
import type { TrackedTask } from '../trackedTask';

/** A row of the first level of the view: a task of no batch, or a batch. */
export type TopLevelRow = { readonly task: TrackedTask } | { readonly batchId: string };

/** A place in the order of the tasks' time. */
export type TaskPlace = Pick<TrackedTask, 'createdMs' | 'key'>;

export interface TopLevelPage {
  readonly rows: readonly TopLevelRow[];
  /** The place of its last task, or of its last batch's newest one, where there are more. */
  readonly end: TaskPlace | undefined;
}

/** Before the place of any task. */
export const NEWEST: TaskPlace = { createdMs: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER };

/** Reads a page of the first level, newest first. */
export function readTopLevel(db: DatabaseSync, limit: number, { createdMs, key } = NEWEST): TopLevelPage {
  const singles = selectTasks(db, SINGLES, createdMs, key, limit + 1).map((task) => ({
    row: { task },
    createdMs: task.createdMs,
    key: task.key,
  }));
  const batches = prepared(db, BATCHES)
    .all(createdMs, key, limit + 1)
    .map((row) => ({
      row: { batchId: String(row['batch_id']) },
      createdMs: Number(row['created_ms']),
      key: Number(row['key']),
    }));
  const all = [...singles, ...batches].sort((a, b) => b.createdMs - a.createdMs || b.key - a.key);
  const shown = all.slice(0, limit);
  return { rows: shown.map(({ row }) => row), end: all.length > limit ? shown.at(-1) : undefined };
}

const SINGLES = 'WHERE batch_id IS NULL AND (created_ms, key) < (?, ?) ORDER BY created_ms DESC, key DESC LIMIT ?';

const BATCHES = `WITH batches (id) AS (SELECT DISTINCT batch_id FROM counts WHERE batch_id <> '' AND count > 0)
  SELECT tasks.batch_id, created_ms, key FROM batches
  JOIN tasks ON key = (SELECT key FROM tasks WHERE batch_id = id ORDER BY created_ms DESC, key DESC LIMIT 1)
  WHERE (created_ms, key) < (?, ?) ORDER BY created_ms DESC, key DESC LIMIT ?`;
