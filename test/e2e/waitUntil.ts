import type { Locator } from 'playwright-core';

/** How long anything is waited for before it counts as missing; a slow machine has nothing else to do either. */
export const patienceMs = 60_000;
/** How long a click may take that something else may make impossible; one that is only slow must not be made twice. */
export const clickMs = 10_000;
const pauseMs = 50;

/** Asks again and again until there is a response, and gives it; throws, naming what was waited for, after {@link patienceMs}. */
export async function waitUntil<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + patienceMs; ; ) {
    const response = await ask();
    if (response !== undefined) return response;
    if (Date.now() > until) throw new Error(`Waited ${patienceMs / 1000} s for ${what}`);
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
export async function succeeds(doing: Promise<unknown>): Promise<boolean> {
  return await doing.then(
    () => true,
    () => false,
  );
}
