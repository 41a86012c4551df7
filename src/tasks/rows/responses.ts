import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Responses } from '../trackedTask';

/** The responses about a task. */
export function readResponses(db: DatabaseSync, key: number): Responses {
  const row = prepared(db, 'SELECT * FROM responses WHERE key = ?').get(key);
  return { importResponse: textOf(row?.['import_response']), lastResponse: textOf(row?.['last_response']) };
}

/** Stores those of a task's responses that are given. */
export function putResponses(db: DatabaseSync, key: number, given: Partial<Responses>): void {
  for (const [part, column] of columns) {
    if (part in given) prepared(db, put(column)).run(key, given[part] ?? null);
  }
}

const columns = [
  ['importResponse', 'import_response'],
  ['lastResponse', 'last_response'],
] as const;

function put(column: string): string {
  return `INSERT INTO responses (key, ${column}) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET ${column} = excluded.${column}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
