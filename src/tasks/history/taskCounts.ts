import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Destination } from '../destination';
import { readDataset } from '../rows/taskRow';
import type { TaskState } from '../trackedTask';
import { type Part, partsOf } from './scan';
import { allOf, conditionOf, type SqlCondition, type TaskFilter } from './taskFilter';

/** How many tasks of a batch, or of none, go to a destination and are in a state. */
export interface TaskCount extends Destination {
  /** Undefined for those of no batch. */
  readonly batchId: string | undefined;
  readonly state: TaskState;
  readonly count: number;
  /** Of their files. */
  readonly sizeBytes: number;
}

/** Counts the tasks that fit, of all batches or of one. They are counted already, but for those of a text. */
export function readCounts(db: DatabaseSync, filter: TaskFilter, batchId?: string): TaskCount[] {
  const { text, ...others } = filter;
  const wanted = [conditionOf(others), ...(batchId === undefined ? [] : [{ sql: 'batch_id = ?', values: [batchId] }])];
  if (text === undefined) return rowsOf(db, SUMS, allOf([NOT_NONE, ...wanted]), GROUPED).map(readCount);
  const ofText = conditionOf({ text });
  // Each part is a statement of its own, between which other windows may write.
  return partsOf(batchId === undefined ? { by: 'rank' } : { by: 'rank', batchId }).flatMap(
    ({ table, condition }: Part) =>
      rowsOf(db, COUNTED(table), allOf([condition, ofText, ...wanted]), GROUPED).map(readCount),
  );
}

const SUMS = 'SELECT batch_id, dataset, origin, state, sum(count) AS count, sum(size_bytes) AS size_bytes FROM counts';

const GROUPED = 'GROUP BY 1, 2, 3, 4';

const NOT_NONE = { sql: 'counts.count > 0', values: [] };

const COUNTED = (table: string) =>
  `SELECT batch_id, dataset, origin, state, count(*) AS count, sum(size_bytes) AS size_bytes FROM ${table}`;

function rowsOf(db: DatabaseSync, select: string, { sql, values }: SqlCondition, rest: string) {
  return prepared(db, `${select} WHERE ${sql} ${rest}`).all(...values);
}

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
