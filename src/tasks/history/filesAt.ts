import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { Destination } from '../destination';
import { type AcceptedContent, readContent } from '../rows/acceptedContents';
import { selectTasks } from '../rows/taskTable';
import type { TaskState } from '../trackedTask';

/** What is known of a file at a destination. */
export interface KnownFile {
  readonly path: string;
  /** Its row; undefined where it has none. */
  readonly row: { readonly key: number; readonly state: TaskState; readonly createdMs: number } | undefined;
  /** What the destination has of it, or may have: the latest. */
  readonly content: AcceptedContent | undefined;
}

/** What is known of those of these paths of which anything is. */
export function readFilesAt(db: DatabaseSync, destination: Destination, paths: readonly string[]): KnownFile[] {
  const values = [JSON.stringify(paths), JSON.stringify(destination.dataset), destination.origin ?? null];
  const rows = new Map<string, KnownFile['row']>();
  for (const { path, key, state, created_ms } of prepared(db, ROWS).all(...values))
    rows.set(String(path), { key: Number(key), state: state as TaskState, createdMs: Number(created_ms) });
  const contents = new Map(
    prepared(db, CONTENTS)
      .all(...values)
      .map((row) => [String(row['path']), readContent(row)]),
  );
  const known = new Set([...rows.keys(), ...contents.keys()]);
  return [...known].map((path) => ({ path, row: rows.get(path), content: contents.get(path) }));
}

/** The paths of files in a folder that a destination has, or may have, in their order. */
export function readPathsIn(
  db: DatabaseSync,
  { dataset, origin }: Destination,
  folder: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): string[] {
  const end = `${folder.slice(0, -1)}${String.fromCharCode(folder.charCodeAt(folder.length - 1) + 1)}`;
  const values = [after < folder ? folder : after, end, JSON.stringify(dataset), origin ?? null, limit];
  return prepared(db, PATHS_IN)
    .all(...values)
    .map(({ path }) => String(path));
}

/** The paths on disk of all files that have a row at a destination, or that it has received, in order. */
export function readPathsOf(
  db: DatabaseSync,
  { dataset, origin }: Destination,
  limit: number,
  after: string,
): string[] {
  const values = [after, JSON.stringify(dataset), origin ?? null];
  return prepared(db, PATHS_OF)
    .all(...values, ...values, limit)
    .map(({ path }) => String(path));
}

/** The folders that were imported as such to a destination, as far as tasks of them are tracked. */
export function readFoldersOf(db: DatabaseSync, { dataset, origin }: Destination): string[] {
  return prepared(db, BATCHES_OF)
    .all(JSON.stringify(dataset), origin ?? '')
    .flatMap(({ batch_id }) => selectTasks(db, 'WHERE batch_id = ? LIMIT 1', batch_id ?? null))
    .flatMap(({ batch }) => batch?.folder ?? []);
}

/** Which rows are those of files at a destination, in tables that have these columns. */
export const FILES_AT = 'path IN (SELECT value FROM json_each(?)) AND dataset = ? AND origin IS ?';
const ROWS = `SELECT path, key, state, created_ms FROM tasks WHERE ${FILES_AT} ORDER BY key`;
const CONTENTS = `SELECT * FROM accepted WHERE ${FILES_AT} ORDER BY created_ms, abs(key)`;
const PATHS_IN = `SELECT DISTINCT path FROM accepted
  WHERE path > ? AND path < ? AND dataset = ? AND origin IS ? AND from_where = 'disk' ORDER BY path LIMIT ?`;
const PATHS_OF = `SELECT path FROM accepted WHERE path > ? AND dataset = ? AND origin IS ? AND from_where = 'disk'
  UNION SELECT path FROM tasks WHERE path > ? AND dataset = ? AND origin IS ? AND source ->> 'from' = 'disk'
  ORDER BY path LIMIT ?`;
const BATCHES_OF =
  "SELECT DISTINCT batch_id FROM counts WHERE dataset = ? AND origin = ? AND batch_id <> '' AND count > 0";
