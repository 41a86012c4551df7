import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { waitUntil } from '../e2e/waitUntil';

/** Suspends a process while it isn't holding the database lock. Otherwise, the lock would block all other windows. */
export async function stopBetweenWrites(pid: number, storePath: string): Promise<void> {
  await waitUntil('a moment between two writes', async () => {
    process.kill(pid, 'SIGSTOP');
    await waitUntil('the process to stop', async () => isStopped(pid) || undefined);
    if (isUnlocked(storePath)) return true;
    process.kill(pid, 'SIGCONT');
    return undefined;
  });
}

function isStopped(pid: number): boolean {
  return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('T');
}

function isUnlocked(storePath: string): boolean {
  const db = new DatabaseSync(storePath, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}
