/** How long a response may ask us to wait; more than this is taken for a mistake. */
const LONGEST_PAUSE_MS = 60 * 60_000;

/**
 * How long to leave a service in peace that may have asked for a pause of `askedMs`: never shorter than our own
 * `backoffMs`, which a "0" would switch off, and never longer than an hour.
 */
export function askedPauseMs(askedMs: number | undefined, backoffMs: number): number {
  return Math.min(Math.max(askedMs ?? 0, backoffMs), LONGEST_PAUSE_MS);
}
