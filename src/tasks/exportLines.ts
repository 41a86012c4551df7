import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { taskIdText } from '../service/json/taskId';
import { taskIdsOf } from './severalTasks';
import { type Failure, type KeptRefusal, type Phase, type TrackedTask, taskState } from './trackedTask';

export type ExportFormat = 'csv' | 'jsonLines';

/** Tasks as the text of a file, one line a task, page by page as they are read: never all of them in memory. */
export function exportLines(pages: AsyncIterable<readonly TrackedTask[]>, format: ExportFormat): Readable {
  return Readable.from(linesOf(pages, format));
}

/** A table begins with a byte order mark, without which spreadsheets do not read it as UTF-8. */
async function* linesOf(pages: AsyncIterable<readonly TrackedTask[]>, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${EXPORTED_COLUMNS.join(',')}\n`;
  for await (const page of pages) {
    const tasks = page.map(exportedTask);
    if (tasks.length > 0)
      yield format === 'csv' ? tableRows(tasks) : tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
  }
}

/**
 * Where a spreadsheet would start a formula: at the start of a cell, or after a separator of cells or rows in any locale,
 * past quotes and spaces.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=["' ]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before each formula, so that no spreadsheet calculates it. */
function withoutFormulas(cell: string): string {
  return cell.replaceAll(FORMULA, "'");
}

/** Names of files and messages come from outside, and are not to be calculated. */
function tableRows(tasks: readonly ExportedTask[]): string {
  const rows = tasks.map((task) => ({ ...task, taskIds: task.taskIds.join(' ') }));
  return stringify(rows, { columns: EXPORTED_COLUMNS, cast: { string: withoutFormulas } });
}

/** What is exported of a task: one line of JSON, or one row of a table with these columns. */
interface ExportedTask {
  /** On disk; absent for a text that was no file, and for a task that was made elsewhere. */
  readonly path?: string;
  readonly sizeBytes?: number;
  /** Hexadecimal. */
  readonly sha256?: string;
  readonly dataset: string;
  readonly origin?: string;
  /** How the import ended: accepted, rejected, notSent or unconfirmed; or that it is queued or being sent. */
  readonly outcome: string;
  /** Why it was not accepted: what the service said, or what went wrong. */
  readonly reason?: string;
  /** The IDs of the tasks that came of it, as text, so that no digit is lost. */
  readonly taskIds: readonly string[];
  readonly state: string;
  /** In the service's words, as are `progress` and `message`. */
  readonly status?: string;
  readonly progress?: number;
  readonly message?: string;
  /** These times are ISO 8601, in UTC. */
  readonly createdAt: string;
  readonly checkedAt?: string;
}

/** The names of what is exported, in the order of the columns. */
const EXPORTED_COLUMNS = [
  ...(['path', 'sizeBytes', 'sha256', 'dataset', 'origin', 'outcome', 'reason', 'taskIds'] as const),
  ...(['state', 'status', 'progress', 'message', 'createdAt', 'checkedAt'] as const),
] satisfies readonly (keyof ExportedTask)[];

function exportedTask(task: TrackedTask): ExportedTask {
  const { source, dataset, origin, phase, createdMs, checkedMs } = task;
  const { status, progress, message } = (phase.kind === 'accepted' ? phase.report : undefined) ?? {};
  return {
    ...(source?.from === 'disk' && { path: source.path }),
    ...(source !== undefined && { sizeBytes: source.sizeBytes }),
    ...(source?.sha256 !== undefined && { sha256: source.sha256 }),
    dataset,
    ...(origin !== undefined && { origin }),
    outcome: phase.kind,
    ...reasonOf(phase),
    taskIds: taskIdsOf(task).map(taskIdText),
    state: taskState(task),
    ...(status !== undefined && { status }),
    ...(progress !== undefined && { progress }),
    ...(message !== undefined && { message }),
    createdAt: new Date(createdMs).toISOString(),
    ...(checkedMs !== undefined && { checkedAt: new Date(checkedMs).toISOString() }),
  };
}

function reasonOf(phase: Phase): { readonly reason?: string } {
  switch (phase.kind) {
    case 'rejected':
      return { reason: formatRefusal(phase.refusal) };
    case 'notSent':
    case 'unconfirmed':
      return { reason: formatFailure(phase.failure) };
    default:
      return {};
  }
}

function formatRefusal(refusal: KeptRefusal): string {
  switch (refusal.by) {
    case 'envelope':
      return refusal.message === null ? `code ${refusal.code}` : `code ${refusal.code}: ${refusal.message}`;
    case 'status':
      return `HTTP ${refusal.status}: ${refusal.excerpt}`;
    case 'redirect':
      return `HTTP ${refusal.status}: ${refusal.target}`;
  }
}

/** For programs: the name of the error, which stays the same in all languages of the interface. */
function formatFailure(failure: Failure): string {
  const reason = 'reason' in failure ? ` (${failure.reason})` : '';
  return failure.detail === '' ? `${failure.name}${reason}` : `${failure.name}${reason}: ${failure.detail}`;
}
