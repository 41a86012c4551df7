import type { HttpAnswer } from './exchange';

/**
 * How long an answer asks to wait, in milliseconds, by its header Retry-After (INTERFACE.md 8: rate limits are not
 * shown, so HTTP's own means is taken). A date is measured against the answer's own Date, whatever this machine's
 * clock says. Undefined where nothing readable is asked.
 */
export function retryAfterMs({ headers }: Pick<HttpAnswer, 'headers'>): number | undefined {
  const asked = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const ms = Date.parse(asked) - Date.parse(String(headers['date']));
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
