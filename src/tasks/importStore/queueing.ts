import path from 'node:path';
import { claimLease, destinationOf, isOutdated } from './leases';
import { type NewImport, type Queued, type QueueRequest, STATES } from './model';
import { nextVersion, refresh } from './rows';
import { Rest, STEP_ROWS, type Step, type Tx } from './tx';

/** The destination and batch of a request's rows. */
interface Place {
  readonly destination: number;
  readonly batch: number | null;
  readonly folder: string | null;
}

/**
 * Adds imports of files. A row that has another import than the user saw, or is being imported, is skipped: two windows
 * may import the same file.
 */
export function queue(tx: Tx, request: QueueRequest): Step<Queued> {
  if (request.claims && !isOutdated(tx)) claimLease(tx, destinationOf(tx, request.destination));
  return queueFrom(tx, request, []);
}

function queueFrom(tx: Tx, request: QueueRequest, before: Queued['imports']): Step<Queued> {
  // Looked up in each step: the file may have been replaced since the last one.
  const place = startRun(tx, destinationOf(tx, request.destination), request);
  const some = request.files.slice(before.length, before.length + STEP_ROWS);
  const imports = [...before, ...queueSome(tx, request, place, some)];
  if (imports.length < request.files.length) return new Rest((next) => queueFrom(next, request, imports));
  return { destination: place.destination, batch: place.batch, imports };
}

/** A repeated request finds its run, and with it its batch. */
function startRun(tx: Tx, destination: number, { run, batch, skipped }: QueueRequest): Place {
  const started = tx.one<Place>(
    'SELECT b.id AS batch, b.folder FROM runs r LEFT JOIN batches b ON b.id = r.batch WHERE r.id = ?',
    run,
  );
  const own = started ?? (batch && batchOf(tx, destination, batch));
  const place = { destination, batch: own?.batch ?? null, folder: own?.folder ?? null };
  if (started === undefined)
    tx.run(
      'INSERT INTO runs (id, batch, window, began_ms, skipped) VALUES (?, ?, ?, ?, ?)',
      run,
      place.batch,
      tx.window.id,
      tx.nowMs,
      JSON.stringify(skipped),
    );
  tx.run('UPDATE batches SET announced_ms = NULL WHERE id = ?', place.batch);
  return place;
}

/** The batch of the outermost imported folder around this one, or a new batch. */
function batchOf(
  tx: Tx,
  destination: number,
  { label, folder }: NonNullable<QueueRequest['batch']>,
): Pick<Place, 'batch' | 'folder'> {
  const around = tx
    .all<{ batch: number; folder: string }>(
      'SELECT id AS batch, folder FROM batches WHERE destination = ? AND folder IS NOT NULL ORDER BY length(folder)',
      destination,
    )
    .find((other) => folder !== null && isWithin(folder, other.folder));
  if (around !== undefined) return around;
  const insert = 'INSERT INTO batches (destination, label, folder) VALUES (?, ?, ?)';
  return { batch: tx.insert(insert, destination, label, folder), folder };
}

function isWithin(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return !(relative.startsWith('..') || path.isAbsolute(relative));
}

interface ExistingRow {
  readonly id: number;
  readonly import: number;
  readonly path: string | null;
  readonly batch: number | null;
  readonly folder: string | null;
  readonly outcome: string;
  readonly run: string | null;
}

function queueSome(
  tx: Tx,
  { run, batch, files }: QueueRequest,
  { destination, ...place }: Place,
  some: readonly NewImport[],
): (number | null)[] {
  const version = nextVersion(tx);
  const single = batch === null && files.length === 1;
  let next = (tx.one<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'imports'")?.seq ?? 0) + 1;
  const queuedAgain: number[] = [];
  const imports = some.map((file) => {
    const row = existingRow(tx, destination, run, file);
    if (row?.run === run) return row.import;
    const isOther =
      row !== undefined && (row.import !== file.seen || row.outcome === 'queued' || row.outcome === 'sending');
    if (isOther) return null;
    const id = next++;
    const { name, relativePath, textFile } = file;
    const facts = [file.path, name, relativePath, textFile, id];
    let rowId = row?.id;
    if (row === undefined) rowId = tx.insert(INSERT_FILE, destination, place.batch, ...facts, tx.nowMs, version);
    else {
      queuedAgain.push(row.id);
      if (row.path !== null && row.path !== file.path) moveMemory(tx, row.id, row.path, file.path);
      tx.run(QUEUE_AGAIN, outerBatch(row, place), ...facts, row.id);
    }
    tx.run(
      INSERT_IMPORT,
      ...[id, destination, rowId ?? null, run, file.path, file.sizeBytes, file.modifiedMs, file.sha256],
      tx.nowMs,
      single,
    );
    return id;
  });
  refresh(tx, queuedAgain);
  return imports;
}

function existingRow(tx: Tx, destination: number, run: string, file: NewImport): ExistingRow | undefined {
  const { path: filePath, movedRow, textFile } = file;
  if (filePath === null) return textFile === null ? undefined : tx.one<ExistingRow>(TEXT_OF_RUN, run, textFile);
  const row = tx.one<ExistingRow>(ROW_AT, destination, filePath);
  return row === undefined && movedRow !== undefined ? tx.one<ExistingRow>(ROW_BY_ID, movedRow, destination) : row;
}

/** Moves the memory of a file to its new path. */
function moveMemory(tx: Tx, file: number, from: string, to: string | null): void {
  tx.run(
    'UPDATE imports SET path = ?3 WHERE destination = (SELECT destination FROM files WHERE id = ?1) AND path = ?2 AND file = ?1',
    file,
    from,
    to,
  );
}

function outerBatch(row: Pick<ExistingRow, 'batch' | 'folder'>, place: Pick<Place, 'batch' | 'folder'>): number | null {
  if (row.batch === null || place.folder === null) return row.batch ?? place.batch;
  return row.folder !== null && isWithin(place.folder, row.folder) ? row.batch : place.batch;
}

const QUEUED_RANK = STATES.indexOf('queued');

// A new row is queued: `refresh` would compute the same values.
const INSERT_FILE = `INSERT INTO files (destination, batch, path, name, relative_path, text_file, import,
  state, rank, unfinished, changed_ms, version) VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ${QUEUED_RANK}, 1, ?, ?)`;

const QUEUE_AGAIN = `UPDATE files SET batch = ?, path = ?, name = ?, relative_path = ?, text_file = ?, import = ?,
  removed_ms = NULL WHERE id = ?`;

const INSERT_IMPORT = `INSERT INTO imports (id, destination, file, run, path, size, modified_ms, sha256, queued_ms, single,
  outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued')`;

const ROW = `SELECT f.id, f.import, f.path, f.batch, b.folder, i.outcome, i.run
  FROM files f JOIN imports i ON i.id = f.import LEFT JOIN batches b ON b.id = f.batch`;
const ROW_AT = `${ROW} WHERE f.destination = ? AND f.path = ?`;
const ROW_BY_ID = `${ROW} WHERE f.id = ? AND f.destination = ?`;
const TEXT_OF_RUN = `${ROW} WHERE f.id IN (SELECT file FROM imports WHERE run = ?) AND f.text_file = ?`;
