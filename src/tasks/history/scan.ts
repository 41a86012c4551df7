import { IS_PROBLEM, PROBLEMS, RANKS } from '../rows/listedFacts';
import { allOf, type SqlCondition } from './taskFilter';

/** The position of a task in a list: tasks with problems come first, by rank. */
export interface ListPosition {
  readonly rank: number;
  readonly createdMs: number;
  readonly key: number;
}

/**
 * Through which tasks a query goes: all, newest first, by rank or by time alone; those that have the reason which the query
 * names; or by rank those of a batch, of one rank in the order in which they were imported.
 */
export type Scan =
  | { readonly by: 'rank' }
  | { readonly by: 'time' }
  | { readonly by: 'reason' }
  | { readonly by: 'rank'; readonly batchId: string };

/** A part of a scan, as a table with a condition and the order of its rows. */
export interface Part {
  readonly table: string;
  readonly condition: SqlCondition;
  readonly order: string;
}

/** The parts of a scan in their order, from behind a position. */
export function partsOf(scan: Scan, after?: ListPosition): Part[] {
  if (scan.by === 'time') return [behind(after, BY_TIME)];
  if (scan.by === 'reason') return [behind(after, BY_REASON)];
  const batchId = 'batchId' in scan ? scan.batchId : undefined;
  return RANKS.filter((rank) => rank >= (after?.rank ?? 0)).map((rank) =>
    behind(rank === after?.rank ? after : undefined, ofRank(rank, batchId)),
  );
}

interface OrderedPart extends Part {
  readonly behind: 'time' | 'key';
}

const NEWEST_FIRST = { order: 'ORDER BY created_ms DESC, key DESC', behind: 'time' } as const;

const BY_TIME: OrderedPart = {
  table: 'tasks INDEXED BY tasks_by_time',
  condition: { sql: 'TRUE', values: [] },
  ...NEWEST_FIRST,
};

const BY_REASON: OrderedPart = {
  table: 'tasks INDEXED BY problems_by_reason',
  condition: { sql: 'reason IS NOT NULL', values: [] },
  ...NEWEST_FIRST,
};

/** Problems have indexes of their own. In a batch, rows keep their places, whatever is imported again. */
function ofRank(rank: number, batchId: string | undefined): OrderedPart {
  const isProblem = rank < PROBLEMS.length;
  const ofThis = { sql: isProblem ? `rank = ? AND ${IS_PROBLEM}` : 'rank = ?', values: [rank] };
  if (batchId === undefined)
    return {
      table: `tasks INDEXED BY ${isProblem ? 'problems' : 'tasks_by_time'}`,
      condition: ofThis,
      ...NEWEST_FIRST,
    };
  return {
    table: `tasks INDEXED BY ${isProblem ? 'problems_by_batch' : 'tasks_by_batch'}`,
    condition: allOf([{ sql: 'batch_id = ?', values: [batchId] }, ofThis]),
    order: 'ORDER BY key',
    behind: 'key',
  };
}

function behind(after: ListPosition | undefined, { table, condition, order, behind }: OrderedPart): Part {
  if (after === undefined) return { table, condition, order };
  const { sql, values } = condition;
  return {
    table,
    order,
    condition: {
      sql: `${sql} AND ${behind === 'key' ? 'key > ?' : '(created_ms, key) < (?, ?)'}`,
      values: [...values, ...(behind === 'key' ? [] : [after.createdMs]), after.key],
    },
  };
}
