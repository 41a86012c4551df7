import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { TaskState } from '../trackedTask';
import { partsOf } from './scan';
import { readCounts, type TaskCount } from './taskCounts';
import { allOf, conditionOf, type TaskFilter } from './taskFilter';

export type GroupBy = 'batch' | 'day' | 'dataset' | 'state';

/** A group and how many of its tasks are in which state. */
export interface Group {
  /** The batch's id, the local day as YYYY-MM-DD, the dataset's name, or the state; undefined for the tasks of no batch. */
  readonly value: string | undefined;
  readonly counts: ReadonlyMap<TaskState, number>;
  /** Of a batch: when its newest task was begun, milliseconds since 1970. */
  readonly newestMs: number | undefined;
}

/** Reads all groups: batches with the one that was imported last first, days with the latest first, others in no order. */
export function readGroups(db: DatabaseSync, by: GroupBy, filter: TaskFilter): Group[] {
  const found = new Map<string | undefined, Map<TaskState, number>>();
  for (const { value, state, count } of by === 'day' ? readDays(db, filter) : readValues(db, by, filter)) {
    const counts = found.get(value) ?? new Map<TaskState, number>();
    found.set(value, counts);
    counts.set(state, (counts.get(state) ?? 0) + count);
  }
  const groups = [...found].map(([value, counts]): Group => {
    const newest = by === 'batch' && value !== undefined ? prepared(db, NEWEST_OF).get(value)?.['ms'] : undefined;
    return { value, counts, newestMs: newest === undefined ? undefined : Number(newest) };
  });
  if (by === 'day') return groups.sort((one, other) => ((one.value ?? '') < (other.value ?? '') ? 1 : -1));
  return groups.sort((one, other) => (other.newestMs ?? 0) - (one.newestMs ?? 0));
}

/** How many tasks of a group are in a state. */
interface Counted {
  readonly value: string | undefined;
  readonly state: TaskState;
  readonly count: number;
}

function readValues(db: DatabaseSync, by: Exclude<GroupBy, 'day'>, filter: TaskFilter): Counted[] {
  const groupValue = ({ batchId, dataset, state }: TaskCount) => ({ batch: batchId, dataset, state })[by];
  return readCounts(db, filter).map((counted) => ({ ...counted, value: groupValue(counted) }));
}

function readDays(db: DatabaseSync, filter: TaskFilter): Counted[] {
  return partsOf({ by: 'rank' }).flatMap(({ table, condition }) => {
    const { sql, values } = allOf([condition, conditionOf(filter)]);
    const days = `SELECT date(created_ms / 1000, 'unixepoch', 'localtime') AS day, state, count(*) AS count
      FROM ${table} WHERE ${sql} GROUP BY 1, 2`;
    return prepared(db, days)
      .all(...values)
      .map(({ day, state, count }) => ({
        value: String(day),
        state: state as TaskState,
        count: Number(count),
      }));
  });
}

const NEWEST_OF = 'SELECT max(created_ms) AS ms FROM tasks WHERE batch_id = ?';
