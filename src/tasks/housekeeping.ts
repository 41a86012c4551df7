import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ImportStore } from './store/importStore';
import type { Retention } from './store/model';
import type { Clock } from './timing/clock';

const HOUR_MS = 3_600_000;
/** Newer files in `textsFolder` are left alone, because their imports may not be queued yet. */
const MIN_AGE_MS = 24 * HOUR_MS;

interface HousekeepingPorts {
  readonly store: Pick<ImportStore, 'clear' | 'textFiles'>;
  readonly clock: Clock;
  readonly textsFolder: string;
  /** How many finished rows to keep, and for how long. */
  retention(): Retention;
}

/**
 * Returns a function that deletes old rows from the store and unneeded files from `textsFolder`, at most once an hour.
 * Call that function after each turn in which this window serves a destination. It may throw StoreFault.
 */
export function housekeeping({ store, clock, textsFolder, retention }: HousekeepingPorts): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    if (clock.monotonicMs() < nextMs) return;
    // Set this first, so that the next try is an hour later even if the store fails.
    nextMs = clock.monotonicMs() + HOUR_MS;
    await store.clear(retention());
    const names = await readdir(textsFolder).catch(() => []);
    if (names.length === 0) return;
    const needed = new Set(await store.textFiles(null));
    for (const name of names.filter((one) => !needed.has(one))) {
      const file = path.join(textsFolder, name);
      const { mtimeMs } = await stat(file);
      if (clock.now() - mtimeMs > MIN_AGE_MS) await rm(file, { force: true });
    }
  };
}
