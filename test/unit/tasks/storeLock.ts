import { DatabaseSync } from 'node:sqlite';
import type { TemporaryStore } from './temporaryStore';

/** The lock of another program on a store's file. */
export interface StoreLock extends Disposable {
  release(): void;
}

/** Locks the file over a connection of this process, as soon as no other process is writing to it. */
export function lockStore({ path }: Pick<TemporaryStore, 'path'>): StoreLock {
  const db = new DatabaseSync(path, { timeout: 30_000 });
  db.exec('BEGIN EXCLUSIVE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  return { release, [Symbol.dispose]: release };
}
