import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { listedFacts } from '../rows/listedFacts';
import { AMONG, keysOf, listOf, selectTasks } from '../rows/taskTable';
import type { TaskState, TrackedTask } from '../trackedTask';
import { type ListPosition, partsOf, type Scan } from './scan';
import { allOf, conditionOf, type SqlCondition, type TaskFilter } from './taskFilter';

/** A group of tasks. */
export type GroupOf =
  /** Undefined stands for the tasks of no batch. */
  | { readonly by: 'batch'; readonly batchId: string | undefined }
  /** Those that were begun from one time until before another, in milliseconds since 1970. */
  | { readonly by: 'day'; readonly fromMs: number; readonly toMs: number }
  | { readonly by: 'dataset'; readonly dataset: string }
  | { readonly by: 'state'; readonly state: TaskState }
  /** Undefined stands for the tasks that need nobody. */
  | { readonly by: 'reason'; readonly reason: string | undefined };

/** Which tasks a page shows; of all groups where none is given. */
export interface PageQuery {
  readonly group?: GroupOf;
  readonly filter?: TaskFilter;
  /** Problems first, which is the default, or all by their time. Of a batch, the others are in the order of their import. */
  readonly order?: 'problemsFirst' | 'newestFirst';
  /** The end of the page before. */
  readonly after?: ListPosition;
  readonly limit: number;
}

export interface Page {
  readonly tasks: readonly TrackedTask[];
  /** Its end, where there are more. */
  readonly end: ListPosition | undefined;
}

/** Reads a page. */
export function readPage(
  db: DatabaseSync,
  { group, filter = {}, order = 'problemsFirst', after, limit }: PageQuery,
): Page {
  const wanted = allOf([conditionOf(filter), ...(group === undefined ? [] : [conditionOfGroup(group)])]);
  const keys: number[] = [];
  // One more than are shown, to see whether there are more.
  for (const part of partsOf(scanOf(order, group), after)) {
    const { sql, values } = allOf([part.condition, wanted]);
    const rows = prepared(db, `SELECT key FROM ${part.table} WHERE ${sql} ${part.order} LIMIT ?`);
    keys.push(...keysOf(rows.all(...values, limit + 1 - keys.length)));
    if (keys.length > limit) break;
  }
  const found = new Map(
    selectTasks(db, `WHERE ${AMONG}`, listOf(keys.slice(0, limit))).map((task) => [task.key, task]),
  );
  const tasks = keys.slice(0, limit).flatMap((key) => found.get(key) ?? []);
  return { tasks, end: keys.length > limit ? placeOf(tasks.at(-1)) : undefined };
}

function scanOf(order: 'problemsFirst' | 'newestFirst', group: GroupOf | undefined): Scan {
  if (group?.by === 'reason' && group.reason !== undefined) return { by: 'reason' };
  if (order === 'newestFirst') return { by: 'time' };
  return group?.by === 'batch' && group.batchId !== undefined ? { by: 'rank', batchId: group.batchId } : { by: 'rank' };
}

function conditionOfGroup(group: GroupOf): SqlCondition {
  switch (group.by) {
    case 'batch':
      return group.batchId === undefined
        ? { sql: 'batch_id IS NULL', values: [] }
        : { sql: 'batch_id = ?', values: [group.batchId] };
    case 'day':
      return { sql: 'created_ms >= ? AND created_ms < ?', values: [group.fromMs, group.toMs] };
    case 'dataset':
      return conditionOf({ dataset: group.dataset });
    case 'state':
      return conditionOf({ states: [group.state] });
    case 'reason':
      return group.reason === undefined
        ? { sql: 'reason IS NULL', values: [] }
        : { sql: 'reason = ?', values: [group.reason] };
  }
}

function placeOf(task: TrackedTask | undefined): ListPosition | undefined {
  return task && { rank: Number(listedFacts(task).rank), createdMs: task.createdMs, key: task.key };
}
