import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as immediate } from 'node:timers/promises';

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
    rollBack(db);
    throw error;
  }
}

/** Reads in steps, each in a transaction of its own: other windows may write, and other work runs, at each `yield`. */
export async function readStepwise<T>(
  db: DatabaseSync,
  query: (db: DatabaseSync) => Generator<undefined, T>,
): Promise<T> {
  const steps = query(db);
  for (;;) {
    const step = inTransaction(db, 'BEGIN', () => steps.next());
    if (step.done) return step.value;
    await immediate();
  }
}

/** Runs `use` in one write transaction; other work of this process runs at each `yield`. */
export async function inStepwiseTransaction<T>(
  db: DatabaseSync,
  use: (db: DatabaseSync) => Generator<undefined, T>,
): Promise<T> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const steps = use(db);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await immediate();
    db.exec('COMMIT');
    return step.value;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}
