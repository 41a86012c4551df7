import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
/** Shorter than a test's time limit, so that the test fails with an error that says what it waited for. */
const LIMIT_MS = 50_000;

/** Calls `ask` every 20 ms until it returns a result. Throws after 50 s, naming what it waited for. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, undefined | null | false>> {
  for (const end = performance.now() + LIMIT_MS; ; ) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as Exclude<T, undefined | null | false>;
    if (performance.now() > end) throw new Error(`Waited ${LIMIT_MS / 1000} s for ${what}`);
    await pause(POLL_MS);
  }
}

/** Returns the promise's value. Throws after 50 s, naming what it waited for. */
export async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(LIMIT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`Waited ${LIMIT_MS / 1000} s for ${what}`);
  });
  late.catch(() => undefined); // aborting the timer below rejects this promise
  return await Promise.race([promise, late]).finally(() => timer.abort());
}

/** Calls `act` every 20 ms until the promise settles, and returns the promise's value. */
export async function untilSettled<T>(
  what: string,
  promise: PromiseLike<T>,
  act: () => PromiseLike<unknown>,
): Promise<T> {
  let isSettled = false;
  const settled = Promise.resolve(promise).finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined); // errors are thrown by the await below
  await until(what, async () => {
    if (!isSettled) await Promise.race([settled.catch(() => undefined), act()]);
    return isSettled;
  });
  return await settled;
}
