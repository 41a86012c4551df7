import type { Details, Filter, Group, GroupBy, ResponseKind, RunProgress, State, StateCounts } from './model';
import { PROBLEMS, STATES } from './model';
import { IMPORT_COLUMNS, IS_UNFINISHED, nextVersion, readRows, reasonOf, rowsOf } from './rows';
import type { Tx } from './tx';

/**
 * Reads rows in list order: problems first, then by age. To show several pages, read them all in one call, because rows
 * can move between pages. `newestFirst` sorts the rows in each state by their latest import, newest first. By default, the
 * oldest row comes first.
 */
export function page(tx: Tx, wanted: { filter: Filter; limit: number; newestFirst?: boolean }) {
  const { filter, limit, newestFirst = false } = wanted;
  const { sql, values } = rowsOf(filter);
  const order = newestFirst ? 'rank, import DESC' : 'rank, id';
  const files = tx.ids(`SELECT id FROM files WHERE ${sql} ORDER BY ${order} LIMIT ?`, ...values, limit + 1);
  return { rows: readRows(tx, files.slice(0, limit)), hasMore: files.length > limit };
}

/** Reads rows in the order of their IDs, so that paging returns each row once even if ranks change. */
export function rowsAfter(tx: Tx, { filter, after, limit }: { filter: Filter; after: number; limit: number }) {
  const { sql, values } = rowsOf(filter);
  const files = tx.ids(`SELECT id FROM files WHERE ${sql} AND id > ? ORDER BY id LIMIT ?`, ...values, after, limit);
  return readRows(tx, files);
}

/** Counts the rows that match a filter, by state. */
export function statesOf(tx: Tx, filter: Filter): StateCounts {
  const { sql, values } = rowsOf(filter);
  const counted = tx.all<Counted>(`SELECT rank, count(*) AS count FROM files WHERE ${sql} GROUP BY rank`, ...values);
  return Object.fromEntries(counted.map((one) => [stateOf(one), one.count]));
}

/** Counts the rows that match a filter, by a column and by state. */
export function groups(tx: Tx, { by, filter }: { by: GroupBy; filter: Filter }): Group[] {
  const { sql, values } = rowsOf(filter);
  const select = `SELECT ${by} AS value, rank, count(*) AS count FROM files WHERE`;
  const count = (where: string) => tx.all<Counted>(`${select} ${where} GROUP BY 1, 2`, ...values);
  switch (by) {
    case 'state':
      return Object.entries(statesOf(tx, filter)).map(([value, one]) => ({ value, counts: { [value]: one } }));
    case 'batch':
      return grouped(count(sql));
    case 'destination':
      return grouped(countByDestination(tx, sql, values));
    case 'reason': {
      // Few rows have a reason, and those rows are indexed, so count them using the index. The number of other rows is
      // the total minus that count.
      const withReason = count(`${sql} AND reason IS NOT NULL`);
      const rest: Record<string, number> = { ...statesOf(tx, filter) };
      for (const one of withReason) rest[stateOf(one)] = (rest[stateOf(one)] ?? 0) - one.count;
      const left = Object.entries(rest).filter(([, rows]) => rows > 0);
      const others = left.length > 0 ? [{ value: null, counts: Object.fromEntries(left) }] : [];
      return [...others, ...grouped(withReason)];
    }
  }
}

/**
 * Makes one pass over an index that is sorted by rank, because grouping by two columns would require sorting all rows.
 */
function countByDestination(tx: Tx, sql: string, values: ReturnType<typeof rowsOf>['values']): Counted[] {
  const ids = tx.ids('SELECT id FROM destinations');
  const columns = ['rank', ...ids.map((id) => `sum(destination = ${id}) AS "${id}"`)].join(', ');
  const counted = tx.all<Record<string, number>>(`SELECT ${columns} FROM files WHERE ${sql} GROUP BY rank`, ...values);
  return ids.flatMap((value) =>
    counted.map(({ rank = 0, [value]: count = 0 }) => ({ value, rank, count })).filter(({ count }) => count > 0),
  );
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

function stateOf({ rank }: Pick<Counted, 'rank'>): State {
  return STATES[rank] ?? 'unknown';
}

/** Counts all rows by state, and problems by destination. Files that the user canceled don't count as problems. */
export function counts(tx: Tx, _none: null): { states: StateCounts; problems: Group[] } {
  const { sql, values } = rowsOf({ states: PROBLEMS });
  const problems = countByDestination(tx, `${sql} AND reason IS NOT ?`, [...values, CANCELED]);
  return { states: statesOf(tx, {}), problems: grouped(problems) };
}

export const CANCELED = reasonOf('notUploaded', null, '{"name":"CanceledError"}');

/** The progress of all unfinished runs. */
export function progress(tx: Tx, _none: null): RunProgress {
  const { waiting = 0, total = 0 } = tx.one<{ waiting: number; total: number }>(PROGRESS) ?? {};
  return { ended: Math.max(0, total - waiting), total: Math.max(total, waiting) };
}

// Reads only indexes, because a run may have 100,000 files.
const PROGRESS = `SELECT
  (SELECT count(*) FROM imports WHERE outcome = 'queued')
    + (SELECT count(*) FROM imports WHERE outcome = 'sending') AS waiting,
  (SELECT count(*) FROM imports WHERE run IN (SELECT id FROM runs WHERE announced_ms IS NULL AND ${IS_UNFINISHED})) AS total`;

/**
 * Reads the shown rows that have changed since a version, including rows that were removed from the list. Also returns
 * the IDs of shown rows that no longer exist in the store.
 */
export function changesSince(tx: Tx, { version, shown }: { version: number; shown: readonly number[] }) {
  const latest = nextVersion(tx) - 1;
  if (latest === version) return { version, rows: [], deleted: [] };
  const select = 'SELECT value AS id, f.version FROM json_each(?) LEFT JOIN files f ON f.id = value';
  const stored = tx.all<{ id: number; version: number | null }>(select, shown);
  const changed = stored.filter((row) => row.version !== null && row.version > version).map(({ id }) => id);
  const deleted = stored.filter((row) => row.version === null).map(({ id }) => id);
  return { version: latest, rows: readRows(tx, changed), deleted };
}

/** Returns the given paths whose row at any destination has changed since a version. */
export function changedPaths(tx: Tx, { version, paths }: { version: number; paths: readonly string[] }) {
  const latest = nextVersion(tx) - 1;
  const changed = latest === version ? [] : tx.all<{ path: string }>(CHANGED_PATHS, paths, version);
  return { version: latest, paths: changed.map(({ path }) => path) };
}

const CHANGED_PATHS = `SELECT DISTINCT f.path FROM json_each(?) chosen CROSS JOIN destinations d
  CROSS JOIN files f INDEXED BY files_by_path ON f.destination = d.id AND f.path = chosen.value WHERE f.version > ?`;

/** Reads a row with its history, or null if there is no such row. */
export function details(tx: Tx, file: number): Details | null {
  const [row] = readRows(tx, [file]);
  if (row === undefined) return null;
  const select = `SELECT ${IMPORT_COLUMNS} FROM imports i
    WHERE i.destination = ? AND i.path IS ? AND i.file = ? ORDER BY i.id DESC`;
  const events = 'SELECT at_ms AS atMs, event FROM events WHERE file = ? ORDER BY seq';
  const responses = tx.all<{ kind: ResponseKind; text: string }>(RESPONSES, row.import.id);
  return {
    row,
    imports: tx.all(select, row.destination, row.path, file),
    events: tx.all(events, file),
    responses: Object.fromEntries(responses.map(({ kind, text }) => [kind, text])),
  };
}

const RESPONSES = 'SELECT kind, text FROM responses WHERE import = ?';

/** The names of the files in `textsFolder` that rows still need. */
export function textFiles(tx: Tx, _none: null): string[] {
  const select = 'SELECT text_file AS file FROM files WHERE text_file IS NOT NULL';
  return tx.all<{ file: string }>(select).map(({ file }) => file);
}
