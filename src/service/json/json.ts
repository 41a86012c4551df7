import { withoutDeepParts } from './jsonDepth';

/** A JSON number whose digits JavaScript's own number would change: a 19-digit id, 1.0, 1e400. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Any JSON value, every number in it kept to the digit. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** What Node 22 has and the type library lacks: JSON.rawJSON, and the source of a number for a reviver. */
interface ExactJson {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): Json;
  rawJSON(source: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}
const exact = JSON as unknown as ExactJson;

/**
 * Reads JSON and keeps every number to the digit. A byte order mark before it is passed over. What is nested too deeply
 * is left out, so that whatever is read here can be walked by recursion and written again. @throws SyntaxError where
 * the text is not JSON.
 */
export function parseJson(text: string): Json {
  const whole = text.replace(/^\uFEFF/, '');
  const json = withoutDeepParts(whole);
  // What is left out must be JSON too. Without a reviver, parsing does not recurse.
  if (json !== whole) JSON.parse(whole);
  if (!mayBeInexact.test(json)) return JSON.parse(json);
  return exact.parse(json, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
  );
}

/** Finds what may be a number that JavaScript would write in another way. Without one, a reviver is not needed. */
const mayBeInexact = /\d(?:[.eE]|\d{15})|-0/;

/** Writes JSON that parseJson reads back to the same values. `indent` is the number of spaces a level. */
export function stringifyJson(value: Json, indent = 0): string {
  return JSON.stringify(value, undefined, indent);
}

/** Tells a number that parseJson kept as its digits. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return exact.isRawJSON(value);
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
