import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { countAdded } from './counts';
import type { TaskRow } from './taskRow';
import { TASK_TABLES, type Writing } from './taskTable';

/** All that the store had of a task, row by row, so that it can be put back after it was removed. */
export interface RemovedTask {
  readonly key: number;
  readonly rows: Readonly<Record<(typeof TASK_TABLES)[number], readonly TaskRow[]>>;
}

/** Reads all that is kept of a task; the table of tasks has no row of one that is not tracked. */
export function readRows(db: DatabaseSync, key: number): RemovedTask['rows'] {
  const rows = TASK_TABLES.map((table) => [table, prepared(db, `SELECT * FROM ${table} WHERE key = ?`).all(key)]);
  return Object.fromEntries(rows);
}

/** Puts a removed task back as it was, under its key. Its removal goes from the log, so that no window acts on it any more. */
export function putRows(db: DatabaseSync, { key, rows }: RemovedTask, { revision }: Writing): void {
  for (const table of TASK_TABLES) {
    for (const row of rows[table]) {
      const columns = Object.keys(row);
      const insert = `INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`;
      prepared(db, insert).run(...Object.values(row));
    }
  }
  countAdded(db, [key]);
  prepared(db, 'UPDATE tasks SET revision = ? WHERE key = ?').run(revision, key);
  prepared(db, 'DELETE FROM removals WHERE key = ?').run(key);
}
