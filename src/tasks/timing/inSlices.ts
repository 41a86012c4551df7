import { setImmediate } from 'node:timers/promises';

/** The items of a list, so many at a time that working on them takes a few milliseconds; all else runs between them. */
export async function* inSlices<Item>(items: readonly Item[], size = 2000): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + size);
  }
}
