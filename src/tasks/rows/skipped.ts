import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';

/** Files that an import left out for the same reason. */
export interface Skipped {
  /** In the words in which the user was told. */
  readonly reason: string;
  readonly count: number;
}

/** Notes what the newest import of a batch left out. */
export function noteSkipped(db: DatabaseSync, batchId: string, skipped: readonly Skipped[]): void {
  for (const { reason, count } of skipped) prepared(db, NOTE).run(batchId, reason, count);
}

/** What an import of a batch left out, the most first. */
export function readSkipped(db: DatabaseSync, batchId: string, beganMs: number): Skipped[] {
  return prepared(
    db,
    'SELECT reason, count FROM skipped WHERE batch_id = ? AND began_ms = ? ORDER BY count DESC, reason',
  )
    .all(batchId, beganMs)
    .map(({ reason, count }) => ({ reason: String(reason), count: Number(count) }));
}

const NOTE = `INSERT OR REPLACE INTO skipped (batch_id, began_ms, reason, count)
  SELECT ?1, created_ms, ?2, ?3 FROM tasks WHERE batch_id = ?1 ORDER BY created_ms DESC LIMIT 1`;
