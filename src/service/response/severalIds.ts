import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { EACH, jsonPointer, pointerNames, valueAt } from '../json/jsonPointer';
import { type TaskId, taskIdOf } from '../json/taskId';
import { type Found, findByName, USUAL_NAMES } from './recognition';

/** Max values that are looked at: looking at all of a huge response would block the event loop. */
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
  const places = follow(data, pointer).slice(0, MAX_IDS);
  return places.map(({ names }) => jsonPointer(...names));
}

/** The ids that a pointer leads to. */
export function idsAt(data: Json, pointer: string): IdsAt {
  return { pointer, ids: [...new Set(follow(data, pointer).flatMap(({ value }) => taskIdOf(value) ?? []))] };
}

/**
 * The pointer to the places that a value shares with its like: in every element of the lists that lead to it, and in
 * every member of maps whose members have the same names. Undefined where it is in neither.
 */
export function pointerToAll(data: Json, pointer: string): string | undefined {
  const names = pointerNames(pointer);
  const shared = names.map((name, depth) => {
    const owner = valueAt(data, jsonPointer(...names.slice(0, depth)));
    return Array.isArray(owner) || (depth < names.length - 1 && isMap(owner)) ? EACH : name;
  });
  return shared.includes(EACH) ? jsonPointer(...shared) : undefined;
}

/** Whether an id that was found is one of several different ones in a list. */
function isOneOfSeveral(data: Json, pointer: string): boolean {
  const names = pointerNames(pointer);
  return names.some((name, at) => {
    if (!/^\d+$/.test(name)) return false;
    return idsAt(data, jsonPointer(...names.slice(0, at), EACH, ...names.slice(at + 1))).ids.length > 1;
  });
}

/**
 * The ids that are recognized in a response by usual names; `found` is what is recognized where there is a single one.
 * None where it is not plain which of several ids are those of tasks.
 */
export function recognizedIds(data: Json, found: Found | undefined): IdsAt | undefined {
  const id = taskIdOf(found?.value);
  const isSingle = found !== undefined && id !== undefined && !isOneOfSeveral(data, found.pointer);
  const single = isSingle ? { pointer: found.pointer, ids: [id] } : undefined;
  const [list, ...others] = listsOfTasks(data);
  if (list === undefined) return single;
  const isOfElse = single !== undefined && isBare(single.pointer) && !isBare(list.pointer);
  const isAmong = single === undefined || isOfElse || single.ids.every((one) => list.ids.includes(one));
  return isAmong && others.every(({ ids }) => String(ids) === String(list.ids)) ? list : undefined;
}

/** The lists and maps that are plainly of tasks: `data` itself, or in it, or in one of the objects directly inside it. */
function listsOfTasks(data: Json): IdsAt[] {
  const whole = listOfTasks([], data);
  if (!isJsonObject(data) || whole.length > 0) return whole;
  const owners: Placed[] = [{ names: [], value: data }, ...childrenOf({ names: [], value: data }, isJsonObject)];
  return owners.flatMap((owner) => childrenOf(owner)).flatMap(({ names, value }) => listOfTasks(names, value));
}

function listOfTasks(names: readonly string[], value: Json): IdsAt[] {
  const members = Array.isArray(value) || isMap(value) ? membersOf(value) : [];
  const elements = members.map(([, element]) => element);
  const [[key, first] = ['']] = members;
  const isOfIds = Array.isArray(value) && isNameOfIds(names, elements);
  const idName = isOfIds ? undefined : idNameIn(first, isNameOfTasks(names, isMap(value)));
  if (!isOfIds && (idName === undefined || elements.length < 2)) return [];
  const ids = elements.flatMap((element) => taskIdOf(idName === undefined ? element : memberOf(element, idName)) ?? []);
  // What an element without an id means is not plain: it may be a part that the service did not accept.
  if (ids.length === 0 || ids.length < elements.length) return [];
  const isSeveral = new Set(ids).size > 1;
  const to = [...names, isSeveral ? EACH : key, ...(idName === undefined ? [] : [idName])];
  return [{ pointer: jsonPointer(...to), ids: [...new Set(ids)] }];
}

function idNameIn(element: Json | undefined, isTask: boolean): string | undefined {
  const usual = isTask ? USUAL_NAMES.taskId : USUAL_NAMES.taskId.filter((name) => name !== 'id');
  return isJsonObject(element) ? findByName(usual, element) : undefined;
}

/** Whether a list is called as one of the ids of tasks is; what is bare `ids` only in `data` and in a task. */
function isNameOfIds(names: readonly string[], elements: readonly Json[]): boolean {
  const [name, owner] = names.toReversed();
  if (name === undefined) return false;
  const singular = plain(name).replace(/list$/, '').replace(/s$/, '');
  if (singular === 'id') return owner === undefined || isNameOfTasks([owner], false);
  // Texts without a digit are rather the names of steps.
  const areIds = elements.every((element) => /\d/.test(leafText(element) ?? ''));
  return USUAL_NAMES.taskId.includes(singular) || (areIds && /(?:task|job)s(?:list)?$/.test(plain(name)));
}

/** Whether a list or map is called as one of tasks is. The whole of `data` is a list of them where its elements have ids. */
function isNameOfTasks(names: readonly string[], isMap: boolean): boolean {
  const name = plain(names.at(-1) ?? (isMap ? '' : 'tasks'));
  return isMap
    ? /(?:task|job|import)s$/.test(name)
    : /(?:task|job|import)s?(?:list|items?|infos?|records?)?$/.test(name);
}

/** Whether what a pointer leads to is called `id` and no more, so that it may be the id of anything. */
function isBare(pointer: string): boolean {
  const name = pointerNames(pointer).findLast((name) => name !== EACH && !/^\d+$/.test(name));
  return name !== undefined && /^ids?$/.test(plain(name));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** An object with two or more objects that all have the same names. */
function isMap(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const [first, ...others] = membersOf(value);
  const names = namesOf(first?.[1]);
  return names !== undefined && others.length > 0 && others.every(([, member]) => namesOf(member) === names);
}

function namesOf(value: Json | undefined): string | undefined {
  return isJsonObject(value) ? Object.keys(value).sort().join('\n') : undefined;
}

interface Placed {
  readonly value: Json;
  readonly names: readonly string[];
}

function follow(data: Json, pointer: string): Placed[] {
  let places: Placed[] = [{ value: data, names: [] }];
  for (const name of pointerNames(pointer)) {
    places = places.flatMap((place) => (name === EACH ? eachOf(place) : childAt(place, name))).slice(0, MAX_LOOKED_AT);
  }
  return places;
}

/** None where parts of the list or map were left out when it was stored, as an id may be among them. */
function eachOf(place: Placed): Placed[] {
  const { value } = place;
  const isCut = Array.isArray(value) ? value.at(-1) === LEFT_OUT : memberOf(value, LEFT_OUT) !== undefined;
  return isCut ? [] : childrenOf(place);
}

function childAt({ names, value }: Placed, name: string): Placed[] {
  const member = memberOf(value, name);
  return member === undefined ? [] : [{ names: [...names, name], value: member }];
}

function childrenOf({ names, value }: Placed, fits: (value: Json) => boolean = () => true): Placed[] {
  const members = membersOf(value).filter(([, member]) => fits(member));
  return members.map(([name, member]) => ({ names: [...names, name], value: member }));
}

function membersOf(value: Json | undefined): [name: string, member: Json][] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [];
  const members = value as JsonObject;
  const names = Array.isArray(value) ? Object.keys(value.slice(0, MAX_LOOKED_AT)) : Object.keys(value);
  return names.slice(0, MAX_LOOKED_AT).map((name) => [name, members[name] ?? null]);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value === undefined ? undefined : valueAt(value, jsonPointer(name));
}
