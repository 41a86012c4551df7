import { setImmediate } from 'node:timers/promises';

/** Yields a list in slices, and lets the event loop run between them. Handling a slice should take only a few milliseconds. */
export async function* inSlices<Item>(items: readonly Item[], size = 2000): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + size);
  }
}
