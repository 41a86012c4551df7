import assert from 'node:assert/strict';
import { spellings, telltales } from './spellings';
import { CANARY } from './wire';

/** The forms that the access key might take in a response, a log or a file. */
export const keyForms: readonly string[] = [
  ...Object.values(spellings(CANARY)),
  Buffer.from(CANARY, 'utf16le').toString('latin1'),
];

const forms = [...telltales(CANARY), Buffer.from(CANARY, 'utf16le').toString('latin1')];

/** Fails if the access key appears anywhere in a value: in strings, property names, errors or error causes. */
export function assertKeyIsMasked(value: unknown): void {
  const strings: string[] = [];
  collectStrings(value, strings, new Set());
  const text = strings.join('\n').toLowerCase();
  for (const form of forms) assert.ok(!text.includes(form), `the key appears as ${form}`);
}

function collectStrings(value: unknown, into: string[], seen: Set<object>): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'number') into.push(String(value));
  // The key is ASCII, so decoding as Latin-1 preserves it.
  else if (Buffer.isBuffer(value)) into.push(value.toString('latin1'));
  else if (typeof value === 'object' && value !== null && !seen.has(value)) {
    seen.add(value);
    for (const name of Object.getOwnPropertyNames(value)) {
      into.push(name);
      collectStrings(Reflect.get(value, name), into, seen);
    }
  }
}
