import type { Locator } from 'playwright-core';

/** The position and size of an element in pixels. @throws Error if the element isn't visible */
export async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('The element is not visible.');
  return box;
}
