import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { rankedPlaces } from '../places/fieldPlaces';
import { readPlace } from '../places/readPlace';
import { findByName } from '../places/usualNames';
import type { OwnTask } from '../places/whose';
import { type FieldSource, findField, firstHit, recognizedAt } from './recognition';

/** How far a task is, from 0 to 1, and where that was read. */
export interface Progress {
  readonly fraction: number;
  readonly from: FieldSource;
}

const doneNames = ['done', 'processed', 'finished', 'completed', 'current', 'donecount', 'processedcount'];
const totalNames = ['total', 'totalcount', 'all', 'count'];

/**
 * Reads progress from a response's `data`: `0.37`, `37`, `"37%"`, or a number with its total beside it (`done` and
 * `total`), at the contract's pointer or where usual names are.
 */
export function readProgress(data: Json, pointer: string | undefined, ownTask?: OwnTask): Progress | undefined {
  const found = findField('progress', data, pointer, ownTask);
  if (found === undefined) return pointer === undefined ? recognizedPair(data, ownTask) : undefined;
  const { pointer: at, how, value } = found;
  const total = how === 'mapped' ? totalBeside(data, at, ownTask) : undefined;
  const count = countOf(value);
  const fraction = total !== undefined && count !== undefined ? share(count, total) : progressFraction(value);
  if (fraction !== undefined) return { fraction, from: { pointer: at, how } };
  return how === 'recognized' ? recognizedPair(data, ownTask) : undefined;
}

/** What is called percent is one, whatever total stands beside it. */
function totalBeside(data: Json, pointer: string, ownTask: OwnTask | undefined): number | undefined {
  const [, path = '', name = ''] = /^(.*)\/(.*)$/s.exec(pointer) ?? [];
  const parent = readPlace(data, path, ownTask)?.tree;
  return isJsonObject(parent) && !/percent|rate/i.test(name) ? totalIn(parent) : undefined;
}

/**
 * Progress as a fraction from 0 to 1, read from `0.37`, `37` or `"37%"`; undefined for what is none of these. A whole
 * number is one of percent, 1.0 is all; a bare 1 could be either, so it is neither.
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

/** What is beside our element, such as the number of a page, is not its progress. */
function recognizedPair(data: Json, ownTask: OwnTask | undefined): Progress | undefined {
  const levels = rankedPlaces(data, ownTask);
  const pair = firstHit(levels.own.length > 0 ? levels.own : levels.around, 'progress', (place) => {
    const name = findByName(doneNames, place.object);
    const count = name === undefined ? undefined : countOf(place.object[name]);
    const total = totalIn(place.object);
    const fraction = count === undefined || total === undefined ? undefined : share(count, total);
    return name === undefined || fraction === undefined ? undefined : { name, value: fraction };
  });
  if (pair === undefined) return undefined;
  const { pointer, how } = recognizedAt(data, pair.place, pair.name, ownTask);
  return { fraction: pair.value, from: { pointer, how } };
}

function totalIn(object: JsonObject): number | undefined {
  const name = findByName(totalNames, object);
  return name === undefined ? undefined : countOf(object[name]);
}

function share(count: number, total: number): number | undefined {
  return total > 0 && count <= total ? count / total : undefined;
}

function countOf(value: Json | undefined): number | undefined {
  const text = leafText(value) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
