import {
  type Details,
  type FileRow,
  type Filter,
  type Group,
  type GroupBy,
  PROBLEMS,
  type ResponseKind,
  STATES,
  type State,
  type StoredEvent,
} from './model';
import { IMPORT_COLUMNS, importRow, nextVersion, readRows, rowsOf } from './rows';
import type { Tx } from './tx';

/** The rows of a filter in the order of the list: problems first, then by age. All shown pages are read at once. */
export function page(
  tx: Tx,
  { filter, offset = 0, limit }: { filter: Filter; offset?: number; limit: number },
): { rows: FileRow[]; hasMore: boolean } {
  const { sql, values } = rowsOf(filter);
  const select = `SELECT id FROM files WHERE ${sql} ORDER BY rank, id LIMIT ? OFFSET ?`;
  const files = tx.all<{ id: number }>(select, ...values, limit + 1, offset).map(({ id }) => id);
  return { rows: readRows(tx, files.slice(0, limit)), hasMore: files.length > limit };
}

/** Counts the rows of a filter by a column and state. */
export function groups(tx: Tx, { by, filter }: { by: GroupBy; filter: Filter }): Group[] {
  const { sql, values } = rowsOf(filter);
  const count = (column: string, condition = sql) =>
    tx.all<Counted>(
      `SELECT ${column}, rank, count(*) AS count FROM files WHERE ${condition} GROUP BY 1, rank`,
      ...values,
    );
  if (by === 'state')
    return tx
      .all<Counted>(`SELECT rank, count(*) AS count FROM files WHERE ${sql} GROUP BY rank`, ...values)
      .map((one) => ({ value: stateOf(one), counts: { [stateOf(one)]: one.count } }));
  if (by !== 'reason') return grouped(count(`${by} AS value`));
  // Few rows have a reason, and an index has them; the others are the rest.
  const withReason = count('reason AS value', `${sql} AND reason IS NOT NULL`);
  const rest = new Map(groups(tx, { by: 'state', filter }).map(({ value, counts: one }) => [value, sum(one)]));
  for (const one of withReason) rest.set(stateOf(one), (rest.get(stateOf(one)) ?? 0) - one.count);
  const counts = Object.fromEntries([...rest].filter(([, left]) => left > 0));
  return [...(Object.keys(counts).length > 0 ? [{ value: null, counts }] : []), ...grouped(withReason)];
}

interface Counted {
  readonly value: number | string | null;
  readonly rank: number;
  readonly count: number;
}

function grouped(counted: readonly Counted[]): Group[] {
  return [...Map.groupBy(counted, ({ value }) => value)].map(([value, rows]) => ({
    value,
    counts: Object.fromEntries(rows.map((row) => [stateOf(row), row.count])),
  }));
}

function stateOf({ rank }: Counted): State {
  return STATES[rank] ?? 'unknown';
}

/** The rows of a group. */
export function sum(counts: Group['counts']): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** How many rows each state has, and how many of each destination need the user. */
export function counts(tx: Tx): { states: Partial<Record<State, number>>; problems: Record<number, number> } {
  const states = groups(tx, { by: 'state', filter: {} }).map(({ counts: count }) => count);
  const problems = groups(tx, { by: 'destination', filter: { states: PROBLEMS } });
  return {
    states: Object.assign({}, ...states),
    problems: Object.fromEntries(problems.map(({ value, counts: count }) => [Number(value), sum(count)])),
  };
}

/** Reads the shown rows that changed since a version. Removed rows are included and marked; deleted ones are listed. */
export function changesSince(
  tx: Tx,
  { version, shown }: { version: number; shown: readonly number[] },
): { version: number; rows: FileRow[]; deleted: number[] } {
  const latest = nextVersion(tx) - 1;
  if (latest === version) return { version, rows: [], deleted: [] };
  const stored = tx.all<{ id: number; version: number | null }>(
    'SELECT chosen.value AS id, f.version FROM json_each(?) chosen LEFT JOIN files f ON f.id = chosen.value',
    shown,
  );
  const changed = stored.filter((row) => row.version !== null && row.version > version).map(({ id }) => id);
  const deleted = stored.filter((row) => row.version === null).map(({ id }) => id);
  return { version: latest, rows: readRows(tx, changed), deleted };
}

/** Everything about a row. */
export function details(tx: Tx, file: number): Details | null {
  const [row] = readRows(tx, [file]);
  if (row === undefined) return null;
  const ofFile = row.path === null ? 'i.id = ?3' : 'i.destination = ?1 AND i.path = ?2 AND i.file = ?4';
  const select = `SELECT ${IMPORT_COLUMNS} FROM imports i WHERE ?1 + ?3 + ?4 > 0 AND ${ofFile} ORDER BY i.id DESC`;
  const imports = tx.all<Parameters<typeof importRow>[0]>(select, row.destination, row.path, row.import.id, file);
  const events = tx.all<{ atMs: number; event: string }>(
    'SELECT at_ms AS atMs, event FROM events WHERE file = ? ORDER BY seq',
    file,
  );
  const responses = tx.all<{ kind: ResponseKind; text: string }>(
    'SELECT kind, text FROM responses WHERE import = ?',
    row.import.id,
  );
  return {
    row,
    imports: imports.map(importRow),
    events: events.map(({ atMs, event }) => ({ atMs, event: JSON.parse(event) as StoredEvent })),
    responses: Object.fromEntries(responses.map(({ kind, text }) => [kind, text])),
  };
}

/** The files of ours that hold texts which are still needed. */
export function textFiles(tx: Tx): string[] {
  const select = 'SELECT text_file FROM files WHERE text_file IS NOT NULL';
  return tx.all<{ text_file: string }>(select).map(({ text_file }) => text_file);
}
