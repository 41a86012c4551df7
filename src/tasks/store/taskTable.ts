import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { LEFT_OUT } from '../../service/json/jsonDepth';
import { MAX_KEPT_BYTES } from '../../service/response/keptResponse';
import { prepared } from '../database/sqliteConnection';
import type { NewTask, TrackedTask } from '../trackedTask';
import { columnsOf, readRow, TASK_COLUMNS, type TaskRow, taskValues } from './taskRow';

const PUT = `INSERT OR REPLACE INTO tasks (key, revision, ${TASK_COLUMNS})
  VALUES (?, ?, ${TASK_COLUMNS.map(() => '?')}) RETURNING *`;

/** Inserts or replaces a task; one without a key gets a new one. Returns it as it is read back. */
export function putTask(
  db: DatabaseSync,
  { key, ...task }: NewTask & { readonly key: number | undefined },
  revision: number,
): TrackedTask {
  return readRow(prepared(db, PUT).get(key ?? null, revision, ...taskValues(task)) as TaskRow);
}

/** Updates only the columns of these parts of a task. */
export function changeTask(
  db: DatabaseSync,
  key: number,
  parts: Partial<Omit<TrackedTask, 'key'>>,
  revision: number,
): void {
  const columns = columnsOf(parts);
  const changes = ['revision', ...columns.map(([name]) => name)].map((name) => `${name} = ?`);
  prepared(db, `UPDATE tasks SET ${changes} WHERE key = ?`).run(revision, ...columns.map(([, value]) => value), key);
}

/** The next revision. Counted apart from the tasks: the highest of theirs would be used twice after that task is removed. */
export function nextRevision(db: DatabaseSync): number {
  return Number(prepared(db, 'UPDATE revisions SET latest = latest + 1 RETURNING latest').get()?.['latest']);
}

export function findTask(db: DatabaseSync, key: number): TrackedTask | undefined {
  const [task] = selectTasks(db, 'key = ?', key);
  return task;
}

/** The tasks that match a condition, ordered by key. */
export function selectTasks(db: DatabaseSync, where: string, ...values: readonly SQLInputValue[]): TrackedTask[] {
  return prepared(db, `${SELECT} WHERE ${where} ORDER BY key`)
    .all(...values)
    .map(readRow);
}

/** Longer responses, which earlier versions kept whole, are replaced by a note: thousands of them would fill the memory. */
const SELECT = `SELECT key, ${TASK_COLUMNS.map((name) => (/_response$/.test(name) ? keptPart(name) : name))} FROM tasks`;

function keptPart(column: string): string {
  const bytes = `octet_length(${column})`;
  const told = `json_object('${LEFT_OUT}', 'Parts of this response are left out: it has ' || ${bytes} || ' bytes.')`;
  return `iif(${bytes} > ${MAX_KEPT_BYTES}, ${told}, ${column}) AS ${column}`;
}
