import type { HttpResponse } from './exchange';

/**
 * Returns how long the Retry-After header asks us to wait, in milliseconds. The header contains a whole number of
 * seconds, or a date in one of the three formats of RFC 9110. A date is compared to the response's Date header, or to
 * `nowMs` if there is none.
 */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>, nowMs: number): number | undefined {
  const asked = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const untilMs = httpDateMs(asked, nowMs);
  const dateMs = httpDateMs(String(headers['date'] ?? '').trim(), nowMs) ?? nowMs;
  return untilMs === undefined ? undefined : Math.max(0, untilMs - dateMs);
}

const RFC_850 = /^(\w{3})\w+, (\d\d)-(\w{3})-(\d\d) (\d\d:\d\d:\d\d) GMT$/;
const ASCTIME = /^(\w{3}) (\w{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/;

function httpDateMs(text: string, nowMs: number): number | undefined {
  const [, weekday850, day850, month850, year850, time850] = RFC_850.exec(text) ?? [];
  if (year850 !== undefined) {
    // According to RFC 9110, a two-digit year that appears to be more than 50 years in the future is in the past.
    const latest = new Date(nowMs).getUTCFullYear() + 50;
    const year = latest - ((((latest - Number(year850)) % 100) + 100) % 100);
    return imfFixdateMs(`${weekday850}, ${day850} ${month850} ${year} ${time850} GMT`);
  }
  const [, weekday, month, day = '', time, year] = ASCTIME.exec(text) ?? [];
  return imfFixdateMs(year === undefined ? text : `${weekday}, ${day.replace(' ', '0')} ${month} ${year} ${time} GMT`);
}

/** `Date.parse` accepts far more than an IMF-fixdate, so formatting the result must yield the same text. */
function imfFixdateMs(text: string): number | undefined {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined;
}
