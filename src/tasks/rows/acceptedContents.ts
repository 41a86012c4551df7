import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { TaskId } from '../../service/json/taskId';
import { prepared } from '../database/sqliteConnection';
import type { Destination } from '../destination';
import { isOpenState, type Source, type TaskState, type TrackedTask, taskState } from '../trackedTask';
import { readDataset, type TaskRow } from './taskRow';

/** A content that a destination has received, or may have received. */
export interface AcceptedContent extends Destination {
  /** That of the task by which it was sent; the task may no longer be in the list. */
  readonly key: number;
  readonly source: Source;
  /** When its import was begun, milliseconds since 1970. */
  readonly createdMs: number;
  /** Where several tasks came of it, the first one. */
  readonly taskId: TaskId | undefined;
  readonly taskCount: number;
  /** The state of its task, the last one that was known. */
  readonly state: TaskState;
}

/** Whether a destination certainly has a content, as far as its state tells. */
export function isReceived({ state }: Pick<AcceptedContent, 'state'>): boolean {
  return !isOpenState(state) && state !== 'unconfirmed';
}

type Task = Omit<TrackedTask, 'key' | 'revision'>;

/**
 * Keeps the table of accepted contents in step with a task that changes: no clearing of the list touches it. What failed at
 * the service left nothing there.
 */
export function noteContent(db: DatabaseSync, key: number, before: Task | undefined, after: Task): void {
  const [had, has] = [before && columnsOf(before), columnsOf(after)];
  if (JSON.stringify(had) === JSON.stringify(has)) return;
  if (has !== undefined) prepared(db, PUT).run(key, ...has);
  // What the service has of an earlier import it still has where the file is imported again.
  else prepared(db, after.phase.kind === 'queued' ? DETACH : 'DELETE FROM accepted WHERE key = ?').run(key);
}

/** Keys below 0 are of no task. */
const DETACH = 'UPDATE accepted SET key = (SELECT min(min(key), 0) - 1 FROM accepted) WHERE key = ?';

const PUT = `INSERT OR REPLACE INTO accepted VALUES (${Array(14).fill('?')})`;

/** Undefined for a task by which the service has certainly received nothing, or that is still to be sent. */
function columnsOf(task: Task): SQLInputValue[] | undefined {
  const { source, phase, dataset, origin, createdMs, taskId } = task;
  if (source === undefined || !wasReceived(task)) return undefined;
  const taskCount = phase.kind === 'accepted' ? (phase.parts?.length ?? Number(taskId !== undefined)) : 0;
  return [
    ...[JSON.stringify(dataset), origin ?? null, createdMs, taskId ?? null, taskCount, taskState(task)],
    ...[source.from, source.path, source.relativePath, source.name, source.sizeBytes],
    ...[source.modifiedMs ?? null, source.sha256 ?? null],
  ];
}

/** Of several tasks each that did not fail may have left something. */
function wasReceived({ phase }: Task): boolean {
  if (phase.kind === 'accepted') return (phase.parts ?? [phase]).some(({ report }) => report?.meaning !== 'failed');
  return phase.kind === 'unconfirmed';
}

/** The content of a row. */
export function readContent(row: TaskRow): AcceptedContent {
  const [path, relativePath, name] = [String(row['path']), String(row['relative_path']), String(row['name'])];
  const from = row['from_where'] === 'text' ? 'text' : 'disk';
  const modifiedMs = row['modified_ms'] === null ? {} : { modifiedMs: Number(row['modified_ms']) };
  const sha256 = row['sha256'] === null ? {} : { sha256: String(row['sha256']) };
  return {
    key: Number(row['key']),
    dataset: readDataset(row['dataset']),
    origin: row['origin'] === null ? undefined : String(row['origin']),
    source: { from, path, relativePath, name, sizeBytes: Number(row['size_bytes']), ...modifiedMs, ...sha256 },
    createdMs: Number(row['created_ms']),
    taskId: (row['task_id'] ?? undefined) as TaskId | undefined,
    taskCount: Number(row['task_count']),
    state: row['state'] as TaskState,
  };
}
