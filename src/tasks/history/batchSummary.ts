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
