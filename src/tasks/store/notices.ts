import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { type EditorWindow, hasProcess, thisWindow } from '../leases/windowLease';
import { isHeldAlways } from '../rows/listedFacts';
import { type TrackedTask, taskState } from '../trackedTask';

/** What ended at its service and is to be announced: a single file that failed there, or a batch. */
export type Notice =
  | { readonly kind: 'failed'; readonly key: number }
  | { readonly kind: 'batchEnded'; readonly batchId: string };

/** Notes of changes what is to be announced, in their transaction. */
export function noteEnds(
  db: DatabaseSync,
  changed: readonly { readonly before: TrackedTask; readonly after: TrackedTask }[],
): void {
  const ended = changed.filter(({ before, after }) => isHeldAlways(before) && !isHeldAlways(after));
  for (const { after } of ended)
    if (after.batch === undefined && taskState(after) === 'failed') prepared(db, NOTE_TASK).run(after.key);
  for (const id of new Set(ended.flatMap(({ after }) => after.batch?.id ?? [])))
    if (prepared(db, UNFINISHED_OF).get(id) === undefined) prepared(db, NOTE_BATCH).run({ id });
}

/**
 * What all windows together report to a user once: the ends at services that are to be announced. Every method may reject
 * with StoreError.
 */
export class Notices {
  readonly #file: SqliteFile;
  readonly #window: EditorWindow;

  constructor(file: SqliteFile, window: EditorWindow = thisWindow()) {
    this.#file = file;
    this.#window = window;
  }

  /** Takes what is to be announced: each is returned to one window only, unless that is gone before it was `shown`. */
  async take(): Promise<readonly Notice[]> {
    const { machine, pid } = this.#window;
    const takers = await this.#file.read((db) => prepared(db, 'SELECT DISTINCT machine, pid FROM notices').all());
    const gone = takers.flatMap((taker) =>
      taker['machine'] === machine && !hasProcess(Number(taker['pid'])) ? [Number(taker['pid'])] : [],
    );
    if (gone.length === 0 && takers.every((taker) => taker['machine'] !== null)) return [];
    const rows = await this.#file.write((db) => prepared(db, TAKE).all({ machine, pid, gone: JSON.stringify(gone) }));
    return rows.map(({ key, batch_id }) =>
      key === null ? { kind: 'batchEnded', batchId: String(batch_id) } : { kind: 'failed', key: Number(key) },
    );
  }

  /** Removes a notice that this window has announced. */
  async shown(notice: Notice): Promise<void> {
    const [column, value] = notice.kind === 'failed' ? ['key', notice.key] : ['batch_id', notice.batchId];
    const { machine, pid } = this.#window;
    const remove = `DELETE FROM notices WHERE ${column} = ? AND machine = ? AND pid = ?`;
    await this.#file.write((db) => prepared(db, remove).run(value ?? null, machine, pid));
  }
}

/** A statement of its own, as the next one reads the whole batch. */
const UNFINISHED_OF = 'SELECT 1 FROM tasks WHERE batch_id = ? AND unfinished = 1 LIMIT 1';

/** Where its service has ended one of its tasks. */
const NOTE_BATCH = `INSERT OR REPLACE INTO notices (batch_id) SELECT $id
  WHERE EXISTS (SELECT 1 FROM tasks WHERE batch_id = $id AND state IN ('succeeded', 'failed'))`;

const NOTE_TASK = 'INSERT OR REPLACE INTO notices (key) VALUES (?)';

const TAKE = `UPDATE notices SET machine = $machine, pid = $pid
  WHERE machine IS NULL OR (machine = $machine AND pid IN (SELECT value FROM json_each($gone)))
  RETURNING key, batch_id`;
