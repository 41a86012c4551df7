import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
/** Shorter than Mocha's own limit, which doesn't name what a test waited for. */
const LIMIT_MS = 50_000;

/** Waits for a condition. Fails after 50 s with what it waited for: by default, the source of the condition. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string = condition.toString(),
): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  while (!(await condition())) {
    if (limit.aborted) throw new Error(`Waited ${LIMIT_MS / 1000} s in vain for: ${what}`);
    await delay(POLL_MS);
  }
}
