const BASE_MS = 1000;
const MAX_MS = 60_000;
const FACTOR = 2;
/** Max Retry-After that is respected; a longer one is taken for a mistake. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * Exponential back-off with jitter: milliseconds to wait after so many failures in a row (from 1), between half and the
 * whole of a step that grows with each. `random` gives a number from 0 up to 1.
 */
export function backoffMs(failures: number, random: () => number): number {
  const step = Math.min(MAX_MS, BASE_MS * FACTOR ** (failures - 1));
  return Math.round(step * (0.5 + random() / 2));
}

/** Milliseconds until the next try: the service's Retry-After, but no less than our own back-off, nor more than an hour. */
export function retryDelayMs(retryAfterMs: number | undefined, backoffMs: number): number {
  return Math.min(Math.max(retryAfterMs ?? 0, backoffMs), MAX_RETRY_AFTER_MS);
}
