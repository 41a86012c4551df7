import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Destination } from '../destination';
import { readDataset } from '../rows/taskRow';
import { findTask } from '../rows/taskTable';
import type { Batch, TaskState } from '../trackedTask';
import { partsOf } from './scan';
import { allOf, conditionOf, type TaskFilter } from './taskFilter';

/** How many tasks of a batch go to a destination and are in a state. */
export interface StateCount extends Destination {
  readonly state: TaskState;
  readonly count: number;
}

/** What the row of a batch says of its tasks. */
export interface BatchSummary {
  readonly batch: Batch;
  /** Where its newest import was begun, and when, milliseconds since 1970. */
  readonly first: Destination & { readonly createdMs: number };
  readonly counts: readonly StateCount[];
  /** Of the files of all that are counted. */
  readonly sizeBytes: number;
}

/** Reads the summary of those tasks of a batch that fit,; undefined where none of its tasks is tracked. */
export function readBatchSummary(db: DatabaseSync, batchId: string, filter: TaskFilter): BatchSummary | undefined {
  const { key } = prepared(db, NEWEST).get(batchId) ?? {};
  const first = key === undefined ? undefined : findTask(db, Number(key));
  const counts = new Map<string, StateCount>();
  let sizeBytes = 0;
  const wanted = conditionOf(filter);
  for (const { table, condition } of partsOf({ by: 'rank', batchId })) {
    const { sql, values } = allOf([condition, wanted]);
    const count = `SELECT state, dataset, origin, count(*) AS count, sum(size_bytes) AS size
      FROM ${table} WHERE ${sql} GROUP BY 1, 2, 3`;
    for (const row of prepared(db, count).all(...values)) {
      const name = JSON.stringify([row['state'], row['dataset'], row['origin']]);
      counts.set(name, {
        state: row['state'] as TaskState,
        dataset: readDataset(row['dataset']),
        origin: row['origin'] === null ? undefined : String(row['origin']),
        count: (counts.get(name)?.count ?? 0) + Number(row['count']),
      });
      sizeBytes += Number(row['size']);
    }
  }
  if (first === undefined) return undefined;
  const { batch = { id: batchId, label: '' }, dataset, origin, createdMs } = first;
  return { batch, first: { dataset, origin, createdMs }, counts: [...counts.values()], sizeBytes };
}

const NEWEST = 'SELECT key FROM tasks WHERE batch_id = ? ORDER BY created_ms DESC, key DESC LIMIT 1';
