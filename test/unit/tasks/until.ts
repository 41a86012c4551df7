import { setImmediate } from 'node:timers/promises';

/** Waits for a condition; the test's own time limit is the only one. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}
