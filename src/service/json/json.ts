/**
 * The name under which an {@link ExactNumber} stores its digits. No service uses this control character as a name, and
 * JSON can contain it unescaped.
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

/** Max nesting depth of lists and objects. It is enough for any response, and far too small to cause a stack overflow. */
const MAX_DEPTH = 200;

/** Replaces parts that are nested too deeply, and the end of a long string. */
export const LEFT_OUT = '…';

/**
 * Parses JSON and keeps numbers exact. Skips a byte order mark. Omits parts that are nested too deeply, so the result can be
 * walked recursively and stringified. @throws SyntaxError if the text isn't JSON
 */
export function parseJson(text: string): Json {
  const whole = text.replace(/^\uFEFF/, '');
  const json = rewritten(whole);
  // Rewriting could make invalid JSON valid, so check the original text, too.
  if (json !== whole) JSON.parse(whole);
  return JSON.parse(json);
}

/** Writes JSON that `parseJson` parses back into the same values. `indent` is the number of spaces per level. */
export function stringifyJson(value: Json, indent = 0): string {
  const json = JSON.stringify(value, undefined, indent);
  // The quotes rule out a match inside a string, where they would be escaped.
  return json?.includes(`"${DIGITS}"`) ? json.replace(WRITTEN_NUMBER, '$1') : json;
}

const WRITTEN_NUMBER = new RegExp(`\\{\\s*"${DIGITS}":\\s*"(-?\\d[\\d.eE+-]*)"\\s*\\}`, 'g');

/**
 * A bracket, a number that may have to be rewritten (captured), or everything up to the next such token. Strings are matched
 * whole, so that nothing inside them is rewritten. A string without a closing quote is matched to the end of the text, so that
 * a search takes linear time even if the text isn't JSON.
 */
const TOKEN =
  /(?:"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[^"[\]{}\d-]+|(?:0|-?[1-9]\d{0,14})(?=[,\]}]))+|[[\]{}]|(-?\d[\d.eE+-]*)/g;

/**
 * Turns numbers that JavaScript would write differently into {@link ExactNumber}s, and omits parts that are nested too deeply.
 * A reviver would make parsing ten times slower.
 */
function rewritten(json: string): string {
  const kept: string[] = [];
  let [end, depth] = [0, 0];
  for (const { 0: token, 1: number, index } of json.matchAll(TOKEN)) {
    if (number !== undefined) {
      if (depth > MAX_DEPTH || String(Number(number)) === number) continue;
      kept.push(json.slice(end, index), `{"${DIGITS}":"${number}"}`);
      end = index + number.length;
    } else if (token === '[' || token === '{') {
      depth += 1;
      if (depth === MAX_DEPTH + 1) kept.push(json.slice(end, index), JSON.stringify(LEFT_OUT));
    } else if (token === ']' || token === '}') {
      if (depth === MAX_DEPTH + 1) end = index + 1;
      depth -= 1;
    }
  }
  return kept.length === 0 ? json : [...kept, json.slice(end)].join('');
}

/** Whether a value is an {@link ExactNumber}. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && typeof (value as ExactNumber)[DIGITS] === 'string';
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Whether a value is missing, null, or an empty string, list or object. False and 0 count as values. */
export function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Returns a string, number or boolean as text, and undefined for null, objects and lists. */
export function leafText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isExactNumber(value) ? value[DIGITS] : undefined;
}
