import { stat } from 'node:fs/promises';
import type { Clock } from '../timing/clock';
import { wait } from '../timing/wait';
import { orCanceled } from './orCanceled';

/** How often a file is looked at, and how long it must stay as it is. */
const LOOK_MS = 250;
const REST_MS = 1000;

/**
 * Waits until a file has not changed for a second, or `untilMs` of the clock's `monotonicMs` has come. One that cannot
 * be looked at counts as resting: who opens it learns why. @throws CanceledError
 */
export async function fileRests(path: string, untilMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let known = await look(path, signal);
  let sinceMs = clock.monotonicMs();
  while (known !== undefined && clock.monotonicMs() < Math.min(sinceMs + REST_MS, untilMs)) {
    await wait(clock, LOOK_MS, signal);
    const seen = await look(path, signal);
    if (seen !== known) sinceMs = clock.monotonicMs();
    known = seen;
  }
}

async function look(path: string, signal: AbortSignal): Promise<string | undefined> {
  const stats = await orCanceled(
    stat(path).catch(() => undefined),
    signal,
  );
  return stats && `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
}
