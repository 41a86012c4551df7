import { taskIdText } from '../service/json/taskId';
import type { ImportStoreCalls } from './store/importStoreProgram';
import type { Cause, FileRow, Filter } from './store/model';

/** Rows per page. */
const PAGE = 500;

/**
 * Formats the rows that match a filter, one page at a time to limit memory. CSV begins with a byte order mark, which
 * spreadsheets need to recognize UTF-8. `onRows` is called with the number of rows on each page.
 */
export async function* exportedText(
  store: Pick<ImportStoreCalls, 'rowsAfter'>,
  filter: Filter,
  format: 'csv' | 'jsonLines',
  onRows: (count: number) => void,
): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${COLUMNS.join(',')}\n`;
  for (let after = 0; ; ) {
    const rows = await store.rowsAfter({ filter, after, limit: PAGE });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    onRows(rows.length);
    yield rows.map((row) => `${format === 'csv' ? tableRow(exported(row)) : JSON.stringify(exported(row))}\n`).join('');
  }
}

/** The exported fields of a row, which are also the CSV columns. Fields with unknown values are omitted. */
interface ExportedRow {
  /** The path on disk. */
  readonly path?: string | undefined;
  readonly sizeBytes?: number | undefined;
  /** Hexadecimal. */
  readonly sha256?: string | undefined;
  readonly dataset: string;
  readonly origin: string;
  /** The outcome of the newest import. */
  readonly outcome: string;
  /** Why the import wasn't accepted. Meant for programs, so it isn't translated. */
  readonly reason?: string | undefined;
  /** Strings, because large numbers would lose digits. */
  readonly taskIds: readonly string[];
  readonly state: string;
  /** The service's own status. If a file has several tasks, distinct texts are separated by semicolons. */
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly progress?: number | undefined;
  /** All times are in ISO 8601 format, in UTC. */
  readonly queuedAt: string;
  readonly checkedAt?: string | undefined;
}

const COLUMNS = [
  'path',
  'sizeBytes',
  'sha256',
  'dataset',
  'origin',
  'outcome',
  'reason',
  'taskIds',
  'state',
  'status',
  'progress',
  'message',
  'queuedAt',
  'checkedAt',
] as const satisfies readonly (keyof ExportedRow)[];

function exported({ path, dataset, origin, state, tasks, import: newest }: FileRow): ExportedRow {
  const { outcome, cause, queuedMs, sizeBytes, sha256, run } = newest;
  const [first] = tasks;
  return {
    path: path ?? undefined,
    // A task that was created elsewhere has no file.
    sizeBytes: run === null ? undefined : sizeBytes,
    sha256: sha256 ?? undefined,
    dataset,
    origin,
    outcome,
    reason: cause === null ? undefined : formatCause(cause),
    taskIds: tasks.map(({ id }) => taskIdText(id)),
    state,
    status: different(tasks.map(({ status }) => status)),
    progress: tasks.length === 1 ? (first?.progress ?? undefined) : undefined,
    message: different(tasks.map(({ message }) => message)),
    queuedAt: new Date(queuedMs).toISOString(),
    checkedAt: timeText(Math.max(0, ...tasks.map(({ checkedMs }) => checkedMs ?? 0))),
  };
}

function different(texts: readonly (string | null)[]): string | undefined {
  const known = new Set(texts.filter((text) => text !== null));
  return known.size === 0 ? undefined : [...known].join('; ');
}

function timeText(ms: number): string | undefined {
  return ms === 0 ? undefined : new Date(ms).toISOString();
}

function formatCause({ name, reason, status, code, message, excerpt, detail }: Cause): string {
  const kind = reason === undefined ? name : `${name} (${reason})`;
  // If there is a code, omit the error's name, because the outcome already shows that the service rejected the file.
  const parts = [code === undefined ? kind : code, message ?? excerpt ?? detail];
  const words = parts.filter((part) => part !== undefined && part !== '').map(String);
  return [...(status === undefined || code !== undefined ? [] : [`HTTP ${status}`]), ...words].join(': ');
}

function tableRow(row: ExportedRow): string {
  return COLUMNS.map((column) => {
    const value = row[column];
    return typeof value === 'number'
      ? String(value)
      : cellOf(Array.isArray(value) ? value.join(' ') : `${value ?? ''}`);
  }).join(',');
}

/**
 * Matches the positions where a spreadsheet may start a formula: at the beginning of a cell, or after a cell or row separator
 * of any locale, skipping quotes and spaces.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=["' ]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** File names and messages are untrusted. The apostrophe keeps spreadsheets from running them as formulas. */
function cellOf(text: string): string {
  const harmless = text.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
