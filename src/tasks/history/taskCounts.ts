import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Destination } from '../destination';
import { readDataset } from '../rows/taskRow';
import type { TaskState } from '../trackedTask';
import { allOf, conditionOf, type TaskFilter } from './taskFilter';

/** How many tasks of a batch, or of none, go to a destination and are in a state. */
export interface TaskCount extends Destination {
  /** Undefined for those of no batch. */
  readonly batchId: string | undefined;
  readonly state: TaskState;
  readonly count: number;
  /** Of their files. */
  readonly sizeBytes: number;
}

/** Counts the tasks that fit, of all batches or of one. By a text or progress, the rows themselves have to be counted. */
export function readCounts(db: DatabaseSync, filter: TaskFilter, batchId?: string): TaskCount[] {
  const ofBatch = batchId === undefined ? [] : [{ sql: 'batch_id = ?', values: [batchId] }];
  const { sql, values } = allOf([conditionOf(filter), ...ofBatch]);
  const isCounted = filter.text === undefined && filter.noProgress === undefined;
  const counts = isCounted ? COUNTED : COUNTS_OF_TASKS;
  return prepared(db, `${counts} AND ${sql} GROUP BY 1, 2, 3, 4`)
    .all(...values)
    .map(readCount);
}

const COUNTED = `SELECT batch_id, dataset, origin, state, sum(count) AS count, sum(size_bytes) AS size_bytes
  FROM counts WHERE counts.count > 0`;

const COUNTS_OF_TASKS = `SELECT batch_id, dataset, origin, state, count(*) AS count, sum(size_bytes) AS size_bytes
  FROM tasks WHERE TRUE`;

function readCount(row: Readonly<Record<string, SQLOutputValue>>): TaskCount {
  return {
    batchId: textOf(row['batch_id']),
    dataset: readDataset(row['dataset']),
    origin: textOf(row['origin']),
    state: row['state'] as TaskState,
    count: Number(row['count']),
    sizeBytes: Number(row['size_bytes']),
  };
}

function textOf(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
