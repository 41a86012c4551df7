import assert from 'node:assert/strict';
import { CANARY } from './wire';

/** The key as it is, and as it reads in JSON, in a URL, in HTML, in Base64 and in UTF-16. */
export const keyForms: readonly string[] = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  JSON.stringify(CANARY).slice(1, -1).replaceAll('/', '\\/'),
  encodeURIComponent(CANARY),
  CANARY.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  Buffer.from(CANARY).toString('base64'),
  Buffer.from(CANARY, 'utf16le').toString('latin1'),
];

/** Fails where the access key is anywhere in a value: in texts, property names, errors and their causes. */
export function mustNotTellTheKey(value: unknown): void {
  const told = stringsIn(value).join('\n').toLowerCase();
  for (const form of keyForms) assert.ok(!told.includes(form.toLowerCase()), `the key is told as ${form}`);
}

function stringsIn(value: unknown, seen = new Set<object>()): string[] {
  if (typeof value === 'string') return [value];
  if (Buffer.isBuffer(value)) return [value.toString()];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const names = Object.getOwnPropertyNames(value);
  return names.flatMap((name) => [name, ...stringsIn(Reflect.get(value, name), seen)]);
}
