import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { LEFT_OUT } from '../../service/json/jsonDepth';
import { MAX_KEPT_BYTES } from '../../service/response/keptResponse';
import type { NewTask, TrackedTask } from '../trackedTask';
import { prepared } from './prepared';
import { columnsOf, readRow, TASK_COLUMNS, type TaskRow, taskValues } from './taskRow';

const PUT = `INSERT OR REPLACE INTO tasks (key, revision, ${TASK_COLUMNS})
  VALUES (?, ?, ${TASK_COLUMNS.map(() => '?')}) RETURNING *`;

/** Writes a task, a new one where it has no key yet; gives it as it will be read. */
export function putTask(
  db: DatabaseSync,
  { key, ...task }: NewTask & { readonly key: number | undefined },
  revision: number,
): TrackedTask {
  return readRow(prepared(db, PUT).get(key ?? null, revision, ...taskValues(task)) as TaskRow);
}

/** Changes these parts of a task, and nothing else. */
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

/** A counter of its own: the highest revision among the tasks would come again after that task is removed. */
export function nextRevision(db: DatabaseSync): number {
  return Number(prepared(db, 'UPDATE revisions SET latest = latest + 1 RETURNING latest').get()?.['latest']);
}

export function findTask(db: DatabaseSync, key: number): TrackedTask | undefined {
  const [task] = selectTasks(db, 'key = ?', key);
  return task;
}

/** The tasks of which a condition holds, in the order of their keys. */
export function selectTasks(db: DatabaseSync, where: string, ...values: readonly SQLInputValue[]): TrackedTask[] {
  return prepared(db, `${SELECT} WHERE ${where} ORDER BY key`)
    .all(...values)
    .map(readRow);
}

/** A response that an earlier version kept whole is not read where it is too long: thousands of them fill the memory. */
const SELECT = `SELECT key, ${TASK_COLUMNS.map((name) => (/_response$/.test(name) ? keptPart(name) : name))} FROM tasks`;

function keptPart(column: string): string {
  const bytes = `octet_length(${column})`;
  const told = `json_object('${LEFT_OUT}', 'Parts of this response are left out: it has ' || ${bytes} || ' bytes.')`;
  return `iif(${bytes} > ${MAX_KEPT_BYTES}, ${told}, ${column}) AS ${column}`;
}
