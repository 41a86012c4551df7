import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { AMONG, listOf, selectTasks } from '../rows/taskTable';
import type { TaskState, TrackedTask } from '../trackedTask';
import { readCounts, type TaskCount } from './taskCounts';
import { conditionOf, type TaskFilter } from './taskFilter';

export type GroupBy = 'batch' | 'dataset' | 'state' | 'reason';

/** A group and how many of its tasks are in which state. */
export interface Group {
  /**
   * The batch's id, the dataset's name, the state, or the reason, which is empty for tasks that need nobody; undefined for
   * the tasks of no batch.
   */
  readonly value: string | undefined;
  readonly counts: ReadonlyMap<TaskState, number>;
  /** Of a batch: when its newest task was begun, milliseconds since 1970. */
  readonly newestMs: number | undefined;
  /** Of a reason: its oldest and its newest task, from which its words are. */
  readonly examples?: readonly TrackedTask[];
}

/** Reads all groups: the batch that was imported last comes first; others are in no order. */
export function readGroups(db: DatabaseSync, by: GroupBy, filter: TaskFilter): Group[] {
  if (by === 'reason') return readReasons(db, filter);
  const found = new Map<string | undefined, Map<TaskState, number>>();
  for (const { value, state, count } of readValues(db, by, filter)) {
    const counts = found.get(value) ?? new Map<TaskState, number>();
    found.set(value, counts);
    counts.set(state, (counts.get(state) ?? 0) + count);
  }
  const groups = [...found].map(([value, counts]): Group => {
    const newest = by === 'batch' && value !== undefined ? prepared(db, NEWEST_OF).get(value)?.['ms'] : undefined;
    return { value, counts, newestMs: newest === undefined ? undefined : Number(newest) };
  });
  return groups.sort((one, other) => (other.newestMs ?? 0) - (one.newestMs ?? 0));
}

/** How many tasks of a group are in a state. */
interface Counted {
  readonly value: string | undefined;
  readonly state: TaskState;
  readonly count: number;
}

function readValues(db: DatabaseSync, by: Exclude<GroupBy, 'reason'>, filter: TaskFilter): Counted[] {
  const groupValue = ({ batchId, dataset, state }: TaskCount) => ({ batch: batchId, dataset, state })[by];
  return readCounts(db, filter).map((counted) => ({ ...counted, value: groupValue(counted) }));
}

/** The reasons of most tasks first, and last what needs nobody. */
function readReasons(db: DatabaseSync, filter: TaskFilter): Group[] {
  const { sql, values } = conditionOf(filter);
  const rows = prepared(db, REASONS(sql)).all(...values);
  const others = new Map<TaskState, number>();
  const add = (state: TaskState, count: number) => others.set(state, (others.get(state) ?? 0) + count);
  for (const { state, count } of readCounts(db, filter)) add(state, count);
  const reasons = [...Map.groupBy(rows, ({ reason }) => String(reason))].map(([value, its]): Group => {
    const counts = new Map(its.map(({ state, count }) => [state as TaskState, Number(count)]));
    for (const [state, count] of counts) add(state, -count);
    const keys = its.flatMap(({ first, last }) => [Number(first), Number(last)]);
    const examples = selectTasks(db, `WHERE ${AMONG}`, listOf([Math.min(...keys), Math.max(...keys)]));
    return { value, counts, newestMs: undefined, examples };
  });
  const counts = new Map([...others].filter(([, count]) => count > 0));
  const sizeOf = (group: Group) => [...group.counts.values()].reduce((sum, count) => sum + count, 0);
  const sorted = reasons.sort((one, other) => sizeOf(other) - sizeOf(one));
  return counts.size === 0 ? sorted : [...sorted, { value: '', counts, newestMs: undefined }];
}

const REASONS = (condition: string) => `SELECT reason, state, count(*) AS count, min(key) AS first, max(key) AS last
  FROM tasks INDEXED BY problems_by_reason WHERE reason IS NOT NULL AND ${condition} GROUP BY 1, 2`;

const NEWEST_OF = 'SELECT max(created_ms) AS ms FROM tasks WHERE batch_id = ?';
