import { setTimeout as delay } from 'node:timers/promises';

/** What a timer can hold: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Resolves after so many milliseconds, or as soon as `signal` aborts; leaves no timer then. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.min(ms, LONGEST_MS), undefined, { signal }).catch(() => {});
}
