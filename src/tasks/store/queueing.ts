import path from 'node:path';
import { isWithin } from '../isWithin';
import { claimLease, destinationOf } from './leases';
import { type NewImport, type Queued, type QueueRequest, STATES } from './model';
import { ANNOUNCE_AGAIN, nextVersion, refresh } from './rows';
import { Rest, STEP_ROWS, type Step, type Tx } from './tx';

interface BatchOfRow {
  readonly batch: number | null;
  readonly folder: string | null;
}

/** The destination and batch for a request's rows. */
interface Place extends BatchOfRow {
  readonly destination: number;
}

/**
 * Queues files. A file is skipped if its row is already being imported or has a newer import than the one the user saw,
 * because another window may be importing the same file.
 */
export function queue(tx: Tx, request: QueueRequest): Step<Queued> {
  claimLease(tx, destinationOf(tx, request.destination));
  return queueFrom(tx, request, []);
}

function queueFrom(tx: Tx, request: QueueRequest, before: Queued['imports']): Step<Queued> {
  // Look up the destination in each step, because the database may have been replaced since the last step.
  const place = startRun(tx, destinationOf(tx, request.destination), request);
  const some = request.files.slice(before.length, before.length + STEP_ROWS);
  const imports = [...before, ...queueSome(tx, request, place, some)];
  if (imports.length < request.files.length) return new Rest((next) => queueFrom(next, request, imports));
  const { run, skipped, importingReason: reason } = request;
  const importing = imports.filter((one) => one === null).length;
  const all = reason === undefined || importing === 0 ? {} : { [reason]: (skipped[reason] ?? 0) + importing };
  tx.run('UPDATE runs SET window = ?, skipped = ? WHERE id = ?', tx.window.id, { ...skipped, ...all }, run);
  return { destination: place.destination, batch: place.batch, imports };
}

/** Finds the run and the batch if this request has already created them. Otherwise, creates them. */
function startRun(tx: Tx, destination: number, { run, batch, files }: QueueRequest): Place {
  const select = 'SELECT b.id AS batch, b.folder FROM runs r LEFT JOIN batches b ON b.id = r.batch WHERE r.id = ?';
  const started = tx.one<BatchOfRow>(select, run);
  const own = started ?? (batch === null ? undefined : batchOf(tx, destination, batch, files));
  // Files that were chosen one by one keep their batches.
  const isFolder = typeof batch === 'number' || batch?.folder != null;
  const place = { destination, batch: own?.batch ?? null, folder: isFolder ? (own?.folder ?? null) : null };
  // The run belongs to no window until all of its files are queued, so that its window doesn't announce it too early.
  const start = "INSERT INTO runs (id, batch, window, began_ms, skipped) VALUES (?, ?, '', ?, '{}')";
  if (started === undefined) tx.run(start, run, place.batch, tx.nowMs);
  return place;
}

/**
 * Returns the batch if its ID is given. Otherwise, returns the batch of the outermost imported folder that contains the
 * given folder. If there is none, creates a batch, unless every file already belongs to one. In that case, returns the
 * first file's batch.
 */
function batchOf(
  tx: Tx,
  destination: number,
  batch: NonNullable<QueueRequest['batch']>,
  files: readonly NewImport[],
): BatchOfRow | undefined {
  if (typeof batch === 'number') return tx.one('SELECT id AS batch, folder FROM batches WHERE id = ?', batch);
  const { label, folder } = batch;
  const paths = folder === null ? files.map((file) => file.path) : [folder];
  const batchAt = folder === null ? batchesOf(tx, destination, paths) : folderBatches(tx, destination);
  if (paths.every((at) => batchAt(at) !== undefined)) return batchAt(paths[0] ?? null);
  const insert = 'INSERT INTO batches (destination, label, folder) VALUES (?, ?, ?)';
  return { batch: tx.insert(insert, destination, label, folder), folder };
}

/** Returns a function that finds the batch of the outermost imported folder that contains a path. */
function folderBatches(tx: Tx, destination: number): (at: string | null) => BatchOfRow | undefined {
  const select = 'SELECT id AS batch, folder FROM batches WHERE destination = ? AND folder IS NOT NULL';
  const byFolder = new Map(tx.all<BatchOfRow>(select, destination).map((one) => [one.folder, one]));
  return (at) => {
    let found: BatchOfRow | undefined;
    if (at !== null)
      for (let [inner, folder] = ['', at]; folder !== inner; [inner, folder] = [folder, path.dirname(folder)])
        found = byFolder.get(folder) ?? found;
    return found;
  };
}

/** Returns a function that finds the batch that a file belongs to already. */
function batchesOf(tx: Tx, destination: number, paths: readonly (string | null)[]) {
  const rows = tx.all<ExistingRow>(ROWS_AT, paths, destination).filter(({ batch }) => batch !== null);
  const known = new Map<string | null, BatchOfRow>(rows.map((row) => [row.path, row]));
  const around = folderBatches(tx, destination);
  return (at: string | null) => known.get(at) ?? around(at);
}

interface ExistingRow extends BatchOfRow {
  readonly id: number;
  readonly import: number;
  readonly path: string | null;
  readonly outcome: string;
  readonly run: string | null;
}

function queueSome(
  tx: Tx,
  { run, batch, files }: QueueRequest,
  { destination, ...place }: Place,
  some: readonly NewImport[],
): (number | null)[] {
  const [nowMs, version] = [tx.nowMs, nextVersion(tx)];
  const single = batch === null && files.length === 1;
  const paths = some.map((file) => file.path);
  const known = new Map(tx.all<ExistingRow>(ROWS_AT, paths, destination).map((row) => [row.path, row]));
  let next = (tx.one<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'imports'")?.seq ?? 0) + 1;
  const around = folderBatches(tx, destination);
  const [added, queuedAgain]: [number[], number[]] = [[], []];
  const imports = some.map((file) => {
    const { path: at, name, relativePath, textFile, sizeBytes, modifiedMs, sha256 } = file;
    const row = (at !== null && known.get(at)) || rowElsewhere(tx, destination, run, file);
    if (row?.run === run) return row.import;
    if (row && (row.path !== at || row.import !== file.seen || row.outcome === 'queued' || row.outcome === 'sending'))
      return null;
    const id = next++;
    const own = place.folder === null ? (around(at)?.batch ?? place.batch) : place.batch;
    const rowId =
      row?.id ?? tx.insert(INSERT_FILE, destination, own, at, name, relativePath, textFile, id, nowMs, version);
    (row === undefined ? added : queuedAgain).push(rowId);
    if (row !== undefined) tx.run(QUEUE_AGAIN, outerBatch(row, place), name, relativePath, textFile, id, rowId);
    tx.run(INSERT_IMPORT, id, destination, rowId, run, at, sizeBytes, modifiedMs, sha256, nowMs, single);
    // The request may list a file twice.
    known.set(at, { ...place, id: rowId, import: id, path: at, outcome: 'queued', run });
    return id;
  });
  tx.run(ANNOUNCE_AGAIN, added);
  refresh(tx, queuedAgain);
  return imports;
}

/**
 * Finds a row without using a path, because text doesn't have one. Returns either the given row or, for text, the row
 * that the same request has already created.
 */
function rowElsewhere(tx: Tx, destination: number, run: string, file: NewImport): ExistingRow | undefined {
  if (file.row !== undefined) return tx.one<ExistingRow>(ROW_BY_ID, file.row, destination);
  const isText = file.path === null && file.textFile !== null;
  return isText ? tx.one<ExistingRow>(TEXT_OF_RUN, run, file.textFile) : undefined;
}

function outerBatch(row: BatchOfRow, place: BatchOfRow): number | null {
  if (row.batch === null || place.folder === null) return row.batch ?? place.batch;
  return row.folder !== null && isWithin(place.folder, row.folder) ? row.batch : place.batch;
}

const QUEUED_RANK = STATES.indexOf('queued');

// A new row doesn't need `refresh`, which would compute the same values.
const INSERT_FILE = `INSERT INTO files (destination, batch, path, name, relative_path, text_file, import,
  state, rank, unfinished, changed_ms, version) VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ${QUEUED_RANK}, 1, ?, ?)`;

const QUEUE_AGAIN = `UPDATE files SET batch = ?, name = ?, relative_path = ?, text_file = ?, import = ?,
  removed_ms = NULL WHERE id = ?`;

const INSERT_IMPORT = `INSERT INTO imports (id, destination, file, run, path, size, modified_ms, sha256, queued_ms, single,
  outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued')`;

const ROW = 'SELECT f.id, f.import, f.path, f.batch, b.folder, i.outcome, i.run FROM';
const PARTS = 'JOIN imports i ON i.id = f.import LEFT JOIN batches b ON b.id = f.batch';
const ROWS_AT = `${ROW} json_each(?) chosen CROSS JOIN files f INDEXED BY files_by_path
  ON f.destination = ? AND f.path = chosen.value ${PARTS}`;
const ROW_BY_ID = `${ROW} files f ${PARTS} WHERE f.id = ? AND f.destination = ?`;
const TEXT_OF_RUN = `${ROW} files f ${PARTS} WHERE f.id IN (SELECT file FROM imports WHERE run = ?) AND f.text_file = ?`;
