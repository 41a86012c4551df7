import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Responses, TrackedTask } from '../trackedTask';
import { noteContent } from './acceptedContents';
import { counted } from './counts';
import { LISTED_COLUMNS, listedFacts } from './listedFacts';
import { changedValues, readRow, TASK_COLUMNS, taskValues } from './taskRow';
import { addToTimeline } from './timeline';

/** The tables with rows of a task, each under its key. */
export const TASK_TABLES = ['tasks', 'responses', 'timeline'] as const;

const COLUMNS = [...TASK_COLUMNS, ...LISTED_COLUMNS];

const INSERT = `INSERT INTO tasks (key, revision, ${COLUMNS}) VALUES (?, ?, ${COLUMNS.map(() => '?')})`;

/** Max removals that the log of changes keeps: a window that is further behind compares what it holds. */
const MAX_REMOVALS = 10_000;

/** Max tasks removed in a commit: about 15 ms. */
export const REMOVED_AT_ONCE = 500;

/** Which write a change is part of. */
export interface Writing {
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Inserts a task under a new key, which it returns. */
export function insertTask(
  db: DatabaseSync,
  task: Omit<TrackedTask, 'key' | 'revision'>,
  { revision, nowMs }: Writing,
): number {
  const key = Number(prepared(db, INSERT).run(null, revision, ...valuesOf(task)).lastInsertRowid);
  addToTimeline(db, key, undefined, task, nowMs);
  noteContent(db, key, undefined, task);
  return key;
}

/** Updates only the columns in which a task has changed; false where it is not there as it was before. */
export function changeTask(
  db: DatabaseSync,
  before: TrackedTask,
  after: TrackedTask,
  { revision, nowMs }: Writing,
): boolean {
  const [facts, factsBefore] = [listedFacts(after), listedFacts(before)];
  const changed = [
    ...changedValues(before, after),
    ...LISTED_COLUMNS.flatMap((name) => (facts[name] === factsBefore[name] ? [] : [[name, facts[name]] as const])),
  ];
  const changes = ['revision', ...changed.map(([name]) => name)].map((name) => `${name} = ?`);
  const update = prepared(db, `UPDATE tasks SET ${changes} WHERE key = ? AND revision = ?`);
  const { changes: count } = update.run(revision, ...changed.map(([, value]) => value), after.key, before.revision);
  if (count === 0) return false;
  addToTimeline(db, after.key, before, after, nowMs);
  noteContent(db, after.key, before, after);
  return true;
}

/** Removes tasks with all that is kept of them, and logs that. */
export function removeTasks(db: DatabaseSync, keys: readonly number[], { revision }: Writing): void {
  const list = listOf(keys);
  counted(db, keys, () => {
    for (const table of TASK_TABLES) prepared(db, `DELETE FROM ${table} WHERE ${AMONG}`).run(list);
  });
  prepared(db, 'INSERT INTO removals SELECT ?, value FROM json_each(?)').run(revision, list);
  const { last } = prepared(db, LAST_KEPT).get(MAX_REMOVALS) ?? {};
  if (last === undefined) return;
  prepared(db, 'DELETE FROM removals WHERE revision <= ?').run(last);
  prepared(db, 'UPDATE revisions SET forgotten = ?').run(last);
}

const LAST_KEPT = 'SELECT revision AS last FROM removals ORDER BY revision DESC LIMIT 1 OFFSET ?';

/** The next revision. Counted apart from the tasks: the highest of theirs would be used twice after that task is removed. */
export function nextRevision(db: DatabaseSync): number {
  return Number(prepared(db, 'UPDATE revisions SET latest = latest + 1 RETURNING latest').get()?.['latest']);
}

export function findTask(db: DatabaseSync, key: number): TrackedTask | undefined {
  const [task] = selectTasks(db, 'WHERE key = ?', key);
  return task;
}

/** The tasks that the rest of a query selects. */
export function selectTasks(db: DatabaseSync, rest: string, ...values: readonly SQLInputValue[]): TrackedTask[] {
  return prepared(db, `${SELECT} ${rest}`)
    .all(...values)
    .map(readRow);
}

const SELECT = `SELECT key, revision, ${TASK_COLUMNS} FROM tasks`;

/** A condition on keys, whose parameter is made by {@link listOf}. */
export const AMONG = 'key IN (SELECT value FROM json_each(?))';

/** Keys as the parameter of {@link AMONG}. */
export function listOf(keys: readonly number[]): string {
  return JSON.stringify(keys);
}

export function keysOf(rows: readonly Readonly<Record<string, unknown>>[]): number[] {
  return rows.map((row) => Number(row['key']));
}

function valuesOf(task: Omit<TrackedTask, 'key' | 'revision'>): SQLInputValue[] {
  const facts = listedFacts(task);
  return [...taskValues(task), ...LISTED_COLUMNS.map((name) => facts[name])];
}

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

/** Removes the responses about a task. */
export function removeResponses(db: DatabaseSync, key: number): void {
  prepared(db, 'DELETE FROM responses WHERE key = ?').run(key);
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
