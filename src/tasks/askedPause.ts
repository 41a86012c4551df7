import { LONGEST_PAUSE_MS } from './pace';

/**
 * How long to leave a service in peace that asked for a pause of `askedMs`: never shorter than our own `backoffMs`,
 * which a "0" would switch off, and never longer than an hour.
 */
export function askedPauseMs(askedMs: number, backoffMs: number): number {
  return Math.min(Math.max(askedMs, backoffMs), LONGEST_PAUSE_MS);
}
