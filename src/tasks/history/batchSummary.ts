import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Destination } from '../destination';
import { findTask } from '../rows/taskTable';
import type { Batch } from '../trackedTask';
import { readCounts, type TaskCount } from './taskCounts';
import type { TaskFilter } from './taskFilter';

/** How many tasks of a batch go to a destination and are in a state. */
export type StateCount = Omit<TaskCount, 'batchId' | 'sizeBytes'>;

/** What the row of a batch says of its tasks. */
export interface BatchSummary {
  readonly batch: Batch;
  /** Where its newest import was begun, and when, milliseconds since 1970. */
  readonly first: Destination & { readonly createdMs: number };
  readonly counts: readonly StateCount[];
  /** Of the files of all that are counted. */
  readonly sizeBytes: number;
}

/** Reads the summary of those tasks of a batch that fit; undefined where none of its tasks is tracked. */
export function readBatchSummary(db: DatabaseSync, batchId: string, filter: TaskFilter): BatchSummary | undefined {
  const { key } = prepared(db, NEWEST).get(batchId) ?? {};
  const first = key === undefined ? undefined : findTask(db, Number(key));
  if (first === undefined) return undefined;
  const { batch = { id: batchId, label: '' }, dataset, origin, createdMs } = first;
  const counts = readCounts(db, filter, batchId);
  const sizeBytes = counts.reduce((sum, count) => sum + count.sizeBytes, 0);
  return { batch, first: { dataset, origin, createdMs }, counts, sizeBytes };
}

const NEWEST = 'SELECT key FROM tasks WHERE batch_id = ? ORDER BY created_ms DESC, key DESC LIMIT 1';

/**
 * The median time, in milliseconds, from the acceptance of a batch's tasks to the end that the service reported of them;
 * undefined where none has ended there. Clocks can be set: no time counts as less than none.
 */
export function readBatchMedian(db: DatabaseSync, batchId: string): number | undefined {
  const { ms } = prepared(db, MEDIAN).get(batchId) ?? {};
  return ms === undefined ? undefined : Number(ms);
}

const MEDIAN = `WITH times (ms) AS MATERIALIZED (
    SELECT max(0, ended_ms - coalesce(uploaded_ms, created_ms))
    FROM tasks INDEXED BY tasks_by_batch
    WHERE batch_id = ? AND state IN ('succeeded', 'failed') AND ended_ms IS NOT NULL
  )
  SELECT ms FROM times ORDER BY ms LIMIT 1 OFFSET (SELECT (count(*) - 1) / 2 FROM times)`;
