import { RANKS } from '../rows/listedFacts';
import type { SqlCondition } from './taskFilter';

/** The position of a task in a list: tasks with problems come first, by rank. */
export interface ListPosition {
  readonly rank: number;
  readonly createdMs: number;
  readonly key: number;
}

/**
 * Through which tasks a query goes: all, newest first, by rank or by time alone; those that have the reason which the query
 * names; or by rank those of a batch, of one rank in
 * the order in which they were imported.
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
  if (scan.by === 'time') return [behind(after, { ...BY_TIME, ...NEWEST_FIRST })];
  if (scan.by === 'reason') return [behind(after, { ...BY_REASON, ...NEWEST_FIRST })];
  const ranks = RANKS.filter((rank) => rank >= (after?.rank ?? 0));
  return ranks.map((rank) =>
    behind(
      rank === after?.rank ? after : undefined,
      'batchId' in scan
        ? { ...ofBatch(scan.batchId, rank), ...BY_KEY }
        : { table: 'tasks INDEXED BY tasks_by_rank', condition: { sql: 'rank = ?', values: [rank] }, ...NEWEST_FIRST },
    ),
  );
}

interface OrderedPart extends Part {
  readonly behind: 'time' | 'key';
}

const NEWEST_FIRST = { order: 'ORDER BY created_ms DESC, key DESC', behind: 'time' } as const;
/** In a batch, rows keep their places, whatever is imported again. */
const BY_KEY = { order: 'ORDER BY key', behind: 'key' } as const;

const BY_TIME = { table: 'tasks INDEXED BY tasks_by_time', condition: { sql: 'TRUE', values: [] } };

const BY_REASON = { table: 'tasks INDEXED BY tasks_by_reason', condition: { sql: 'reason IS NOT NULL', values: [] } };

function ofBatch(batchId: string, rank: number): Pick<Part, 'table' | 'condition'> {
  return {
    table: 'tasks INDEXED BY tasks_by_batch',
    condition: { sql: 'batch_id = ? AND rank = ?', values: [batchId, rank] },
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
