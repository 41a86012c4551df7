import { DatabaseSync } from 'node:sqlite';

/** Another program's lock on the database. */
export interface StoreLock extends Disposable {
  release(): void;
}

/** Locks the database through another connection, once no other process is writing to it. */
export function lockStore({ path }: { readonly path: string }): StoreLock {
  const db = new DatabaseSync(path, { timeout: 30_000 });
  db.exec('BEGIN EXCLUSIVE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  return { release, [Symbol.dispose]: release };
}
