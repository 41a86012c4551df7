/** What values look like that were read as statuses. */
export type StatusLooks = 'words' | 'progress' | 'measurement';

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^1\d{9}(?:\d{3})?$/;
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$|^\d{10,}$/i;
const NUMBER = /^(\d+(?:\.\d+)?)\s*(%?)$/;

/** Different values with the same words around their numbers that are not counted as statuses any more. */
const MAX_NUMBERED = 4;
/** The same for values that are nothing but a number, of all tasks: no service has as many states. */
const MAX_NUMBERS = 12;
/** Growing numbers of one task that are a measurement; many services number their states. */
const MIN_GROWING = 4;

/**
 * What the values look like that were read as the statuses of one task, each once and in the order in which they came:
 * statuses; progress (percent, or numbers that grow up to 100 or to 1); or a measurement (times, ids, numbers that grow).
 */
export function statusLooks(values: readonly string[]): StatusLooks {
  if (values.length === 0) return 'words';
  if (values.every((value) => TIME.test(value) || ID.test(value))) return 'measurement';
  const matches = values.map((value) => NUMBER.exec(value));
  const numbers = matches.flatMap((match) => (match?.[1] === undefined ? [] : [Number(match[1])]));
  if (numbers.length < values.length) return hasNumbered(values) ? 'measurement' : 'words';
  if (!isGrowing(numbers)) return 'words';
  const isPercent = matches.some((match) => match?.[2] === '%');
  const isFraction = numbers.some((number) => !Number.isInteger(number)) && numbers.every((number) => number <= 1);
  const most = Math.max(...numbers);
  if ((isPercent || isFraction) && most <= 100) return 'progress';
  if (most <= 100) return isLikePercent(numbers) ? 'progress' : 'words';
  return numbers.length >= MIN_GROWING ? 'measurement' : 'words';
}

/** 1, 2, 3 and 10, 20, 30 are as often the numbers of states, 12, 37, 80 are not. */
function isLikePercent(numbers: readonly number[]): boolean {
  if (numbers.length < 3 || Math.max(...numbers) <= 10) return false;
  return numbers.length >= 5 || numbers.some((number) => number % 10 !== 0);
}

function isGrowing(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));
}

/** Whether many values differ only in their numbers: "Page 3 of 400". */
function hasNumbered(values: readonly string[]): boolean {
  const byWords = Map.groupBy(values, (value) => value.replaceAll(/\d+(?:\.\d+)?/g, '#'));
  return [...byWords].some(([words, { length }]) =>
    words === '#' ? length > MAX_NUMBERS : words.includes('#') && length >= MAX_NUMBERED,
  );
}
