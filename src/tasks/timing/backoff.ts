const BASE_MS = 1000;
const MAX_MS = 60_000;
const FACTOR = 2;
/** A longer Retry-After must be a mistake. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * Exponential backoff with jitter, in milliseconds: between half and all of a step that doubles with each failure in a row.
 * `failures` counts from 1.
 */
export function backoffMs(failures: number, random: () => number): number {
  const step = Math.min(MAX_MS, BASE_MS * FACTOR ** (failures - 1));
  return Math.round(step * (0.5 + random() / 2));
}

/** Milliseconds until the next try: the service's Retry-After, but at least our own backoff, and at most an hour. */
export function retryDelayMs(retryAfterMs: number | undefined, backoffMs: number): number {
  return Math.min(Math.max(retryAfterMs ?? 0, backoffMs), MAX_RETRY_AFTER_MS);
}
