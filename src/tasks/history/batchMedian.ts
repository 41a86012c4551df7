import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';

/**
 * The median time, in milliseconds, from the acceptance of a batch's tasks to the end that the service reported of them;
 * undefined where none has ended there. Clocks can be set: no time counts as less than none.
 */
export function readBatchMedian(db: DatabaseSync, batchId: string): number | undefined {
  const { ms } = prepared(db, MEDIAN).get(batchId) ?? {};
  return ms === undefined ? undefined : Number(ms);
}

const MEDIAN = `WITH times (ms) AS MATERIALIZED (
    SELECT max(0, ended_ms - coalesce(uploaded_ms, created_ms))
    FROM tasks INDEXED BY tasks_by_batch
    WHERE batch_id = ? AND state IN ('succeeded', 'failed') AND ended_ms IS NOT NULL
  )
  SELECT ms FROM times ORDER BY ms LIMIT 1 OFFSET (SELECT (count(*) - 1) / 2 FROM times)`;
