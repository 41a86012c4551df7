import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../timing/clock';
import type { EditorWindow, WindowWatch } from '../windowWatch';

/** A value to bind to a statement. Lists and objects become JSON. */
export type Value = string | number | boolean | null | object;

/** State shared by all transactions in the thread. */
export interface ThreadState {
  readonly window: EditorWindow;
  /** The schema version that this version of the extension uses. */
  readonly schema: number;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly watch: WindowWatch;
  /**
   * This window's last lease renewal: the `beat` that it wrote, and its time on the monotonic clock. The renewal may
   * have been rolled back.
   */
  readonly renewal: { beat: number; ms: number };
}

/** The database transaction that an operation runs in. */
export class Tx {
  readonly nowMs: number;

  constructor(
    private readonly db: DatabaseSync,
    readonly thread: ThreadState,
  ) {
    this.nowMs = Math.trunc(thread.clock.now());
  }

  get window(): EditorWindow {
    return this.thread.window;
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    const { statement, json, flags } = prepared(this.db, sql);
    const rows = statement.all(...values.map(bound)) as Record<string, unknown>[];
    for (const name of json)
      for (const row of rows) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name]);
    for (const name of flags) for (const row of rows) row[name] = row[name] === 1;
    return rows as Row[];
  }

  one<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  ids(sql: string, ...values: readonly Value[]): number[] {
    return this.all<{ id: number }>(sql, ...values).map(({ id }) => id);
  }

  /** Returns the number of rows that changed. */
  run(sql: string, ...values: readonly Value[]): number {
    return Number(prepared(this.db, sql).statement.run(...values.map(bound)).changes);
  }

  /** Returns the ID of the new row. */
  insert(sql: string, ...values: readonly Value[]): number {
    return Number(prepared(this.db, sql).statement.run(...values.map(bound)).lastInsertRowid);
  }
}

/** The names of all query result columns that contain JSON. */
const JSON_COLUMNS = ['cause', 'pause', 'skipped', 'event'];
/** The names of all query result columns that contain 0 or 1. */
const FLAG_COLUMNS = ['cancel', 'canceled', 'single', 'byMapping', 'unfinished', 'removed', 'busy', 'isNewest'];

interface Prepared {
  readonly statement: StatementSync;
  readonly json: readonly string[];
  readonly flags: readonly string[];
}

const statements = new WeakMap<DatabaseSync, Map<string, Prepared>>();

/** Returns a cached statement, because compiling one takes ten times as long as running it. */
export function prepared(db: DatabaseSync, sql: string): Prepared {
  const known = statements.get(db) ?? new Map<string, Prepared>();
  const before = known.get(sql);
  if (before !== undefined) return before;
  statements.set(db, known);
  const statement = db.prepare(sql);
  const names = statement.columns().map(({ name }) => name);
  const isAmong = (list: readonly string[]) => names.filter((name) => list.includes(name));
  const added = { statement, json: isAmong(JSON_COLUMNS), flags: isAmong(FLAG_COLUMNS) };
  known.set(sql, added);
  return added;
}

function bound(value: Value): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** The rest of a long operation. Operations that are already waiting run first. */
export class Rest<Result> {
  constructor(readonly run: (tx: Tx) => Step<Result>) {}
}

/** An operation returns its result, or the rest of its work. */
export type Step<Result> = Result | Rest<Result>;

/** Rows per step of a long operation. Other windows and operations wait for at most one step. */
export const STEP_ROWS = 1000;

/**
 * Changes many rows in steps. Returns the number of affected rows. `select` reads the IDs of the rows and must end with
 * a WHERE clause, because each step appends a condition that skips the rows of earlier steps.
 */
export function inSteps(
  tx: Tx,
  select: string,
  values: readonly Value[],
  change: (tx: Tx, ids: readonly number[]) => void,
  before = { after: 0, count: 0 },
): Step<number> {
  const ids = tx.ids(`${select} AND id > ? ORDER BY id LIMIT ${STEP_ROWS}`, ...values, before.after);
  change(tx, ids);
  const count = before.count + ids.length;
  const after = ids.at(-1);
  if (after === undefined || ids.length < STEP_ROWS) return count;
  return new Rest((next) => inSteps(next, select, values, change, { after, count }));
}

export function withResult<From, To>(tx: Tx, step: Step<From>, map: (result: From, tx: Tx) => To): Step<To> {
  return step instanceof Rest ? new Rest((next) => withResult(next, step.run(next), map)) : map(step, tx);
}
