import path from 'node:path';
import type { Destination, Known, KnownFile, KnownRequest, QueuedSource } from './model';
import { addEvent, CHOSEN, hasFailed, nextVersion } from './rows';
import { inSteps, type Step, type Tx } from './tx';

/**
 * Looks up what the store knows about files at a destination, by path and by content. Pass at most about 1,000 paths.
 */
export function known(tx: Tx, { destination, paths, sizes = [], contents = [] }: KnownRequest): Known {
  const { dataset, origin } = destination;
  const [id = null] = tx.ids('SELECT id FROM destinations WHERE dataset = ? AND origin = ?', dataset, origin);
  type Of<Part extends 'row' | 'uploaded'> = NonNullable<KnownFile[Part]> & { readonly path: string };
  const rows = new Map(tx.all<Of<'row'>>(ROWS, paths, id).map((row) => [row.path, row]));
  const uploaded = new Map(tx.all<Of<'uploaded'>>(UPLOADED, paths, id).map((content) => [content.path, content]));
  const files = paths.map((at) => ({ path: at, row: rows.get(at) ?? null, uploaded: uploaded.get(at) ?? null }));
  return {
    files: files.filter((file) => file.row !== null || file.uploaded !== null),
    sizes: tx.all<{ size: number }>(SIZES, sizes, id).map(({ size }) => size),
    contents: tx.all(CONTENTS, contents, id),
  };
}

/** The dataset used for the most recent import of any of these files, or null if none has been imported. */
export function lastDataset(tx: Tx, paths: readonly string[]): string | null {
  return tx.one<{ dataset: string }>(LAST_DATASET, paths)?.dataset ?? null;
}

const LAST_DATASET = `SELECT d.dataset FROM json_each(?) chosen CROSS JOIN destinations d
  CROSS JOIN imports i INDEXED BY imports_by_path ON i.destination = d.id AND i.path = chosen.value
  ORDER BY i.id DESC LIMIT 1`;

/** The folders that were imported to a destination. */
export function knownFolders(tx: Tx, { dataset, origin }: Destination): string[] {
  return tx.all<{ folder: string }>(FOLDERS, dataset, origin).map(({ folder }) => folder);
}

const FOLDERS = `SELECT folder FROM batches b JOIN destinations d ON d.id = b.destination
  WHERE d.dataset = ? AND d.origin = ? AND folder IS NOT NULL`;

export interface PathsRequest {
  readonly destination: Destination;
  /** Null for all folders. */
  readonly folder: string | null;
  readonly after: string;
  readonly limit: number;
}

/** Returns the sorted paths of the files that a destination received, in all folders or in one folder. */
export function knownPaths(tx: Tx, { destination, folder, after, limit }: PathsRequest): string[] {
  // The path of a folder that isn't on disk is its URI.
  const separator = path.isAbsolute(folder ?? '') ? path.sep : '/';
  const prefix = folder === null || folder.endsWith(separator) ? (folder ?? '') : `${folder}${separator}`;
  const values = [destination.dataset, destination.origin, after > prefix ? after : prefix, prefix, limit];
  return tx.all<{ path: string }>(PATHS, ...values).map((one) => one.path);
}

// A negative size, the bitwise complement of the real size, marks a forgotten upload. Its row still shows the real size.
const UPLOADED = `SELECT i.path, i.id AS import, i.size AS sizeBytes, i.modified_ms AS modifiedMs, i.sha256, i.ended_ms AS endedMs
  FROM json_each(?1) chosen CROSS JOIN imports i INDEXED BY imports_by_path ON i.destination = ?2 AND i.path = chosen.value
  WHERE i.outcome = 'accepted' AND i.size >= 0 AND NOT ${hasFailed('i')} ORDER BY i.id`;

const ROWS = `SELECT f.path, f.id AS file, f.import, f.state, f.removed_ms IS NOT NULL AS removed, i.size AS sizeBytes,
    i.modified_ms AS modifiedMs, i.sha256
  FROM json_each(?1) chosen CROSS JOIN files f INDEXED BY files_by_path ON f.destination = ?2 AND f.path = chosen.value
  JOIN imports i ON i.id = f.import`;

// Text in flight counts, too. A file in flight is found by its path.
const MAY_BE_THERE = `(i.outcome IN ('accepted', 'unconfirmed') OR (i.outcome IN ('queued', 'sending') AND i.path IS NULL))`;

const SIZES = `SELECT DISTINCT chosen.value AS size FROM json_each(?1) chosen
  WHERE EXISTS (SELECT 1 FROM imports i INDEXED BY imports_by_content
    WHERE i.destination = ?2 AND i.size = chosen.value AND i.sha256 IS NOT NULL AND ${MAY_BE_THERE})`;

const CONTENTS = `SELECT i.sha256, i.path, i.outcome, max(i.ended_ms) AS endedMs
  FROM json_each(?1) chosen CROSS JOIN imports i INDEXED BY imports_by_content
    ON i.destination = ?2 AND i.size = chosen.value ->> 'sizeBytes' AND i.sha256 = chosen.value ->> 'sha256'
  WHERE ${MAY_BE_THERE} AND NOT ${hasFailed('i')}
  GROUP BY i.size, i.sha256, i.outcome ORDER BY i.outcome = 'accepted'`;

const PATHS = `SELECT DISTINCT i.path FROM destinations d CROSS JOIN imports i INDEXED BY imports_by_path ON i.destination = d.id
  WHERE d.dataset = ? AND d.origin = ? AND i.path > ? AND i.path < ? || char(0x10FFFF) AND i.outcome = 'accepted' AND i.size >= 0
  ORDER BY i.path LIMIT ?`;

export interface NewTime {
  readonly path: string;
  readonly modifiedMs: number;
}

/**
 * Stores the new modification times of files whose content is the same as in the last upload that didn't fail, so that
 * the files aren't hashed again.
 */
export function noteTimes(tx: Tx, noted: { destination: Destination; times: readonly NewTime[] }): void {
  const { dataset, origin } = noted.destination;
  for (const { path: at, modifiedMs } of noted.times) tx.run(NOTE_TIME, modifiedMs, dataset, origin, at);
}

const NOTE_TIME = `UPDATE imports SET modified_ms = ? WHERE id = (
  SELECT max(i.id) FROM destinations d CROSS JOIN imports i INDEXED BY imports_by_path ON i.destination = d.id
  WHERE d.dataset = ? AND d.origin = ? AND i.path = ? AND i.outcome = 'accepted' AND i.size >= 0
    AND NOT ${hasFailed('i')})`;

export interface MovedFile extends Pick<QueuedSource, 'name' | 'relativePath'> {
  readonly from: string;
  readonly path: string;
}

/**
 * Updates the paths of moved files in their rows and remembered uploads. Skips files that are being imported, and files
 * whose new path already has a row. Pass at most about 1,000 files. Returns the new paths of the changed rows.
 */
export function move(tx: Tx, wanted: { destination: Destination; files: readonly MovedFile[] }): string[] {
  const { dataset, origin } = wanted.destination;
  const version = nextVersion(tx);
  const moved: string[] = [];
  for (const { from, path, name, relativePath } of wanted.files) {
    const place = tx.one<MovedFrom>(MOVED_FROM, dataset, origin, from, path);
    if (place === undefined) continue;
    tx.run(MOVE_MEMORY, path, place.destination, from);
    if (place.id === null) continue;
    tx.run(MOVE_ROW, path, name, relativePath, version, place.id);
    addEvent(tx, place.id, { kind: 'renamed', from: place.before });
    moved.push(path);
  }
  return moved;
}

interface MovedFrom {
  readonly destination: number;
  /** The file's row. Null if it was removed from the list long ago. */
  readonly id: number | null;
  readonly before: string;
}

const MOVED_FROM = `SELECT d.id AS destination, f.id, f.relative_path AS before FROM destinations d
  LEFT JOIN files f ON f.destination = d.id AND f.path = ?3 LEFT JOIN imports i ON i.id = f.import
  WHERE d.dataset = ?1 AND d.origin = ?2 AND ifnull(i.outcome, '') NOT IN ('queued', 'sending')
    AND NOT EXISTS (SELECT 1 FROM files other WHERE other.destination = d.id AND other.path = ?4)`;

const MOVE_ROW = 'UPDATE files SET path = ?, name = ?, relative_path = ?, version = ? WHERE id = ?';

const MOVE_MEMORY = 'UPDATE imports SET path = ? WHERE destination = ? AND path = ?';

/** Forgets the uploads to a destination. Rows stay listed. Returns the number of forgotten uploads. */
export function forget(tx: Tx, { dataset, origin }: Destination): Step<number> {
  return inSteps(tx, REMEMBERED, [dataset, origin], (step, imports) => {
    step.run(`DELETE FROM imports WHERE id ${CHOSEN} AND file IS NULL`, imports);
    step.run(`UPDATE imports SET sha256 = NULL, size = ~size WHERE id ${CHOSEN}`, imports);
  });
}

const REMEMBERED = `SELECT id FROM imports NOT INDEXED
  WHERE (outcome = 'accepted' OR (outcome = 'unconfirmed'
      AND NOT EXISTS (SELECT 1 FROM files WHERE id = imports.file AND removed_ms IS NULL
        AND (import = imports.id OR state IN ('queued', 'sending')))))
    AND size >= 0 AND destination IN (SELECT id FROM destinations WHERE dataset = ? AND origin = ?)`;
