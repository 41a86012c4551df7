/**
 * The only member of an {@link ExactNumber}. JSON can contain this control character unescaped, and no service uses it as
 * a name.
 */
const DIGITS = '\u0080';

/** A JSON number that JavaScript would write differently, such as a 19-digit ID, 1.0 or 1e400. */
export interface ExactNumber {
  readonly [DIGITS]: string;
}

/** Any JSON value, with exact numbers. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Max nesting of lists and objects. Enough for any response, and far from a stack overflow. */
const MAX_DEPTH = 200;

/** Replaces parts that are nested too deeply, and the rest of a long text. */
export const LEFT_OUT = '…';

/**
 * Parses JSON and keeps numbers exact. Skips a byte order mark. Omits parts that are nested too deeply, so the result can be
 * walked recursively and stringified. @throws SyntaxError if the text isn't JSON
 */
export function parseJson(text: string): Json {
  const whole = text.replace(/^\uFEFF/, '');
  const { json, isTooDeep } = rewritten(whole);
  // The omitted parts must also be valid.
  if (isTooDeep) JSON.parse(whole);
  return JSON.parse(json);
}

/** Writes JSON that `parseJson` reads back to the same values. `indent` is the number of spaces per level. */
export function stringifyJson(value: Json, indent = 0): string {
  const json = JSON.stringify(value, undefined, indent);
  // The quotes rule out a match inside a string, where they are escaped.
  return json?.includes(`"${DIGITS}"`) ? json.replace(WRITTEN_NUMBER, '$1') : json;
}

const WRITTEN_NUMBER = new RegExp(`\\{\\s*"${DIGITS}":\\s*"(-?\\d[\\d.eE+-]*)"\\s*\\}`, 'g');

/** Whether valid JSON has parts that are nested too deeply. */
export function isTooDeep(json: string): boolean {
  return rewritten(json).isTooDeep;
}

const [QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x30, 0x39];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Turns numbers that JavaScript would write differently into {@link ExactNumber}s, and omits parts that are nested too deeply.
 * Compares character codes for speed; a reviver would make parsing ten times slower.
 */
function rewritten(json: string): { readonly json: string; readonly isTooDeep: boolean } {
  const kept: string[] = [];
  let end = 0;
  let from = 0;
  let depth = 0;
  let isTooDeep = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code >= MINUS && code <= NINE) {
      const begin = at;
      let next = json.charCodeAt(at + 1);
      while (next >= ZERO && next <= NINE) next = json.charCodeAt(++at + 1);
      const isDigits = code >= ZERO && (next === COMMA || next === OBJECT_END || next === LIST_END);
      if (isDigits && at - begin < 15) continue;
      // 17 digits are never exact.
      const isLong = isDigits && code > ZERO && at - begin > 15;
      while (!isLong && IN_NUMBER.test(json.charAt(at + 1))) at += 1;
      const source = json.slice(begin, at + 1);
      if (depth > MAX_DEPTH || (!isLong && (String(Number(source)) === source || !JSON_NUMBER.test(source)))) continue;
      kept.push(json.slice(end, begin), `{"${DIGITS}":"${source}"}`);
      end = at + 1;
    } else if (code === LIST || code === OBJECT) {
      if (depth === MAX_DEPTH) from = at;
      depth += 1;
    } else if (code === LIST_END || code === OBJECT_END) {
      depth -= 1;
      if (depth === MAX_DEPTH) {
        kept.push(json.slice(end, from), JSON.stringify(LEFT_OUT));
        end = at + 1;
        isTooDeep = true;
      }
    }
  }
  return { json: end === 0 ? json : [...kept, json.slice(end)].join(''), isTooDeep };
}

const IN_NUMBER = /[\d.eE+-]/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Most strings are shorter than this, and a loop finds their end faster than `indexOf`. */
const SHORT = 32;

/** The index of the quote that ends the string that begins at `begin`. */
function endOfString(json: string, begin: number): number {
  const limit = Math.min(json.length, begin + SHORT);
  let at = begin + 1;
  for (; at < limit; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  for (let end = json.indexOf('"', at); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

/** Whether a value is an {@link ExactNumber}. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && typeof (value as ExactNumber)[DIGITS] === 'string';
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Whether a value is missing, null, or an empty text, list or object. False and 0 count as values. */
export function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A string, number or boolean as text; undefined for null, objects and lists. */
export function leafText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isExactNumber(value) ? value[DIGITS] : undefined;
}
