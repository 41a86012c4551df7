import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { parseJson } from '../service/json';
import type { FactSource } from '../service/recognition';
import type { TaskId } from '../service/taskId';
import type { Phase, Source, TrackedTask, Trouble } from './trackedTask';

/** A row of the table `tasks`. */
export type TaskRow = Readonly<Record<string, SQLOutputValue>>;

/** How much had left is not known: the window that knew it is gone. */
const abandonedPhase: Phase = {
  kind: 'unconfirmed',
  failure: { name: 'WindowClosed', detail: '' },
  sentBytes: 0,
  totalBytes: 0,
};

/** The values of a task's row, in the order of the columns. A task without a key gets one from SQLite. */
export function taskRow(
  task: Omit<TrackedTask, 'key'> & { readonly key: number | undefined },
  leasedUntilMs: number | null,
  revision: number,
): SQLInputValue[] {
  return [
    task.key ?? null,
    // As JSON, as SQLite's own text loses what is no Unicode.
    JSON.stringify(task.dataset),
    toText(task.source),
    task.createdMs,
    task.taskId ?? null,
    toText(task.taskIdFrom),
    task.importAnswer ?? null,
    JSON.stringify(task.phase),
    task.lastAnswer ?? null,
    task.checkedMs ?? null,
    toText(task.trouble),
    leasedUntilMs,
    revision,
  ];
}

/** The task of a row. One whose lease has run out was being sent by a window that is gone. */
export function readRow(row: TaskRow, now: number): TrackedTask {
  const leasedUntilMs = leaseOf(row);
  return {
    key: Number(row['key']),
    dataset: String(fromText(row['dataset'])),
    source: fromText<Source>(row['source']),
    createdMs: Number(row['created_ms']),
    taskId: (row['task_id'] ?? undefined) as TaskId | undefined,
    taskIdFrom: fromText<FactSource>(row['task_id_from']),
    importAnswer: row['import_answer'] === null ? undefined : String(row['import_answer']),
    phase: leasedUntilMs !== null && leasedUntilMs <= now ? abandonedPhase : (fromText(row['phase']) as Phase),
    lastAnswer: row['last_answer'] === null ? undefined : String(row['last_answer']),
    checkedMs: row['checked_ms'] === null ? undefined : Number(row['checked_ms']),
    trouble: fromText<Trouble>(row['trouble']),
  };
}

/** Until when a sending task is claimed by its window; null for one that is not being sent. */
export function leaseOf(row: TaskRow): number | null {
  return row['leased_until_ms'] === null ? null : Number(row['leased_until_ms']);
}

function toText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The numbers in an answer of the service are kept to the digit. */
function fromText<T>(value: SQLOutputValue | undefined): T | undefined {
  return typeof value === 'string' ? (parseJson(value) as unknown as T) : undefined;
}
