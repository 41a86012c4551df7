/** A JSON number that JavaScript would write differently: a 19-digit id, 1.0, 1e400. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Any JSON value, with every number exact. */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Node 22 has these; TypeScript's library doesn't yet. */
const exact = JSON as unknown as {
  rawJSON(source: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
  parse(text: string, reviver: (name: string, value: Json, context: { readonly source?: string }) => Json): Json;
};

/** How deep lists and objects may be nested: enough for any response, and far from a stack overflow. */
const MAX_DEPTH = 200;

/** Replaces lists and objects that are nested too deeply, and the rest of a long text. */
export const LEFT_OUT = '…';

/**
 * Finds numbers that JavaScript may write differently: 16 characters or more, an exponent, a fraction that ends in 0 or is
 * tiny, -0. A match inside a string only costs time.
 */
const INEXACT = /(?:^|[[,]|"\s*:)\s*-?(?:\d(?:[\d.]{15}|[\d.]*[eE]|\d*\.(?:0{6}|\d*0(?!\d)))|(?<=-)0(?!\.))/;

/**
 * Parses JSON with every number exact. Skips a byte order mark. Parts nested too deeply are left out, so the result can be
 * walked recursively and written again. @throws SyntaxError if the text isn't JSON
 */
export function parseJson(text: string): Json {
  const whole = text.replace(/^\uFEFF/, '');
  const json = withoutDeepParts(whole);
  // What is left out must be JSON too. Without a reviver, parsing isn't recursive.
  if (json !== whole) JSON.parse(whole);
  // A reviver makes parsing several times slower.
  if (!INEXACT.test(json)) return JSON.parse(json);
  return exact.parse(json, (_name, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? exact.rawJSON(source) : value,
  );
}

/** Writes JSON that `parseJson` reads back to the same values. `indent` is the number of spaces per level. */
export function stringifyJson(value: Json, indent = 0): string {
  return JSON.stringify(value, undefined, indent);
}

/** Whether valid JSON has parts that are nested too deeply. */
export function isTooDeep(json: string): boolean {
  return withoutDeepParts(json) !== json;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Replaces the outermost parts of valid JSON that are nested too deeply. Compares character codes for speed. */
function withoutDeepParts(json: string): string {
  let kept = '';
  let end = 0;
  let from = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case LIST:
      case OBJECT:
        if (depth === MAX_DEPTH) from = at;
        depth += 1;
        break;
      case LIST_END:
      case OBJECT_END:
        depth -= 1;
        if (depth === MAX_DEPTH) {
          kept += json.slice(end, from) + JSON.stringify(LEFT_OUT);
          end = at + 1;
        }
    }
  }
  return kept + json.slice(end);
}

/** The index of the quote that ends the string that begins at `begin`. */
function endOfString(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

/** Whether a value is a number that was kept as its digits. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return exact.isRawJSON(value);
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Whether a value is empty: missing, null, or an empty text, list or object. False and 0 are not. */
export function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The text of a string, number or boolean as people read it; undefined for null, objects and lists. */
export function leafText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isExactNumber(value) ? value.rawJSON : undefined;
}
