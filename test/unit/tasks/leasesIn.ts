import { DatabaseSync } from 'node:sqlite';
import type { TemporaryStore } from './temporaryStore';

/** How many windows hold a lease, as it stands in SQLite. */
export function leasesIn({ path }: TemporaryStore): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare('SELECT * FROM windows').all().length;
  } finally {
    db.close();
  }
}
