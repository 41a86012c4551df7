import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { readDataset } from '../rows/taskRow';
import type { TaskState } from '../trackedTask';
import { partsOf } from './scan';
import { allOf, conditionOf, type TaskFilter } from './taskFilter';

export type GroupBy = 'batch' | 'day' | 'dataset' | 'state';

/** A group and how many of its tasks are in which state. */
export interface Group {
  /** The batch's id, the local day as YYYY-MM-DD, the dataset's name, or the state; undefined for the tasks of no batch. */
  readonly value: string | undefined;
  readonly counts: ReadonlyMap<TaskState, number>;
  /** When its newest task was begun, milliseconds since 1970. */
  readonly newestMs: number;
}

const values: Readonly<Record<GroupBy, string>> = {
  batch: 'batch_id',
  day: `date(created_ms / 1000, 'unixepoch', 'localtime')`,
  dataset: 'dataset',
  state: 'state',
};

/** Reads all groups, that of the newest task first. */
export function readGroups(db: DatabaseSync, by: GroupBy, filter: TaskFilter): Group[] {
  const found = new Map<string | undefined, { counts: Map<TaskState, number>; newestMs: number }>();
  const wanted = conditionOf(filter);
  for (const { table, condition } of partsOf({ by: 'rank' })) {
    const { sql, values: parameters } = allOf([condition, wanted]);
    const count = `SELECT ${values[by]} AS value, state, count(*) AS count, max(created_ms) AS newest
      FROM ${table} WHERE ${sql} GROUP BY 1, 2`;
    for (const row of prepared(db, count).all(...parameters)) {
      const value = groupValue(by, row['value']);
      const group = found.get(value) ?? { counts: new Map<TaskState, number>(), newestMs: 0 };
      found.set(value, group);
      const state = row['state'] as TaskState;
      group.counts.set(state, (group.counts.get(state) ?? 0) + Number(row['count']));
      group.newestMs = Math.max(group.newestMs, Number(row['newest']));
    }
  }
  return [...found].map(([value, group]) => ({ value, ...group })).sort((a, b) => b.newestMs - a.newestMs);
}

function groupValue(by: GroupBy, value: unknown): string | undefined {
  if (value === null) return undefined;
  return by === 'dataset' ? readDataset(String(value)) : String(value);
}
