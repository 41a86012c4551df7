import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';

/** A time at which a destination waited. */
export interface PastPause {
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  /** Undefined while it lasts. */
  readonly endedMs: number | undefined;
  /** Why, as the window that served the destination showed it: see `readPauseReason`. */
  readonly reason: string;
}

/** How long pauses are kept. */
const KEPT_MS = 90 * 86_400_000;

/** Notes that a destination pauses for a reason, or no longer where there is none. */
export function notePause(db: DatabaseSync, destination: string, reason: string | null, nowMs: number): void {
  const end = `UPDATE pauses SET ended_ms = ? WHERE destination = ? AND ended_ms IS NULL
    AND reason -> '$.reason' IS NOT ? -> '$.reason'`;
  prepared(db, end).run(nowMs, destination, reason);
  if (reason === null) return;
  prepared(db, 'DELETE FROM pauses WHERE began_ms < ?').run(nowMs - KEPT_MS);
  prepared(db, BEGIN).run(destination, nowMs, reason);
}

/** The pauses of a destination that were not over at a time, the first one first. */
export function readPauses(db: DatabaseSync, destination: string, sinceMs: number): PastPause[] {
  return prepared(db, PAUSES)
    .all(destination, sinceMs)
    .map(({ began_ms, ended_ms, reason }) => ({
      beganMs: Number(began_ms),
      endedMs: ended_ms === null ? undefined : Number(ended_ms),
      reason: String(reason),
    }));
}

const BEGIN = `INSERT INTO pauses (destination, began_ms, reason) SELECT ?1, ?2, ?3
  WHERE NOT EXISTS (SELECT 1 FROM pauses WHERE destination = ?1 AND ended_ms IS NULL)`;

/** One that its window left open as it was closed in the midst of it says nothing of its end. */
const PAUSES = `SELECT began_ms, ended_ms, reason FROM pauses WHERE destination = ?1
  AND iif(ended_ms IS NULL, EXISTS (SELECT 1 FROM leases WHERE destination = ?1 AND pause IS NOT NULL), ended_ms >= ?2)
  ORDER BY began_ms`;
