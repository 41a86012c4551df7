import type { HttpResponse } from './exchange';

/**
 * How long a response asks to wait, in milliseconds, by its header Retry-After: whole seconds, or an IMF-fixdate, which
 * is measured against `nowMs`, our own clock. Undefined where neither is asked.
 */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>, nowMs: number): number | undefined {
  const asked = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const ms = imfFixdateMs(asked);
  return ms === undefined ? undefined : Math.max(0, ms - nowMs);
}

/** `Date.parse` reads much that is no IMF-fixdate, and is written back in another way then. */
function imfFixdateMs(text: string): number | undefined {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined;
}
