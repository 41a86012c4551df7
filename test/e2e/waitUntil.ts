import type { Locator } from 'playwright-core';

const timeoutMs = 30_000;
const pauseMs = 50;

/** Asks again and again until there is an answer, and gives it; throws, naming what was waited for, after 30 s. */
export async function waitUntil<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + timeoutMs; ; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > until) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Whether it comes into sight within the time. */
export async function appears(locator: Locator, withinMs: number): Promise<boolean> {
  return await succeeds(locator.waitFor({ timeout: withinMs }));
}

/** Whether it goes out of sight within the time. */
export async function disappears(locator: Locator, withinMs: number): Promise<boolean> {
  return await succeeds(locator.waitFor({ timeout: withinMs, state: 'hidden' }));
}

/** Whether what is done comes to a good end. */
export async function succeeds(doing: Promise<void>): Promise<boolean> {
  return await doing.then(
    () => true,
    () => false,
  );
}
