import { endOfString, QUOTE } from './jsonDepth';

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

/** Where a number begins and ends in a text. */
type Span = readonly [from: number, to: number];

/**
 * Parses a text of valid JSON and keeps the numbers at these places to the digit. Each is parsed as a stand-in, the
 * multiple of the smallest number that says which one it is: with a reviver, parsing takes several times as long.
 */
export function parseExact(json: string, at: readonly Span[]): unknown {
  const texts: string[] = [];
  let end = 0;
  for (const [index, [from, to]] of at.entries()) {
    texts.push(json.slice(end, from), String(-(index + 1) * Number.MIN_VALUE));
    end = to;
  }
  const numbers = at.map(([from, to]) => exact.rawJSON(json.slice(from, to)));
  return withNumbers(JSON.parse(texts.join('') + json.slice(end)), numbers);
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

const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];
/** Max length of a number that is surely written as JavaScript would write it, where it has no more than digits. */
const MAX_SAFE_DIGITS = 15;

/** The numbers in a text of valid JSON that JavaScript would write in another way, or that look like stand-ins. */
export function changedNumbers(json: string): Span[] {
  const changed: Span[] = [];
  for (let at = 0; at < json.length; at++) {
    const first = json.charCodeAt(at);
    if (first === QUOTE) at = endOfString(json, at);
    if (!isDigit(first) && first !== MINUS) continue;
    const from = at;
    let isPlain = first !== MINUS;
    for (; isInNumber(json.charCodeAt(at + 1)); at++) isPlain &&= isDigit(json.charCodeAt(at + 1));
    if (isPlain && at - from < MAX_SAFE_DIGITS) continue;
    const text = json.slice(from, at + 1);
    const number = Number(text);
    if (String(number) !== text || isStandIn(number)) changed.push([from, at + 1]);
  }
  return changed;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whether a number goes on with this: a digit, a sign, a point or an exponent. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === POINT || code === MINUS || code === 0x2b || code === 0x45 || code === 0x65;
}
