import { setImmediate } from 'node:timers/promises';

/** Yields a list in slices that take a few milliseconds each. The event loop runs between them. */
export async function* inSlices<Item>(items: readonly Item[], size = 2000): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + size);
  }
}
