import { type Json, mapStrings } from './json';

/** What stands in place of an access key wherever one could be seen. */
export const KEY_MASK = '••••••••';

/** An access key fit to be sent, or the reason why a typed one is not; the reason never repeats the key. */
export type CheckedAccessKey = { readonly key: string } | { readonly fault: 'empty' | 'inside' | 'characters' };

/**
 * Checks an access key as it was typed or pasted (INTERFACE.md 5). White space around it is dropped; white space
 * inside it, and characters that a header cannot carry, are refused.
 */
export function checkAccessKey(typed: string): CheckedAccessKey {
  const key = typed.trim();
  if (key === '') return { fault: 'empty' };
  if (/\s/.test(key)) return { fault: 'inside' };
  return /^[!-~]+$/.test(key) ? { key } : { fault: 'characters' };
}

/** The text with every appearance of the key masked: as it is, and as it reads inside JSON, a URL or Base64. */
export function maskKey(text: string, key: string): string {
  const inJson = JSON.stringify(key).slice(1, -1);
  const forms = [key, inJson, encodeURIComponent(key), Buffer.from(key).toString('base64')];
  return forms.reduce((masked, form) => masked.replaceAll(form, KEY_MASK), text);
}

/** The JSON value with the key masked in every string and property name of it. */
export function maskKeyInJson(value: Json, key: string): Json {
  return mapStrings(value, (text) => maskKey(text, key));
}
