/** A JSON number whose digits JavaScript's own number would change: a 19-digit id, 1.0, 1e400. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** What Node 22 has and the type library lacks. */
interface ExactJson {
  rawJSON(source: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}
const exact = JSON as unknown as ExactJson;

/** Tells a number that was kept as its digits. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return exact.isRawJSON(value);
}

/** A string, or a number that JavaScript may write in another way. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+[.eE][\d.eE+-]*|-?\d{16,}|-0/g;

/**
 * Parses a text of valid JSON and keeps every number to the digit. One that JavaScript would write in another way is parsed
 * as a stand-in, the multiple of the smallest number that says which one it is: with a reviver, parsing takes several times
 * as long.
 */
export function parseExact(json: string): unknown {
  const numbers: ExactNumber[] = [];
  const text = json.replace(STRING_OR_NUMBER, (found) => {
    const number = Number(found);
    if (found.startsWith('"') || (String(number) === found && !isStandIn(number))) return found;
    numbers.push(exact.rawJSON(found));
    return String(-numbers.length * Number.MIN_VALUE);
  });
  const value = JSON.parse(text);
  return numbers.length === 0 ? value : withNumbers(value, numbers);
}

/** Puts the numbers in place of their stand-ins. */
function withNumbers(value: unknown, numbers: readonly ExactNumber[]): unknown {
  if (typeof value === 'number') return isStandIn(value) ? numbers[value / -Number.MIN_VALUE - 1] : value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = withNumbers(item, numbers);
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) members[name] = withNumbers(members[name], numbers);
  }
  return value;
}

/** The smallest number of full precision: what is smaller is a stand-in. */
const SMALLEST_NORMAL = 2 ** -1022;

function isStandIn(number: number): boolean {
  return number < 0 && number > -SMALLEST_NORMAL;
}
