import { type ExactNumber, isExactNumber, parseExact } from './exactNumbers';
import { withoutDeepParts } from './jsonDepth';

/** Any JSON value, every number in it kept to the digit. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * Reads JSON and keeps every number to the digit. A byte order mark before it is passed over. What is nested too deeply
 * is left out, so that whatever is read here can be walked by recursion and written again. @throws SyntaxError where
 * the text is not JSON.
 */
export function parseJson(text: string): Json {
  const whole = text.replace(/^\uFEFF/, '');
  // What is left out must be JSON too. Without a reviver, parsing does not recurse.
  const plain: Json = JSON.parse(whole);
  const json = withoutDeepParts(whole);
  if (mayBeInexact.test(json)) return parseExact(json) as Json;
  return json === whole ? plain : JSON.parse(json);
}

/** Finds what may be a number that JavaScript would write in another way. */
const mayBeInexact = /\d(?:[.eE]|\d{15})|-0/;

/** Writes JSON that parseJson reads back to the same values. `indent` is the number of spaces a level. */
export function stringifyJson(value: Json, indent = 0): string {
  return JSON.stringify(value, undefined, indent);
}

/** Tells a JSON object from the other values. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Whether a value says nothing: it is missing, null, an empty text, list or object. False and 0 say something. */
export function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The text of a string, number or boolean as a person reads it; undefined for null, objects and lists. */
export function leafText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isExactNumber(value) ? value.rawJSON : undefined;
}

/** The value, or the JSON object or list that it contains as text: some services send `data` that way. */
export function unwrapped(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}
