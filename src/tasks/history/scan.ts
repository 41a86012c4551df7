import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { RANKS } from '../rows/listedFacts';
import type { TaskRow } from '../rows/taskRow';
import type { Condition } from './taskFilter';

/** Entries of an index that are looked at before other work of this process runs: about 10 ms. */
const STEP_ENTRIES = 2000;

/** The place of a task in a list: tasks with problems come first, by rank, and those of one rank newest first. */
export interface Place {
  readonly rank: number;
  readonly createdMs: number;
  readonly key: number;
}

/** Through which tasks a query goes: all, by rank or by time alone, or those of a batch by rank. */
export type Scan =
  | { readonly by: 'rank' }
  | { readonly by: 'time' }
  | { readonly by: 'rank'; readonly batchId: string };

/** A part of a scan, no longer than one step, as a table with a condition. */
export interface Part {
  readonly table: string;
  readonly condition: Condition;
}

/** Goes through tasks in their order from behind a place, a part at a time. */
export function* partsOf(db: DatabaseSync, scan: Scan, after?: Place): Generator<Part> {
  const ranks = scan.by === 'time' ? [undefined] : RANKS.filter((rank) => rank >= (after?.rank ?? 0));
  for (const rank of ranks) {
    const isWithin = after !== undefined && (rank === undefined || rank === after.rank);
    yield* partsOfRank(db, scan, rank, isWithin ? after : FIRST);
  }
}

const FIRST = { createdMs: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER };

function* partsOfRank(
  db: DatabaseSync,
  scan: Scan,
  rank: number | undefined,
  { createdMs, key }: Pick<Place, 'createdMs' | 'key'>,
): Generator<Part> {
  const { table, condition } = indexOf(scan, rank);
  let from: [number, number] | undefined = [createdMs, key];
  while (from !== undefined) {
    const within = `${condition.sql} AND (created_ms, key) < (?, ?)`;
    const values: SQLInputValue[] = [...condition.values, ...from];
    const last = `SELECT created_ms, key FROM ${table} WHERE ${within} ${NEWEST_FIRST} LIMIT 1 OFFSET ${STEP_ENTRIES - 1}`;
    const end: TaskRow | undefined = prepared(db, last).get(...values);
    const to: [number, number] | undefined = end && [Number(end['created_ms']), Number(end['key'])];
    yield {
      table,
      condition:
        to === undefined
          ? { sql: within, values }
          : { sql: `${within} AND (created_ms, key) >= (?, ?)`, values: [...values, ...to] },
    };
    from = to;
  }
}

export const NEWEST_FIRST = 'ORDER BY created_ms DESC, key DESC';

function indexOf(scan: Scan, rank: number | undefined): Part {
  if (rank === undefined) return { table: 'tasks INDEXED BY tasks_by_time', condition: { sql: 'TRUE', values: [] } };
  if ('batchId' in scan) {
    const condition = { sql: 'batch_id = ? AND rank = ?', values: [scan.batchId, rank] };
    return { table: 'tasks INDEXED BY tasks_by_batch', condition };
  }
  return { table: 'tasks INDEXED BY tasks_by_rank', condition: { sql: 'rank = ?', values: [rank] } };
}
