import type { Locator } from 'playwright-core';

/** The time limit for most waits, long enough for a slow machine. */
export const limitMs = 60_000;
/**
 * The time limit for a click whose target may have disappeared. It is long enough that a click that is merely slow
 * isn't retried.
 */
export const clickMs = 10_000;
const pauseMs = 50;

/**
 * Polls until `ask` returns a value other than undefined or false.
 * @throws Error that names `what` if the time limit is exceeded
 */
export async function waitUntil<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const until = Date.now() + limitMs; ; ) {
    const response = await ask();
    if (response !== undefined && response !== false) return response;
    if (Date.now() > until) throw new Error(`Waited ${limitMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Whether an element appears within the given time. */
export async function appears(locator: Locator, withinMs: number): Promise<boolean> {
  return await succeeds(locator.waitFor({ timeout: withinMs }));
}

/** Whether an element disappears within the given time. */
export async function disappears(locator: Locator, withinMs: number): Promise<boolean> {
  return await succeeds(locator.waitFor({ timeout: withinMs, state: 'hidden' }));
}

/** Whether a promise resolves. */
export async function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return await promise.then(
    () => true,
    () => false,
  );
}
