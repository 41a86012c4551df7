import { stat } from 'node:fs/promises';
import type { Clock } from '../timing/clock';
import { wait } from '../timing/wait';
import { orCanceled } from './orCanceled';

/** How often the file is checked. */
const CHECK_MS = 250;
/** How long it must stay as it is. */
const UNCHANGED_MS = 1000;

/**
 * Waits until a file has not changed for a second, or until `deadlineMs` of the clock's `monotonicMs`. Returns at once
 * where there is no such file: opening it fails with the reason. @throws CanceledError
 */
export async function untilUnchanged(
  path: string,
  deadlineMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let version = await versionOf(path, signal);
  let sinceMs = clock.monotonicMs();
  while (version !== undefined && clock.monotonicMs() < Math.min(sinceMs + UNCHANGED_MS, deadlineMs)) {
    await wait(clock, CHECK_MS, signal);
    const now = await versionOf(path, signal);
    if (now !== version) sinceMs = clock.monotonicMs();
    version = now;
  }
}

async function versionOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  const stats = await orCanceled(
    stat(path).catch(() => undefined),
    signal,
  );
  return stats && `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
}
