import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { parentPointer, pointerNames } from '../json/jsonPointer';
import { readPlace } from '../places/readPlace';
import { findByName, firstNames } from '../places/usualNames';
import { type FieldSource, findField, firstHit, type ReadData } from './recognition';

/** How far a task is, from 0 to 1, and where that was read. */
export interface Progress {
  readonly fraction: number;
  readonly from: FieldSource;
}

const doneNames = ['done', 'processed', 'finished', 'completed', 'current', 'donecount', 'processedcount'];
const totalNames = ['total', 'totalcount', 'all', 'count'];

/** Reads `0.37`, `37`, `"37%"`, or a number with its total beside it, at the contract's pointer or by usual names. */
export function readProgress(read: ReadData, pointer: string | undefined): Progress | undefined {
  const found = findField('progress', read, pointer);
  if (found === undefined) return pointer === undefined ? recognizedPair(read) : undefined;
  const { how, value } = found;
  const total = how === 'mapped' ? totalBeside(read, found.pointer) : undefined;
  const count = countOf(value);
  const fraction = total !== undefined && count !== undefined ? share(count, total) : progressFraction(value);
  if (fraction !== undefined) return { fraction, from: { pointer: found.pointer, how } };
  return how === 'recognized' ? recognizedPair(read) : undefined;
}

/** A percentage is one, whatever total is beside it. */
function totalBeside({ data, task }: ReadData, pointer: string): number | undefined {
  if (pointer === '' || /percent|rate/i.test(pointerNames(pointer).at(-1) ?? '')) return undefined;
  const parent = readPlace(data, parentPointer(pointer), task);
  return isJsonObject(parent) ? totalIn(parent) : undefined;
}

/** A whole number is one of percent, 1.0 is all; a bare 1 could be either, so it is neither. */
export function progressFraction(value: Json): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(leafText(value)?.trim() ?? '');
  if (match === null) return undefined;
  const [, digits = '', percent] = match;
  if (percent === '' && digits === '1') return undefined;
  const number = Number(digits);
  const fraction = percent === '' && digits.includes('.') && number <= 1 ? number : number / 100;
  return fraction <= 1 ? fraction : undefined;
}

/** In a list, what is beside our element isn't its progress: that may be the number of a page. */
function recognizedPair({ data, task, places }: ReadData): Progress | undefined {
  const own = places.levels.filter((level) => level.some(({ whose }) => whose === 'own'));
  const found = firstHit(own.length > 0 ? own : places.levels, ({ object, names }) => {
    const name = findByName(doneNames, object, names);
    const count = countOf(object[name ?? '']);
    const total = totalIn(object);
    return count !== undefined && total !== undefined && share(count, total) !== undefined ? name : undefined;
  });
  if (found === undefined) return undefined;
  const { pointer, how, value } = found;
  const parent = readPlace(data, parentPointer(pointer), task);
  const fraction = share(countOf(value) ?? 0, (isJsonObject(parent) ? totalIn(parent) : undefined) ?? 0);
  return fraction === undefined ? undefined : { fraction, from: { pointer, how } };
}

function totalIn(object: JsonObject): number | undefined {
  return countOf(object[findByName(totalNames, object, firstNames(object)) ?? '']);
}

function share(count: number, total: number): number | undefined {
  return total > 0 && count <= total ? count / total : undefined;
}

function countOf(value: Json | undefined): number | undefined {
  const text = leafText(value) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
