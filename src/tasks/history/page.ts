import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { IS_PROBLEM, PROBLEMS, RANKS, rankOf } from '../rows/listedFacts';
import { AMONG, listOf, selectTasks } from '../rows/taskTable';
import { isOpenState, isRunningState, type TaskState, type TrackedTask } from '../trackedTask';
import { allOf, conditionOf, type SqlCondition, type TaskFilter } from './taskFilter';

/** A group of tasks. */
export type GroupOf =
  /** Undefined stands for the tasks of no batch. */
  | { readonly by: 'batch'; readonly batchId: string | undefined }
  | { readonly by: 'dataset'; readonly dataset: string }
  | { readonly by: 'state'; readonly state: TaskState }
  /** Undefined stands for the tasks that need nobody. */
  | { readonly by: 'reason'; readonly reason: string | undefined };

/** The position of a task in a list: tasks with problems come first, by rank. */
export interface ListPosition {
  readonly rank: number;
  readonly createdMs: number;
  readonly key: number;
}

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
  const places: ListPosition[] = [];
  // One more than are shown, to see whether there are more.
  for (const { index, rank, isByKey, condition } of partsOf(order, group, filter, after?.rank)) {
    const isBegun = after !== undefined && (rank === undefined || rank === after.rank);
    const { sql, values } = allOf([condition, wanted, ...(isBegun ? [behind(after, isByKey)] : [])]);
    const by = isByKey ? 'key' : 'created_ms DESC, key DESC';
    const select = `SELECT key, rank, created_ms FROM tasks INDEXED BY ${index} WHERE ${sql} ORDER BY ${by} LIMIT ?`;
    places.push(...placesOf(prepared(db, select).all(...values, limit + 1 - places.length)));
    if (places.length > limit) break;
  }
  const shown = places.slice(0, limit);
  const keys = shown.map(({ key }) => key);
  const found = new Map(selectTasks(db, `WHERE ${AMONG}`, listOf(keys)).map((task) => [task.key, task]));
  return { tasks: keys.flatMap((key) => found.get(key) ?? []), end: places.length > limit ? shown.at(-1) : undefined };
}

/** The part of a list that is read by one index: all of it, or the tasks of one rank. */
interface Part {
  readonly index: string;
  readonly rank?: number;
  /** Whether it is in the order in which its tasks were imported; else the newest come first. */
  readonly isByKey: boolean;
  readonly condition: SqlCondition;
}

/** The parts of a list in their order, from a rank on, as far as they can hold tasks of the wanted states. */
function partsOf(
  order: 'problemsFirst' | 'newestFirst',
  group: GroupOf | undefined,
  filter: TaskFilter,
  fromRank = 0,
): Part[] {
  if (group?.by === 'reason' && group.reason !== undefined)
    return [{ index: 'problems_by_reason', isByKey: false, condition: allOf([]) }];
  if (order === 'newestFirst') return [{ index: 'tasks_by_time', isByKey: false, condition: allOf([]) }];
  // In a batch, rows keep their places, whatever is imported again.
  const isByKey = group?.by === 'batch' && group.batchId !== undefined;
  const [problems, others] = isByKey ? ['problems_by_batch', 'tasks_by_batch'] : ['problems', 'tasks_by_time'];
  const states = group?.by === 'state' ? [group.state] : filter.states;
  const isWanted = (rank: number) => rank >= fromRank && (states?.some((state) => rankOf(state) === rank) ?? true);
  const areUnfinished = states?.every((state) => isOpenState(state) || isRunningState(state)) === true;
  const ofProblems = { index: problems, sql: `rank = ? AND ${IS_PROBLEM}` };
  const ofOthers = areUnfinished
    ? { index: 'tasks_unfinished', sql: 'rank = ? AND unfinished = 1' }
    : { index: others, sql: 'rank = ?' };
  return RANKS.filter(isWanted).map((rank) => {
    const { index, sql } = rank < PROBLEMS.length ? ofProblems : ofOthers;
    return { index, rank, isByKey, condition: { sql, values: [rank] } };
  });
}

function behind({ createdMs, key }: ListPosition, isByKey: boolean): SqlCondition {
  return isByKey ? { sql: 'key > ?', values: [key] } : { sql: '(created_ms, key) < (?, ?)', values: [createdMs, key] };
}

function conditionOfGroup(group: GroupOf): SqlCondition {
  switch (group.by) {
    case 'batch':
      return group.batchId === undefined
        ? { sql: 'batch_id IS NULL', values: [] }
        : { sql: 'batch_id = ?', values: [group.batchId] };
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

function placesOf(rows: readonly Readonly<Record<string, unknown>>[]): ListPosition[] {
  return rows.map(({ key, rank, created_ms }) => ({
    rank: Number(rank),
    createdMs: Number(created_ms),
    key: Number(key),
  }));
}
