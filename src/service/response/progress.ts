import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { parentPointer, pointerNames } from '../json/jsonPointer';
import { type FieldSource, findField, firstHit, type ReadData } from './fields';
import { readPlace } from './ownTask';
import { findByName, firstNames } from './usualNames';

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
  const mapped = pointer === undefined ? undefined : found && shareAt(read, found.pointer);
  const fraction = mapped ?? (found && progressFraction(found.value)) ?? Number.NaN;
  if (found !== undefined && fraction >= 0) return { fraction, from: { pointer: found.pointer, how: found.how } };
  if (pointer !== undefined) return undefined;
  // In a list, what is beside our element isn't its progress: that may be the number of a page.
  const own = read.levels.filter((level) => level.some(({ whose }) => whose === 'own'));
  const pair = firstHit(own.length > 0 ? own : read.levels, ({ object, names }) => {
    const name = findByName(doneNames, object, names) ?? '';
    return (shareIn(object, name) ?? Number.NaN) >= 0 ? name : undefined;
  });
  const share = pair && shareAt(read, pair.pointer);
  return share === undefined || pair === undefined
    ? undefined
    : { fraction: share, from: { pointer: pair.pointer, how: 'recognized' } };
}

/** A whole number is one of percent, 1.0 is all; a bare 1 could be either, so it is neither. */
export function progressFraction(value: Json): number | undefined {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(leafText(value)?.trim() ?? '') ?? [];
  if (digits === '' || (percent === '' && digits === '1')) return undefined;
  const number = Number(digits);
  const fraction = percent === '' && digits.includes('.') && number <= 1 ? number : number / 100;
  return fraction <= 1 ? fraction : undefined;
}

/** The share of a number in the total beside it, as {@link shareIn} does. A percentage is one, whatever total there is. */
function shareAt({ data, task }: ReadData, pointer: string): number | undefined {
  const name = pointerNames(pointer).at(-1);
  if (name === undefined || /percent|rate/i.test(name)) return undefined;
  const parent = readPlace(data, parentPointer(pointer), task);
  return isJsonObject(parent) ? shareIn(parent, name) : undefined;
}

/** Undefined if there is no number or total; NaN if the number isn't a part of the total. */
function shareIn(object: JsonObject, name: string): number | undefined {
  const count = countOf(object[name]);
  const total = countOf(object[findByName(totalNames, object, firstNames(object)) ?? '']);
  if (count === undefined || total === undefined) return undefined;
  return total > 0 && count <= total ? count / total : Number.NaN;
}

function countOf(value: Json | undefined): number | undefined {
  const text = leafText(value) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
