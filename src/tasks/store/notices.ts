import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { isHeldAlways } from '../rows/listedFacts';
import { type TrackedTask, taskState } from '../trackedTask';

/** What ended at its service and is to be announced: a single file that failed there, or a batch. */
export type Notice =
  | { readonly kind: 'failed'; readonly key: number }
  | { readonly kind: 'batchEnded'; readonly batchId: string };

/** Notes of a change what is to be announced, in the transaction of the change. */
export function noteEnd(db: DatabaseSync, before: TrackedTask, after: TrackedTask): void {
  if (!isHeldAlways(before) || isHeldAlways(after)) return;
  const { key, batch } = after;
  if (batch === undefined) {
    if (taskState(after) === 'failed') prepared(db, 'INSERT OR IGNORE INTO notices VALUES (?, NULL)').run(key);
  } else if (prepared(db, UNFINISHED_OF).get(batch.id) === undefined) prepared(db, NOTE_BATCH).run({ id: batch.id });
}

/**
 * What all windows together tell a user once: the ends at services that are to be announced, and which problems were seen.
 * Every method may reject with StoreError.
 */
export class Notices {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Takes what is to be announced: each is returned to one window only. */
  async take(): Promise<readonly Notice[]> {
    const hasAny = await this.#file.read((db) => prepared(db, 'SELECT 1 FROM notices LIMIT 1').get() !== undefined);
    if (!hasAny) return [];
    const rows = await this.#file.write((db) => prepared(db, 'DELETE FROM notices RETURNING key, batch_id').all());
    return rows.map(({ key, batch_id }) =>
      key === null ? { kind: 'batchEnded', batchId: String(batch_id) } : { kind: 'failed', key: Number(key) },
    );
  }

  /** The number of tasks that need the user and were not seen yet. */
  unseen(): Promise<number> {
    return this.#file.read((db) => Number(prepared(db, COUNT_UNSEEN).get()?.['count']));
  }

  /** Notes that the user has seen all that there is. */
  async markSeen(): Promise<void> {
    if ((await this.unseen()) > 0) await this.#file.write((db) => db.exec('UPDATE revisions SET seen = latest'));
  }
}

/** A statement of its own, as the next one reads the whole batch. */
const UNFINISHED_OF = 'SELECT 1 FROM tasks WHERE batch_id = ? AND unfinished = 1 LIMIT 1';

/** Where its service has ended one of its tasks. */
const NOTE_BATCH = `INSERT OR IGNORE INTO notices SELECT NULL, $id
  WHERE EXISTS (SELECT 1 FROM tasks WHERE batch_id = $id AND state IN ('succeeded', 'failed'))`;

const COUNT_UNSEEN = `SELECT count(*) AS count FROM tasks INDEXED BY tasks_problems
  WHERE problem = 1 AND revision > (SELECT seen FROM revisions)`;
