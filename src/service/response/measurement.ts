const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^1\d{9}(?:\d{3})?$/;
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$|^\d{10,}$/i;
/** Percent, or a fraction of 1. */
const SHARE = /^\d+(?:\.\d+)?\s*%$|^[01]?\.\d+$/;

/** Different values with the same words around their numbers that are not counted as statuses any more. */
const MAX_NUMBERED = 4;
/** The same for values that are nothing but a number: no service has as many states. */
const MAX_NUMBERS = 13;

/**
 * Whether what was read as statuses is rather a measurement: times, ids or shares, or many values that differ only in
 * their numbers, such as "Page 3 of 400".
 */
export function isMeasurement(values: readonly string[]): boolean {
  if (values.length === 0) return false;
  if (values.every((value) => [TIME, ID, SHARE].some((kind) => kind.test(value)))) return true;
  const byWords = Map.groupBy(new Set(values), (value) => value.replaceAll(/\d+(?:\.\d+)?/g, '#'));
  return [...byWords].some(
    ([words, { length }]) => words.includes('#') && length >= (words === '#' ? MAX_NUMBERS : MAX_NUMBERED),
  );
}
