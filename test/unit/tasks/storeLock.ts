import { DatabaseSync } from 'node:sqlite';

/** The lock of another program on a store's file. */
export interface StoreLock extends Disposable {
  release(): void;
}

/** Locks the file over a connection of this process, as soon as no other process is writing to it. */
export function lockStore({ path }: { readonly path: string }): StoreLock {
  const db = new DatabaseSync(path, { timeout: 30_000 });
  db.exec('BEGIN EXCLUSIVE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  return { release, [Symbol.dispose]: release };
}
