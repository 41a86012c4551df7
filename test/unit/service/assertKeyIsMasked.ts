import assert from 'node:assert/strict';
import { spellings, telltales } from './spellings';
import { CANARY } from './wire';

/** The key as a service, a log or a file may spell it, and in UTF-16. */
export const keyForms: readonly string[] = [
  ...Object.values(spellings(CANARY)),
  Buffer.from(CANARY, 'utf16le').toString('latin1'),
];

const forms = [...telltales(CANARY), Buffer.from(CANARY, 'utf16le').toString('latin1')];

/** Fails where the access key is anywhere in a value: in texts, property names, errors and their causes. */
export function assertKeyIsMasked(value: unknown): void {
  const told = stringsIn(value).join('\n').toLowerCase();
  for (const form of forms) assert.ok(!told.includes(form), `the key is told as ${form}`);
}

function stringsIn(value: unknown, seen = new Set<object>()): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Buffer.isBuffer(value)) return [value.toString()];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const names = Object.getOwnPropertyNames(value);
  return names.flatMap((name) => [name, ...stringsIn(Reflect.get(value, name), seen)]);
}
