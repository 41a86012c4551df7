import { isJsonObject, isNothing, type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { pointerNames } from '../json/jsonPointer';
import { EACH_ELEMENT, isPlaceholder, LAST_ELEMENT, OUR_ELEMENT } from './placeholders';
import { childSpots, isList, keysIn, ownKeys, ownSpots, rootSpot, type Spot } from './spots';
import { isNameOfErrors } from './usualNames';
import type { OwnTask } from './whose';

/** What is at a place in a response's `data`. */
export interface PlacedValue {
  readonly value: Json;
  /** The value, or what it holds as text. */
  readonly tree: Json;
  /** The names and numbers that lead there, without placeholders, into texts and through lists. */
  readonly names: readonly string[];
}

/**
 * The value that a JSON Pointer (RFC 6901) names in a response's `data`; a name in it may be a placeholder, and it leads
 * on into a text that holds JSON. Undefined where there is none, and where it is in what is another task's. Where
 * `${taskId}` leads nowhere, as a service may move a task from one list to another, our element is looked for in all of
 * `data`.
 */
export function readPlace(data: Json, pointer: string, ownTask: OwnTask | undefined): PlacedValue | undefined {
  const root = rootSpot(data, ownTask);
  const names = pointerNames(pointer);
  const spot = follow(root, names, ownTask) ?? elsewhere(root, names, ownTask);
  return spot && placedAt(spot);
}

/**
 * As {@link readPlace}, and tells apart what is missing and what cannot be known: a place in what is another task's, or in an
 * element of a list that is not there.
 */
export function readOrMissing(
  data: Json,
  pointer: string,
  ownTask: OwnTask | undefined,
): PlacedValue | 'notOurs' | undefined {
  const placed = readPlace(data, pointer, ownTask);
  if (placed !== undefined) return placed;
  const root = rootSpot(data, ownTask);
  const names = pointerNames(pointer);
  let spot = root;
  for (const [index, name] of names.entries()) {
    if (spot.whose === 'other') return 'notOurs';
    const next = step(spot, name, ownTask);
    if (next === undefined) {
      // A list of errors is not one of tasks: where it holds nothing, there is no error.
      const isWithoutErrors = isNameOfErrors(spot.owner ?? '') && isNothing(spot.tree);
      const isElement = (isPlaceholder(name) || isList(spot.tree)) && !isWithoutErrors;
      const isThere = name === OUR_ELEMENT && ownTask !== undefined && ownSpots(root, ownTask).length > 0;
      return isElement && !isThere && index < names.length - 1 ? 'notOurs' : undefined;
    }
    spot = next;
  }
  return 'notOurs';
}

/**
 * As {@link readPlace} in file-task's response, which is nobody's yet: all the values that a pointer with `${each}` leads
 * to. None in a list or map of which parts were left out when it was stored, as one may be among them.
 */
export function readPlaces(data: Json, pointer: string): PlacedValue[] {
  let spots = [rootSpot(data, undefined)];
  for (const name of pointerNames(pointer)) {
    spots = spots.flatMap((spot) => (name === EACH_ELEMENT ? eachOf(spot) : (step(spot, name, undefined) ?? [])));
    spots = spots.slice(0, MAX_EACH);
  }
  return spots.map(placedAt);
}

function placedAt({ value, tree, names }: Spot): PlacedValue {
  return { value, tree, names };
}

/** Max values that a pointer with `${each}` leads to. */
const MAX_EACH = 10_000;

function eachOf(spot: Spot): Spot[] {
  return isWhole(spot) ? childSpots(spot, undefined, keysIn(spot).slice(0, MAX_EACH)) : [];
}

/** Whether nothing of a list or map was left out when it was stored. */
export function isWhole({ tree }: Spot): boolean {
  return Array.isArray(tree) ? tree.at(-1) !== LEFT_OUT : !isJsonObject(tree) || !Object.hasOwn(tree, LEFT_OUT);
}

function follow(from: Spot, names: readonly string[], ownTask: OwnTask | undefined): Spot | undefined {
  let spot: Spot | undefined = from;
  for (const name of names) {
    spot = spot && step(spot, name, ownTask);
    if (spot === undefined) return undefined;
  }
  return spot?.whose === 'other' ? undefined : spot;
}

function step(spot: Spot, name: string, ownTask: OwnTask | undefined): Spot | undefined {
  const [named] = childSpots(spot, ownTask, [name]);
  if (named !== undefined) return named;
  const key = name === OUR_ELEMENT ? ownKey(spot, ownTask) : name === LAST_ELEMENT ? lastKey(spot, ownTask) : undefined;
  return key === undefined ? undefined : childSpots(spot, ownTask, [key])[0];
}

/** The key of the only one in a list or map that is ours. */
export function ownKey(spot: Spot, ownTask: OwnTask | undefined): string | undefined {
  const keys = ownTask === undefined ? [] : ownKeys(spot, ownTask);
  return keys.length === 1 ? keys[0] : undefined;
}

/**
 * The key of the last element of a list: of ours where there are any, else of those that are not known to be another
 * task's. Of a list of which parts were left out, none is known to be it.
 */
export function lastKey(spot: Spot, ownTask: OwnTask | undefined): string | undefined {
  if (!Array.isArray(spot.tree) || !isWhole(spot)) return undefined;
  const own = ownTask === undefined ? [] : ownKeys(spot, ownTask);
  const last = spot.tree.findLastIndex((_, index) => childSpots(spot, ownTask, [`${index}`])[0]?.whose !== 'other');
  return own.at(-1) ?? (last === -1 ? undefined : `${last}`);
}

/** What the names after `${taskId}` lead to in the only other element of ours that has it: a leaf, else any value. */
function elsewhere(root: Spot, names: readonly string[], ownTask: OwnTask | undefined): Spot | undefined {
  const rest = names.slice(names.lastIndexOf(OUR_ELEMENT) + 1);
  if (ownTask === undefined || rest.length === names.length) return undefined;
  const found = ownSpots(root, ownTask).flatMap((spot) => {
    const value = follow(spot, rest, ownTask);
    return value === undefined ? [] : [value];
  });
  const leaves = found.filter(({ value }) => leafText(value) !== undefined);
  const likely = leaves.length > 0 ? leaves : found;
  return likely.length === 1 ? likely[0] : undefined;
}
