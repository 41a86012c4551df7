import { EACH_ELEMENT, isPlaceholder, OUR_ELEMENT } from '../contract/placeholders';
import { isJsonObject, type Json, type JsonObject, leafText, stringifyJson } from '../json/json';
import { pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdText } from '../json/taskId';
import { firstNames, isTaskName, plainName, USUAL_NAMES } from './usualNames';

/** The task that a response is read for. */
export interface OwnTask {
  /** Its ID as text: a service may write a number as a string, and the other way round. */
  readonly id: string;
  /** The names under which we ask for the task, and the one at which its ID was picked. */
  readonly idNames: readonly string[];
}

/** The task with this ID, which was read at the contract's `pointer`, if any; `query` is the contract's body of the query. */
export function toOwnTask(taskId: TaskId, pointer: string | undefined, query: Json = { taskId: '${taskId}' }): OwnTask {
  const picked = pointerNames(pointer ?? '').findLast((each) => !isPlaceholder(each) && !/^\d*$/.test(each));
  const asked = [...stringifyJson(query).matchAll(/"([^"]*)":\[*"[^"]*\$\{taskId/g)].map(([, name]) => name);
  return { id: taskIdText(taskId), idNames: [...asked, picked].flatMap((name) => (name ? plainName(name) : [])) };
}

/** A value in a response's `data`. */
export interface Place {
  /** What leads there: names, numbers, or `${taskId}` for our element. */
  readonly path: readonly string[];
  readonly value: Json;
  /** Whose it is: our task's, another task's, or undefined if nothing shows it. */
  readonly whose: 'own' | 'other' | undefined;
}

type Whose = Place['whose'];

/** All of `data`. An ID of another kind than ours, under a name that we don't ask by, doesn't make it another task's. */
export function dataPlace(data: Json, task: OwnTask | undefined): Place {
  const isOurName = (name: string) => task?.idNames.includes(name) ?? false;
  return { path: [], value: data, whose: task && whoseByIds(data, task, true, isOurName) };
}

/** What is directly inside under a name, a number or `${taskId}`. Unless its own IDs show whose it is, it is its parent's. */
export function placeIn({ path, value, whose }: Place, name: string, task: OwnTask | undefined): Place | undefined {
  const key = name === OUR_ELEMENT ? ourKey(value, task) : name;
  const inner = key === undefined ? undefined : memberOf(value, key);
  if (key === undefined || inner === undefined) return undefined;
  return { path: [...path, name], value: inner, whose: (task && whoseMember(value, key, inner, task)) ?? whose };
}

/** Max elements of a list that are returned if none is known to be ours. */
const MAX_ELEMENTS = 20;

/** What is directly inside: of a list or map of tasks only ours, if it is known. */
export function placesIn(place: Place, task: OwnTask | undefined): Place[] {
  const { value } = place;
  const ours = task && placeIn(place, OUR_ELEMENT, task);
  if (ours && (!Array.isArray(value) || isOurElement(ours.value, task))) return [ours];
  const names = Array.isArray(value)
    ? Object.keys(value.slice(0, MAX_ELEMENTS))
    : isJsonObject(value)
      ? firstNames(value)
      : [];
  return names.flatMap((name) => placeIn(place, name, task) ?? []);
}

/** The value that a JSON Pointer (RFC 6901) leads to; undefined if there is none, or if it is another task's. */
export function readPlace(data: Json, pointer: string, task: OwnTask | undefined): Json | undefined {
  let place: Place | undefined = dataPlace(data, task);
  for (const name of pointerNames(pointer)) place = place && placeIn(place, name, task);
  return place?.whose === 'other' ? undefined : place?.value;
}

/** Max values that a pointer with `${each}` leads to, and max elements of a list among which ours is looked for. */
const MAX_EACH = 10_000;

/** All values that a pointer leads to in file-task's response, in which `${each}` is every element of a list. */
export function readPlaces(data: Json, pointer: string): Json[] {
  return pointerNames(pointer).reduce<Json[]>(
    (values, name) =>
      values.flatMap((value) => {
        if (name === EACH_ELEMENT) return Array.isArray(value) ? value.slice(0, MAX_EACH) : [];
        const member = memberOf(value, name);
        return member === undefined ? [] : [member];
      }),
    [data],
  );
}

function memberOf(value: Json, key: string): Json | undefined {
  if (Array.isArray(value) ? !/^(?:0|[1-9]\d*)$/.test(key) : !isJsonObject(value)) return undefined;
  return Object.hasOwn(value as JsonObject, key) ? (value as JsonObject)[key] : undefined;
}

/** The member named by our ID, the one element that has our ID, or the only element. */
function ourKey(value: Json, task: OwnTask | undefined): string | undefined {
  if (!Array.isArray(value)) return isJsonObject(value) ? task?.id : undefined;
  const ours: number[] = [];
  for (const [index, element] of value.slice(0, MAX_EACH).entries())
    if (task !== undefined && isOurElement(element, task)) ours.push(index);
  if (ours.length === 0 && value.length === 1 && isJsonObject(value[0])) return '0';
  return ours.length === 1 ? String(ours[0]) : undefined;
}

function isOurElement(element: Json, task: OwnTask): boolean {
  return holds(element, task.id, 1) && whoseElement(element, task) === 'own';
}

/** Whether a text is among an object's values, or those of the objects in it. Far cheaper than to look at names. */
function holds(value: Json, text: string, deeper: number): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name] ?? null;
    if (typeof member === 'string' ? member === text : leafText(member) === text) return true;
    if (deeper > 0 && typeof member === 'object' && holds(member, text, deeper - 1)) return true;
  }
  return false;
}

function whoseMember(parent: Json, key: string, value: Json, task: OwnTask): Whose {
  if (Array.isArray(parent)) return whoseElement(value, task);
  // The elements of a map are named by their IDs.
  if (key === task.id) return 'own';
  if (/\d/.test(key) && isAlike(key, task.id)) return 'other';
  return whoseByIds(value, task, isTaskName(key) || (isJsonObject(value) && leafText(value['id']) === key));
}

/** Whose an element of a list is, by its own IDs or those in an object inside it. */
function whoseElement(element: Json, task: OwnTask): Whose {
  const itself = whoseByIds(element, task, true);
  if (itself !== undefined || !isJsonObject(element)) return itself;
  const inside = firstNames(element).map((name) => whoseByIds(element[name] ?? null, task, isTaskName(name)));
  return inside.find((whose) => whose === 'other') ?? inside.find((whose) => whose === 'own');
}

/** `isTask`: whether a bare `id` is that of a task. An ID that is not ours shows another task if its name is certain. */
function whoseByIds(
  value: Json,
  { id, idNames }: OwnTask,
  isTask: boolean,
  isCertain = (name: string) => name !== 'id' || idNames.includes('id'),
): Whose {
  if (!isJsonObject(value)) return undefined;
  const ids = firstNames(value).flatMap((each) => {
    const name = plainName(each);
    const isId = name === 'id' || USUAL_NAMES.taskId.includes(name) || idNames.includes(name);
    const text = isId ? leafText(value[each]) : undefined;
    return text ? [{ name, text }] : [];
  });
  const named = ids.filter(({ name }) => name !== 'id');
  const counted = named.length > 0 ? named : isTask ? ids : [];
  if (counted.some(({ text }) => text === id)) return 'own';
  return counted.some(({ name, text }) => isCertain(name) || isAlike(text, id)) ? 'other' : undefined;
}

/** Whether two IDs look alike, such as `t-1` and `t-22` or two UUIDs, so that both are likely to be those of tasks. */
function isAlike(one: string, other: string): boolean {
  const pattern = (text: string) => text.toLowerCase().replace(/\d+/g, '0');
  return pattern(one) === pattern(other) || (one.length >= 8 && one.length === other.length);
}
