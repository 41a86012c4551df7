import { type Json, mapStrings } from './json';

/**
 * What stands in place of an access key wherever one could be seen (INTERFACE.md 5: the key is what a request is
 * trusted for, so it is never shown).
 */
export const KEY_MASK = '••••••••';

/**
 * An access key fit to be sent, or the reason why a typed one is not; the reason never repeats the key (INTERFACE.md
 * 5: the key is the value of a header).
 */
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

const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/**
 * The text with every appearance of the key masked, whatever its case: as it is, and as JSON, a URL, HTML or Base64
 * write it (INTERFACE.md 7: error messages are not shown, so any may echo it).
 */
export function maskKey(text: string, key: string): string {
  return text.replace(appearances(key), KEY_MASK);
}

/**
 * The JSON value with the key masked in every string and property name of it (INTERFACE.md 4.6: `data` is not shown,
 * so it may echo it).
 */
export function maskKeyInJson(value: Json, key: string): Json {
  const anywhere = appearances(key);
  return mapStrings(value, (text) => text.replace(anywhere, KEY_MASK));
}

/** A key of fewer characters may stand in another text by chance. */
const TELLING_CHARACTERS = 12;

/**
 * Whether a text that must be kept as it is, as an id must, gives the key away (INTERFACE.md 2.3: what an id looks like
 * is not shown, so a service may echo the key as one).
 */
export function tellsKey(text: string, key: string): boolean {
  return key.length >= TELLING_CHARACTERS && maskKey(text, key) !== text;
}

/** Of the last key only: many answers in a row are masked for the same one. */
const known = new Map<string, RegExp>();

function appearances(key: string): RegExp {
  const found = known.get(key) ?? findAppearances(key);
  known.clear();
  known.set(key, found);
  return found;
}

/** Each character may be escaped or not: a service need not escape as JSON.stringify and encodeURIComponent do. */
function findAppearances(key: string): RegExp {
  const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
  const pieces = key.match(/\\+|[^\\]/g) ?? [];
  return new RegExp(`${pieces.map(anyForm).join('')}|${literally(base64)}`, 'gi');
}

/** A run of backslashes is one piece: taken one by one, each of them double or not, they could be matched in 2ⁿ ways. */
function anyForm(piece: string): string {
  const character = piece.charAt(0);
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const html = [`#0*${code}`, `#x0*${hex}`, htmlNames[character]].filter((name) => name !== undefined);
  const escapes = `\\\\u00${hex}|%${hex}|&(?:${html.join('|')});`;
  // The bare character last: it may begin an escape of its own.
  if (character === '\\') return `(?:${escapes}|\\\\){${piece.length},${2 * piece.length}}`;
  return `(?:${escapes}|\\\\?${literally(character)})`;
}

function literally(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, '\\$&');
}
