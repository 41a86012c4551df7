import { isJsonObject, type Json, type JsonObject, leafText } from './json';
import { jsonPointer, valueAt } from './jsonPointer';
import { type FactSource, findByName, findFact, placesIn } from './recognition';

/** How far a task is, from 0 to 1, and where that was read (INTERFACE.md 2.3: fields are not shown). */
export interface Progress {
  readonly fraction: number;
  readonly from: FactSource;
}

const doneNames = ['done', 'processed', 'finished', 'completed', 'current', 'donecount', 'processedcount'];
const totalNames = ['total', 'totalcount', 'all', 'count'];

/**
 * Reads progress from an answer's `data` (INTERFACE.md 2.3: fields are not shown): `0.37`, `37`, `"37%"`, or a number
 * with its total beside it (`done` and `total`), at the contract's pointer or where usual names are.
 */
export function readProgress(data: Json, pointer: string | undefined): Progress | undefined {
  const found = findFact('progress', data, pointer);
  if (found === undefined) return pointer === undefined ? recognisedPair(data) : undefined;
  const { pointer: at, how } = found;
  const parent = valueAt(data, at.replace(/\/[^/]*$/, ''));
  const ofTotal = how === 'mapped' && isJsonObject(parent) ? pairFraction(found.value, parent) : undefined;
  const fraction = ofTotal ?? progressFraction(found.value);
  return fraction === undefined ? undefined : { fraction, from: { pointer: at, how } };
}

/**
 * Progress as a fraction from 0 to 1, read from `0.37`, `37` or `"37%"`; undefined for what is none of these
 * (INTERFACE.md 2.3: fields are not shown). A whole number is one of percent, 1.0 is all; a bare 1
 * could be either, so it is neither.
 */
export function progressFraction(value: Json): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(leafText(value)?.trim() ?? '');
  if (match === null) return undefined;
  const [, digits = '', percent] = match;
  if (percent === '' && digits === '1') return undefined;
  const number = Number(digits);
  const fraction = percent === '' && digits.includes('.') && number <= 1 ? number : number / 100;
  return fraction <= 1 ? fraction : undefined;
}

function recognisedPair(data: Json): Progress | undefined {
  for (const { names, object } of placesIn(data)) {
    const name = findByName(doneNames, object);
    const fraction = name === undefined ? undefined : pairFraction(object[name], object);
    if (name !== undefined && fraction !== undefined) {
      return { fraction, from: { pointer: jsonPointer(...names, name), how: 'recognised' } };
    }
  }
  return undefined;
}

function pairFraction(done: Json | undefined, object: JsonObject): number | undefined {
  const totalName = findByName(totalNames, object);
  const total = totalName === undefined ? undefined : countOf(object[totalName]);
  const count = countOf(done);
  return total !== undefined && count !== undefined && total > 0 && count <= total ? count / total : undefined;
}

function countOf(value: Json | undefined): number | undefined {
  const text = leafText(value) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
