import { taskIdText } from '../service/json/taskId';
import type { ImportStoreCalls } from './store/importStoreProgram';
import type { Cause, FileRow, Filter } from './store/model';

type RowStore = Pick<ImportStoreCalls, 'rowsAfter'>;
type Format = 'csv' | 'jsonLines';

/** Rows per page. */
const PAGE = 500;

/**
 * Formats the rows that match a filter, one page at a time to limit memory use. CSV begins with a byte order mark,
 * because spreadsheets need it to recognize UTF-8.
 */
export async function* exportedText(store: RowStore, filter: Filter, format: Format): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${Object.keys(FIELDS).join(',')}\n`;
  for (let after = 0; ; ) {
    const rows = await store.rowsAfter({ filter, after, limit: PAGE });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows.map((row) => `${lineOf(row, format)}\n`).join('');
  }
}

/** A value in an exported row, or null if it is unknown. */
type Value = string | number | readonly string[] | null;

/** The exported fields, in the order of the CSV columns. */
const FIELDS: Readonly<Record<string, (row: FileRow) => Value>> = {
  name: ({ name }) => name,
  /** The path on disk, or the URI of a file that isn't on disk. */
  path: ({ path }) => path,
  /** A task that was created elsewhere has no file, so its size is unknown. */
  sizeBytes: ({ import: { run, sizeBytes } }) => (run === null ? null : sizeBytes),
  /** Hexadecimal. */
  sha256: (row) => row.import.sha256,
  dataset: ({ dataset }) => dataset,
  origin: ({ origin }) => origin,
  /** The outcome of the latest import. */
  outcome: (row) => row.import.outcome,
  /** Why the import wasn't accepted. Meant for programs, so it isn't translated. */
  reason: ({ import: { cause } }) => cause && formatCause(cause),
  /** The IDs are strings, because large numbers would lose digits. */
  taskIds: ({ tasks }) => tasks.map(({ id }) => taskIdText(id)),
  state: ({ state }) => state,
  /** The service's own status. If a file has multiple tasks, distinct values are separated by semicolons. */
  status: ({ tasks }) => different(tasks.map(({ status }) => status)),
  progress: ({ tasks: [first, ...others] }) => (others.length > 0 ? null : (first?.progress ?? null)),
  message: ({ tasks }) => different(tasks.map(({ message }) => message)),
  /** All times are in ISO 8601 format, in UTC. */
  queuedAt: (row) => new Date(row.import.queuedMs).toISOString(),
  checkedAt: ({ tasks }) => {
    const ms = Math.max(0, ...tasks.map(({ checkedMs }) => checkedMs ?? 0));
    return ms === 0 ? null : new Date(ms).toISOString();
  },
};

/** Formats a row as a line of text. JSON omits unknown values. */
function lineOf(row: FileRow, format: Format): string {
  const fields = Object.entries(FIELDS).map(([name, field]) => [name, field(row)] as const);
  if (format === 'csv') return fields.map(([, value]) => cellOf(value)).join(',');
  return JSON.stringify(Object.fromEntries(fields.filter(([, value]) => value !== null)));
}

function different(texts: readonly (string | null)[]): string | null {
  return [...new Set(texts.filter((text) => text !== null))].join('; ') || null;
}

function formatCause({ name, reason, status, code, message, excerpt, detail }: Cause): string {
  const kind = reason === undefined ? name : `${name} (${reason})`;
  // If there is a code, omit the error's name, because the outcome already shows that the service rejected the file.
  const parts = [code === undefined ? kind : code, message ?? excerpt ?? detail];
  const words = parts.filter((part) => part !== undefined && part !== '').map(String);
  return [...(status === undefined || code !== undefined ? [] : [`HTTP ${status}`]), ...words].join(': ');
}

/**
 * Matches the positions where a spreadsheet may see the start of a formula: at the beginning of a cell, or after a cell
 * or row separator used in any locale, ignoring quotes and spaces.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=["' ]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** File names and messages are untrusted. The apostrophe keeps spreadsheets from running them as formulas. */
function cellOf(value: Value): string {
  if (typeof value === 'number') return String(value);
  const harmless = (typeof value === 'string' ? value : (value ?? []).join(' ')).replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
