import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
/** This must be shorter than Mocha's timeout, whose message doesn't say what the test was waiting for. */
const LIMIT_MS = 50_000;

/**
 * Waits for a condition. After 50 s, fails with a message that contains `what`, by default the condition's source code.
 */
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
