import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../timing/clock';
import type { StoreWindow } from './model';
import type { WindowWatch } from './windowWatch';

/** Bound to a statement. A list becomes JSON, for `json_each`. */
type Value = string | number | boolean | null | readonly unknown[];

/** Shared by all transactions of the thread. */
export interface ThreadState {
  readonly window: StoreWindow;
  /** The version of the tables that this window knows. */
  readonly schema: number;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly watch: WindowWatch;
  /** When this window renewed its leases, by the monotonic clock. */
  readonly lease: { renewedMs: number | null };
}

/** A transaction, as an operation sees it. */
export class Tx {
  readonly nowMs: number;
  readonly #db: DatabaseSync;

  constructor(
    db: DatabaseSync,
    readonly thread: ThreadState,
  ) {
    this.#db = db;
    this.nowMs = Math.trunc(thread.clock.now());
  }

  get window(): StoreWindow {
    return this.thread.window;
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#statement(sql).all(...values.map(bound)) as Row[];
  }

  one<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#statement(sql).get(...values.map(bound)) as Row | undefined;
  }

  /** Returns the number of rows that changed. */
  run(sql: string, ...values: readonly Value[]): number {
    return Number(this.#statement(sql).run(...values.map(bound)).changes);
  }

  /** Returns the id of the new row. */
  insert(sql: string, ...values: readonly Value[]): number {
    return Number(this.#statement(sql).run(...values.map(bound)).lastInsertRowid);
  }

  #statement(sql: string): StatementSync {
    return prepared(this.#db, sql);
  }
}

/** The rest of a long operation. The operations that wait get their turn first. */
export class Rest<Result> {
  constructor(readonly run: (tx: Tx) => Step<Result>) {}
}

/** An operation returns its result, or the rest of its work. */
export type Step<Result> = Result | Rest<Result>;

/** Rows per step of a long operation: other windows and operations wait no longer than it takes. */
export const STEP_ROWS = 1000;

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Compiling a statement takes ten times as long as running it. */
function prepared(db: DatabaseSync, sql: string): StatementSync {
  let known = statements.get(db);
  if (known === undefined) {
    known = new Map();
    statements.set(db, known);
  }
  let statement = known.get(sql);
  if (statement === undefined) {
    statement = db.prepare(sql);
    known.set(sql, statement);
  }
  return statement;
}

function bound(value: Value): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
