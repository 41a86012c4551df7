import type { Destination } from './model';
import { addEvent, nextVersion } from './rows';
import type { Tx } from './tx';

export interface MovedFile {
  readonly from: string;
  readonly path: string;
  readonly name: string;
  readonly relativePath: string;
}

/**
 * Changes the paths in the rows and remembered uploads of moved files. Skips files that are being imported, and files whose new
 * path already has a row. Pass at most about 1,000 files. Returns the number of changed rows.
 */
export function move(
  tx: Tx,
  { destination: { dataset, origin }, files }: { destination: Destination; files: readonly MovedFile[] },
): number {
  const version = nextVersion(tx);
  let moved = 0;
  for (const { from, path, name, relativePath } of files) {
    const row = tx.one<{ id: number; destination: number; before: string }>(ROW_AT, dataset, origin, from, path);
    if (row === undefined) continue;
    tx.run(MOVE_ROW, path, name, relativePath, version, row.id);
    tx.run(MOVE_MEMORY, path, row.destination, from);
    addEvent(tx, row.id, { kind: 'renamed', from: row.before });
    moved += 1;
  }
  return moved;
}

const ROW_AT = `SELECT f.id, f.destination, f.relative_path AS before FROM destinations d
  JOIN files f ON f.destination = d.id AND f.path = ?3 JOIN imports i ON i.id = f.import
  WHERE d.dataset = ?1 AND d.origin = ?2 AND i.outcome NOT IN ('queued', 'sending')
    AND NOT EXISTS (SELECT 1 FROM files other WHERE other.destination = d.id AND other.path = ?4)`;

const MOVE_ROW = 'UPDATE files SET path = ?, name = ?, relative_path = ?, version = ? WHERE id = ?';

const MOVE_MEMORY = 'UPDATE imports SET path = ? WHERE destination = ? AND path = ?';
