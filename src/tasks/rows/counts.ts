import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';

/**
 * Makes a change to tasks with these keys, and keeps the table of how many there are in which state in step with it:
 * counting those of a large batch would take long. Once for all of a commit, as for each task it takes longer than the
 * change. Whatever writes the table of tasks is called in here, or by {@link countAdded}.
 */
export function counted<Result>(db: DatabaseSync, keys: readonly number[], change: () => Result): Result {
  count(db, keys, -1);
  const result = change();
  count(db, keys, 1);
  return result;
}

/** Counts tasks that were added. */
export function countAdded(db: DatabaseSync, keys: readonly number[]): void {
  count(db, keys, 1);
}

function count(db: DatabaseSync, keys: readonly number[], sign: 1 | -1): void {
  prepared(db, COUNT).run({ keys: JSON.stringify(keys), sign });
}

const COUNT = `INSERT INTO counts
  SELECT ifnull(batch_id, ''), dataset, ifnull(origin, ''), state, problem, $sign * count(*), $sign * ifnull(sum(size_bytes), 0)
    FROM tasks WHERE key IN (SELECT value FROM json_each($keys)) GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT DO UPDATE SET count = count + excluded.count, size_bytes = size_bytes + excluded.size_bytes`;
