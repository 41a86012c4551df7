import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { RANKS } from '../rows/listedFacts';
import type { TaskRow } from '../rows/taskRow';
import type { SqlCondition } from './taskFilter';

/** Entries of an index that are looked at before other work of this process runs: about 10 ms. */
const STEP_ENTRIES = 2000;

/** The place of a task in a list: tasks with problems come first, by rank. */
export interface ListPosition {
  readonly rank: number;
  readonly createdMs: number;
  readonly key: number;
}

/**
 * Through which tasks a query goes: all, newest first, by rank or by time alone; or by rank those of a batch, of one rank in
 * the order in which they were imported.
 */
export type Scan =
  | { readonly by: 'rank' }
  | { readonly by: 'time' }
  | { readonly by: 'rank'; readonly batchId: string };

/** A part of a scan, no longer than one step, as a table with a condition and the order of its rows. */
export interface Part {
  readonly table: string;
  readonly condition: SqlCondition;
  readonly order: string;
}

/** Goes through tasks in their order from behind a place, a part at a time. */
export function* partsOf(db: DatabaseSync, scan: Scan, after?: ListPosition): Generator<Part> {
  const ranks = scan.by === 'time' ? [undefined] : RANKS.filter((rank) => rank >= (after?.rank ?? 0));
  for (const rank of ranks) {
    const isWithin = after !== undefined && (rank === undefined || rank === after.rank);
    yield* partsOfRank(
      db,
      indexOf(scan, rank),
      'batchId' in scan ? OLDEST_FIRST : NEWEST_FIRST,
      isWithin ? after : undefined,
    );
  }
}

type Moment = Pick<ListPosition, 'createdMs' | 'key'>;

interface Direction {
  readonly first: Moment;
  readonly order: string;
  readonly behind: '<' | '>';
  readonly upTo: '>=' | '<=';
}

const NEWEST_FIRST: Direction = {
  first: { createdMs: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER },
  order: 'ORDER BY created_ms DESC, key DESC',
  behind: '<',
  upTo: '>=',
};

const OLDEST_FIRST: Direction = {
  first: { createdMs: -1, key: -1 },
  order: 'ORDER BY created_ms, key',
  behind: '>',
  upTo: '<=',
};

function* partsOfRank(
  db: DatabaseSync,
  { table, condition }: Omit<Part, 'order'>,
  { first, order, behind, upTo }: Direction,
  { createdMs, key }: Moment = first,
): Generator<Part> {
  let from: [number, number] | undefined = [createdMs, key];
  while (from !== undefined) {
    const within = `${condition.sql} AND (created_ms, key) ${behind} (?, ?)`;
    const values: SQLInputValue[] = [...condition.values, ...from];
    const last = `SELECT created_ms, key FROM ${table} WHERE ${within} ${order} LIMIT 1 OFFSET ${STEP_ENTRIES - 1}`;
    const end: TaskRow | undefined = prepared(db, last).get(...values);
    const to: [number, number] | undefined = end && [Number(end['created_ms']), Number(end['key'])];
    yield {
      table,
      order,
      condition:
        to === undefined
          ? { sql: within, values }
          : { sql: `${within} AND (created_ms, key) ${upTo} (?, ?)`, values: [...values, ...to] },
    };
    from = to;
  }
}

function indexOf(scan: Scan, rank: number | undefined): Omit<Part, 'order'> {
  if (rank === undefined) return { table: 'tasks INDEXED BY tasks_by_time', condition: { sql: 'TRUE', values: [] } };
  if ('batchId' in scan) {
    const condition = { sql: 'batch_id = ? AND rank = ?', values: [scan.batchId, rank] };
    return { table: 'tasks INDEXED BY tasks_by_batch', condition };
  }
  return { table: 'tasks INDEXED BY tasks_by_rank', condition: { sql: 'rank = ?', values: [rank] } };
}
