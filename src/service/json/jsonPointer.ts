import { isJsonObject, type Json } from './json';

/** A name in a pointer to the ids of several tasks: every element of a list, or every member of a map. */
export const EACH = '${each}';

/** Tells whether a text is a JSON Pointer (RFC 6901): empty, or `/` before each token, `~` only as `~0` or `~1`. */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

/** The value that a JSON Pointer (RFC 6901) names inside `value`; undefined where there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let current: Json | undefined = value;
  for (const name of pointerNames(pointer)) {
    if (Array.isArray(current)) current = /^(?:0|[1-9]\d*)$/.test(name) ? (current[Number(name)] as Json) : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  }
  return current;
}

/** The names and numbers that a JSON Pointer (RFC 6901) is made of. */
export function pointerNames(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON Pointer (RFC 6901) made of these names, escaped as it must be. */
export function jsonPointer(...names: string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Whether a pointer leads through every element of a list, or every member of a map. */
export function hasEach(pointer: string): boolean {
  return pointerNames(pointer).includes(EACH);
}
