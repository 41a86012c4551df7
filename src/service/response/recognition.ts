import { isJsonObject, type Json, leafText } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import { type FieldPlace, idNamesIn, type PlacesOfRank, rankedPlaces } from '../places/fieldPlaces';
import { readPlace } from '../places/readPlace';
import { withOwnElement } from '../places/savedPlace';
import { isList, ownSpots, rootSpot, type Spot, spotsIn } from '../places/spots';
import { findByName, isTaskName, TASK_ID_NAMES } from '../places/usualNames';
import type { OwnTask } from '../places/whose';

/** The fields looked for in the `data` of a response. */
export type ResponseField = 'taskId' | 'status' | 'progress' | 'message';

/** Where in `data` a field comes from, and whether a person said so. */
export interface FieldSource {
  /** A JSON Pointer into `data`, which may have placeholders as names. */
  readonly pointer: string;
  readonly how: 'mapped' | 'recognized';
}

/** A field that was found. */
export interface Found extends FieldSource {
  readonly value: Json;
}

/** Usual names, likely ones first, written without case, `_` and `-`. */
export const USUAL_NAMES: Readonly<Record<ResponseField, readonly string[]>> = {
  taskId: TASK_ID_NAMES,
  status: ['status', 'taskstatus', 'importstatus', 'jobstatus', 'state', 'taskstate', 'stage', 'phase'],
  progress: ['progress', 'percent', 'percentage', 'progresspercent', 'taskprogress', 'rate'],
  message: ['message', 'msg', 'errormessage', 'errormsg', 'error', 'reason', 'detail', 'remark'],
};

/**
 * Finds a field of our task in a response's `data`: at the pointer where the contract has one, else by usual names in
 * the places of `rankedPlaces`. Without a task, as in file-task's response, nothing is known to be another's.
 */
export function findField(
  field: ResponseField,
  data: Json,
  pointer: string | undefined,
  ownTask?: OwnTask,
): Found | undefined {
  if (pointer !== undefined) {
    const value = readPlace(data, pointer, ownTask)?.value;
    return value === undefined || leafText(value) === undefined ? undefined : { pointer, value, how: 'mapped' };
  }
  const levels = rankedPlaces(data, ownTask);
  const hit = firstHit([...levels.own, ...levels.around], field, ({ object, owner }) => {
    const name = findByName(field === 'taskId' ? idNamesIn(owner) : USUAL_NAMES[field], object, canBe[field]);
    return name === undefined ? undefined : { name, value: object[name] ?? null };
  });
  return hit && recognizedAt(data, hit.place, hit.name, ownTask);
}

/** What was recognized in a place. */
export function recognizedAt(data: Json, place: FieldPlace, name: string, ownTask: OwnTask | undefined): Found {
  const names = withOwnElement(data, [...place.names, name], ownTask);
  return { pointer: jsonPointer(...names), value: place.object[name] ?? null, how: 'recognized' };
}

/**
 * What is read in the first level that has it. Where several places of a level have it, the only one that is called a
 * task; else it is not known which, and it is nowhere.
 */
export function firstHit<Hit extends { readonly value: Json }>(
  levels: readonly PlacesOfRank[],
  field: ResponseField,
  read: (place: FieldPlace) => Hit | undefined,
): (Hit & { readonly place: FieldPlace }) | undefined {
  for (const level of levels) {
    const hits = level.flatMap((place) => {
      const hit = read(place);
      return hit === undefined ? [] : [{ ...hit, place }];
    });
    const isSame = field === 'taskId' && new Set(hits.map(({ value }) => leafText(value))).size === 1;
    if (hits.length === 1 || isSame) return hits[0];
    if (hits.length === 0) continue;
    const tasks = hits.filter(({ place: { owner } }) => owner !== undefined && isTaskName(owner));
    return tasks.length === 1 ? tasks[0] : undefined;
  }
  return undefined;
}

/** Whether a response lists several tasks, and none of them is known to be ours. */
export function listsOnlyOthers(data: Json, ownTask: OwnTask): boolean {
  const root = rootSpot(data, ownTask);
  if (ownSpots(root, ownTask).length > 0) return false;
  const counts = new Map<Spot, number>();
  for (const { tree, whose, hasOwner, parent } of spotsIn(root, ownTask)) {
    if (parent === undefined || !isJsonObject(tree)) continue;
    const isOther = hasOwner && whose === 'other';
    if (!isOther && !(isList(parent.tree) && findByName(USUAL_NAMES.status, tree) !== undefined)) continue;
    const count = (counts.get(parent) ?? 0) + 1;
    if (count > 1) return true;
    counts.set(parent, count);
  }
  return false;
}

/** What is recognized as a field only by its name must look like one: `error: false` is no message. */
const canBe: Readonly<Record<ResponseField, (value: Json) => boolean>> = {
  taskId: (value) => typeof value !== 'boolean',
  status: () => true,
  progress: (value) => typeof value !== 'boolean',
  message: (value) => typeof value === 'string',
};
