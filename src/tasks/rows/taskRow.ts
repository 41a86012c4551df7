import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { parseJson } from '../../service/json/json';
import type { TaskId } from '../../service/json/taskId';
import type { FieldSource } from '../../service/response/fields';
import type { Attempt, Batch, EarlierImport, NewTask, Phase, QueryError, Source, TrackedTask } from '../trackedTask';

/** A row of the table `tasks`. */
export type TaskRow = Readonly<Record<string, SQLOutputValue>>;

type Parts = Omit<TrackedTask, 'key' | 'revision'>;

/** The column of each part of a task, and the value that it stores. The responses are in a table of their own. */
const columns: {
  readonly [Part in keyof Parts]-?: readonly [name: string, value: (part: Parts[Part]) => SQLInputValue];
} = {
  // As JSON: SQLite's text cannot hold lone surrogates.
  dataset: ['dataset', (text) => JSON.stringify(text)],
  origin: ['origin', orNull],
  source: ['source', toText],
  batch: ['batch', toText],
  createdMs: ['created_ms', orNull],
  earlier: ['earlier', toText],
  taskId: ['task_id', orNull],
  taskIdFrom: ['task_id_from', toText],
  hasImportResponse: ['has_import_response', Number],
  phase: ['phase', toText],
  attempts: ['attempts', toText],
  hasLastResponse: ['has_last_response', Number],
  checkedMs: ['checked_ms', orNull],
  lastQueryError: ['last_query_error', toText],
  begunIn: ['begun_in', orNull],
};

const all = Object.entries(columns) as [
  keyof Parts,
  readonly [name: string, value: (part: unknown) => SQLInputValue],
][];

/** The columns of a task, except its key and its revision. */
export const TASK_COLUMNS: readonly string[] = all.map(([, [name]]) => name);

/** The values of a task, in the order of its columns. */
export function taskValues(task: Parts): SQLInputValue[] {
  return all.map(([part, [, value]]) => value(task[part]));
}

/** The columns of the parts in which a task has changed, with what it has now. */
export function changedValues(before: Parts, after: Parts): (readonly [column: string, value: SQLInputValue])[] {
  return all.flatMap(([part, [name, value]]) =>
    after[part] === before[part] ? [] : [[name, value(after[part])] as const],
  );
}

/** A new task under its key: of its responses only whether there are any. */
export function asTracked(key: number, { importResponse, lastResponse, ...task }: NewTask, revision = 0): TrackedTask {
  return {
    ...task,
    key,
    revision,
    hasImportResponse: importResponse !== undefined,
    hasLastResponse: lastResponse !== undefined,
  };
}

/** The task of a row. */
export function readRow(row: TaskRow): TrackedTask {
  return {
    key: Number(row['key']),
    revision: Number(row['revision']),
    dataset: readDataset(row['dataset']),
    origin: row['origin'] === null ? undefined : String(row['origin']),
    source: fromText<Source>(row['source']),
    batch: fromText<Batch>(row['batch']),
    createdMs: Number(row['created_ms']),
    earlier: fromText<EarlierImport>(row['earlier']),
    taskId: (row['task_id'] ?? undefined) as TaskId | undefined,
    taskIdFrom: fromText<FieldSource>(row['task_id_from']),
    hasImportResponse: row['has_import_response'] === 1,
    phase: fromText(row['phase']) as Phase,
    attempts: fromText<Attempt[]>(row['attempts']) ?? [],
    hasLastResponse: row['has_last_response'] === 1,
    checkedMs: row['checked_ms'] === null ? undefined : Number(row['checked_ms']),
    lastQueryError: fromText<QueryError>(row['last_query_error']),
    begunIn: row['begun_in'] === null ? undefined : String(row['begun_in']),
  };
}

/** The name in a `dataset` column. */
export function readDataset(value: SQLOutputValue | undefined): string {
  return String(fromText(value));
}

function toText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function orNull(value: string | number | undefined): SQLInputValue {
  return value ?? null;
}

/** Numbers in a service's response are kept to the digit. */
function fromText<T>(value: SQLOutputValue | undefined): T | undefined {
  return typeof value === 'string' ? (parseJson(value) as unknown as T) : undefined;
}
