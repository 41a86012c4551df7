import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdOf } from '../json/taskId';
import { EACH_ELEMENT, hasEach, isPlaceholder } from '../places/placeholders';
import { isWhole, readPlace, readPlaces } from '../places/readPlace';
import { childSpots, keysIn, rootSpot, type Spot } from '../places/spots';
import { CERTAIN_ID_NAMES, findByName, firstNames, plainName, TASK_ID_NAMES } from '../places/usualNames';
import type { Found } from './recognition';

/** Max elements that are looked at: looking at all of a huge response would block the event loop. */
const MAX_LOOKED_AT = 10_000;

/** The ids at one place of a response, each of them once, and where they are. */
export interface IdsAt {
  readonly pointer: string;
  readonly ids: readonly TaskId[];
}

/** Max ids that are kept of one response. */
export const MAX_IDS = 100;

/** The pointers without `${each}` to what a pointer leads to, as many as ids are kept. */
export function pointersTo(data: Json, pointer: string): string[] {
  if (!hasEach(pointer)) return [pointer];
  const places = readPlaces(data, pointer).slice(0, MAX_IDS);
  return places.map(({ names }) => jsonPointer(...names));
}

/** The ids that a pointer leads to. */
export function idsAt(data: Json, pointer: string): IdsAt {
  return { pointer, ids: [...new Set(readPlaces(data, pointer).flatMap(({ value }) => taskIdOf(value) ?? []))] };
}

/**
 * The pointer to the places that a value shares with its like: in every element of the lists that lead to it, and in
 * every member of maps whose members have the same names. Undefined where it is in neither.
 */
export function pointerToAll(data: Json, pointer: string): string | undefined {
  const names = pointerNames(pointer);
  const shared = names.map((name, depth) => {
    const owner = readPlace(data, jsonPointer(...names.slice(0, depth)), undefined)?.tree;
    return Array.isArray(owner) || (depth < names.length - 1 && isMap(owner)) ? EACH_ELEMENT : name;
  });
  return shared.includes(EACH_ELEMENT) ? jsonPointer(...shared) : undefined;
}

/**
 * The ids that are recognized in a response by usual names; `found` is what is recognized where there is a single one.
 * None where it is not plain which of several ids are those of tasks.
 */
export function recognizedIds(data: Json, found: Found | undefined): IdsAt | undefined {
  const id = taskIdOf(found?.value);
  const single = found === undefined || id === undefined ? undefined : { pointer: found.pointer, ids: [id] };
  const [list, ...others] = listsOfTasks(data);
  if (list === undefined) return single;
  const isOfElse = single !== undefined && isBare(single.pointer) && !isBare(list.pointer);
  const isAmong = single === undefined || isOfElse || single.ids.every((one) => list.ids.includes(one));
  return isAmong && others.every(({ ids }) => String(ids) === String(list.ids)) ? list : undefined;
}

/** The lists and maps that are plainly of tasks: `data` itself, or in it, or in one of the objects directly inside it. */
function listsOfTasks(data: Json): IdsAt[] {
  const root = rootSpot(data, undefined);
  const whole = listOfTasks(root);
  if (!isJsonObject(root.tree) || whole.length > 0) return whole;
  const owners = [root, ...childSpots(root, undefined).filter(({ tree }) => isJsonObject(tree))];
  return owners.flatMap((owner) => childSpots(owner, undefined)).flatMap(listOfTasks);
}

function listOfTasks(spot: Spot): IdsAt[] {
  const { names, tree } = spot;
  const isOfAny = (Array.isArray(tree) || isMap(tree)) && isWhole(spot);
  const keys = isOfAny ? keysIn(spot).slice(0, MAX_LOOKED_AT) : [];
  const elements = childSpots(spot, undefined, keys).map((element) => element.tree);
  const [key = ''] = keys;
  const isOfIds = Array.isArray(tree) && isNameOfIds(names, elements);
  const idName = isOfIds ? undefined : idNameIn(elements[0], isNameOfTasks(names, isMap(tree)));
  if (!isOfIds && (idName === undefined || elements.length < 2)) return [];
  const ids = elements.flatMap((element) => taskIdOf(idName === undefined ? element : memberOf(element, idName)) ?? []);
  // What an element without an id means is not plain: it may be a part that the service did not accept.
  if (ids.length === 0 || ids.length < elements.length) return [];
  const isSeveral = new Set(ids).size > 1;
  const to = [...names, isSeveral ? EACH_ELEMENT : key, ...(idName === undefined ? [] : [idName])];
  return [{ pointer: jsonPointer(...to), ids: [...new Set(ids)] }];
}

function idNameIn(element: Json | undefined, isTask: boolean): string | undefined {
  return isJsonObject(element) ? findByName(isTask ? TASK_ID_NAMES : CERTAIN_ID_NAMES, element) : undefined;
}

/** Whether a list is called as one of the ids of tasks is; what is bare `ids` only in `data` and in a task. */
function isNameOfIds(names: readonly string[], elements: readonly Json[]): boolean {
  const [name, owner] = names.toReversed();
  if (name === undefined) return false;
  const singular = plainName(name).replace(/list$/, '').replace(/s$/, '');
  if (singular === 'id') return owner === undefined || isNameOfTasks([owner], false);
  // Texts without a digit are rather the names of steps.
  const areIds = elements.every((element) => /\d/.test(leafText(element) ?? ''));
  const isUsual = TASK_ID_NAMES.some((usual) => usual === singular);
  return isUsual || (areIds && /(?:task|job)s(?:list)?$/.test(plainName(name)));
}

/** Whether a list or map is called as one of tasks is. The whole of `data` is a list of them where its elements have ids. */
function isNameOfTasks(names: readonly string[], isMap: boolean): boolean {
  const name = plainName(names.at(-1) ?? (isMap ? '' : 'tasks'));
  return isMap
    ? /(?:task|job|import)s$/.test(name)
    : /(?:task|job|import)s?(?:list|items?|infos?|records?)?$/.test(name);
}

/** Whether what a pointer leads to is called `id` and no more, so that it may be the id of anything. */
function isBare(pointer: string): boolean {
  const name = pointerNames(pointer).findLast((each) => !isPlaceholder(each) && !/^\d+$/.test(each));
  return name !== undefined && /^ids?$/.test(plainName(name));
}

/** An object with two or more objects that all have the same names. */
function isMap(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const [first, ...others] = firstNames(value).map((name) => namesOf(value[name]));
  return first !== undefined && others.length > 0 && others.every((names) => names === first);
}

function namesOf(value: Json | undefined): string | undefined {
  return isJsonObject(value) ? Object.keys(value).sort().join('\n') : undefined;
}

function memberOf(value: Json, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
