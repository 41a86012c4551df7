import type { DatabaseSync } from 'node:sqlite';

/** Runs `use` in a transaction, which is rolled back where it throws. */
export function inTransaction<T>(
  db: DatabaseSync,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  use: (db: DatabaseSync) => T,
): T {
  db.exec(begin);
  try {
    const result = use(db);
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
