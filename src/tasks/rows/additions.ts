import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import { keysOf, nextRevision, removeTasks } from './taskTable';

/** What several writes add together: until the last of them, none of it is to be sent. */
export interface Addition {
  readonly id: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** What one write of a window has added: the tasks from the first to the last key. */
export interface AddedPart {
  readonly window: string;
  readonly first: number;
  readonly last: number;
}

/** Notes what a write has added, in its transaction; the last one completes the addition. */
export function noteAddition(db: DatabaseSync, { id, isLast }: Addition, { window, first, last }: AddedPart): void {
  if (isLast) prepared(db, 'DELETE FROM additions WHERE id = ?').run(id);
  else prepared(db, 'INSERT INTO additions VALUES (?, ?, ?, ?)').run(id, window, first, last);
}

/** Whether what was added before is still there: another window undoes it where it takes this one for gone. */
export function isAddedSoFar(db: DatabaseSync, { id, isFirst }: Addition): boolean {
  return isFirst || prepared(db, 'SELECT 1 FROM additions WHERE id = ?').get(id) !== undefined;
}

/** What is being added, and is not complete. */
export function readAdditions(db: DatabaseSync): AddedPart[] {
  return prepared(
    db,
    'SELECT window, first_key AS first, last_key AS last FROM additions',
  ).all() as unknown as AddedPart[];
}

export function isBeingAdded(parts: readonly AddedPart[], key: number): boolean {
  return parts.some(({ first, last }) => first <= key && key <= last);
}

/** Removes what one write of an incomplete addition has added; false where there is none. */
export function undoPart(db: DatabaseSync, id: string, nowMs: number): boolean {
  const part = prepared(db, 'SELECT rowid, first_key, last_key FROM additions WHERE id = ? LIMIT 1').get(id);
  if (part === undefined) return false;
  const range = 'SELECT key FROM tasks WHERE key BETWEEN ? AND ?';
  const added = prepared(db, range).all(Number(part['first_key']), Number(part['last_key']));
  removeTasks(db, keysOf(added), { revision: nextRevision(db), nowMs });
  prepared(db, 'DELETE FROM additions WHERE rowid = ?').run(Number(part['rowid']));
  return true;
}

/** Removes the incomplete additions of windows that are gone. */
export function undoLeftAdditions(db: DatabaseSync, nowMs: number): void {
  const left = prepared(db, 'SELECT DISTINCT id FROM additions WHERE window NOT IN (SELECT id FROM windows)').all();
  for (const { id } of left) while (undoPart(db, String(id), nowMs));
}
