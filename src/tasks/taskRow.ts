import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { parseJson } from '../service/json';
import type { FactSource } from '../service/recognition';
import type { TaskId } from '../service/taskId';
import type { Attempt, Batch, Phase, Source, TrackedTask, Trouble } from './trackedTask';

/** A row of the table `tasks`. */
export type TaskRow = Readonly<Record<string, SQLOutputValue>>;

/** The values of a task's row, in the order of the columns. A task without a key gets one from SQLite. */
export function taskRow(
  task: Omit<TrackedTask, 'key'> & { readonly key: number | undefined },
  revision: number,
): SQLInputValue[] {
  return [
    task.key ?? null,
    // As JSON, as SQLite's own text loses what is no Unicode.
    JSON.stringify(task.dataset),
    toText(task.source),
    toText(task.batch),
    task.createdMs,
    task.taskId ?? null,
    toText(task.taskIdFrom),
    task.importAnswer ?? null,
    JSON.stringify(task.phase),
    JSON.stringify(task.attempts),
    task.lastAnswer ?? null,
    task.checkedMs ?? null,
    toText(task.trouble),
    task.owner ?? null,
    revision,
  ];
}

/** The task of a row. @throws SyntaxError where its bytes have changed on the disk */
export function readRow(row: TaskRow): TrackedTask {
  return {
    key: Number(row['key']),
    dataset: String(fromText(row['dataset'])),
    source: fromText<Source>(row['source']),
    batch: fromText<Batch>(row['batch']),
    createdMs: Number(row['created_ms']),
    taskId: (row['task_id'] ?? undefined) as TaskId | undefined,
    taskIdFrom: fromText<FactSource>(row['task_id_from']),
    importAnswer: row['import_answer'] === null ? undefined : String(row['import_answer']),
    phase: fromText(row['phase']) as Phase,
    attempts: fromText<Attempt[]>(row['attempts']) ?? [],
    lastAnswer: row['last_answer'] === null ? undefined : String(row['last_answer']),
    checkedMs: row['checked_ms'] === null ? undefined : Number(row['checked_ms']),
    trouble: fromText<Trouble>(row['trouble']),
    owner: row['owner'] === null ? undefined : String(row['owner']),
  };
}

function toText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The numbers in an answer of the service are kept to the digit. */
function fromText<T>(value: SQLOutputValue | undefined): T | undefined {
  return typeof value === 'string' ? (parseJson(value) as unknown as T) : undefined;
}
