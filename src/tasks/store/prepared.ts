import type { DatabaseSync, StatementSync } from 'node:sqlite';

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A statement of a database, compiled once: compiling costs as much as running it some ten times. */
export function prepared(db: DatabaseSync, sql: string): StatementSync {
  const known = statements.get(db) ?? new Map<string, StatementSync>();
  statements.set(db, known);
  const statement = known.get(sql) ?? db.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** Lets go of a database that is closed: its statements would keep it. */
export function forgetPrepared(db: DatabaseSync): void {
  statements.delete(db);
}
