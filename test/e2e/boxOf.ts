import type { Locator } from 'playwright-core';

/** Where it is, in pixels of the page. */
export async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('It is not in sight.');
  return box;
}
