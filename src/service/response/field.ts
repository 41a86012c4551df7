import { isJsonObject, type Json, type JsonObject, leafText, stringifyJson } from '../json/json';
import { EACH_ELEMENT, isPlaceholder, jsonPointer, OUR_ELEMENT, pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdText } from '../json/taskId';
import { firstNames, isTaskName, plainName, USUAL_NAMES } from './usualNames';

/** The task whose values we look for in a response. */
export interface OwnTask {
  /** The task's ID as text, because a service may return a number as a string, or a string as a number. */
  readonly id: string;
  /**
   * The names of fields that contain a task's ID: the ones in our query's body, and the one that the user picked in a
   * file-task response.
   */
  readonly idNames: readonly string[];
}

/** A value in a response's `data`, and where it is. */
export interface Field {
  /** A JSON Pointer (RFC 6901). `${taskId}` in place of an index selects the element for our task. */
  readonly pointer: string;
  readonly value: Json;
  /** Whether the value belongs to our task or to another task. Undefined if there is no ID to tell us. */
  readonly whose: 'own' | 'other' | undefined;
}

type Whose = Field['whose'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_QUERY: Json = { taskId: '${taskId}' };

/**
 * Returns the task with this ID. `pointer` is the contract's pointer to the IDs, if it has one. `query` is the contract's
 * query body. Letter case doesn't matter in a UUID, so the ID is spelled as in `data`.
 */
export function toOwnTask(taskId: TaskId, pointer: string | undefined, query = DEFAULT_QUERY, data?: Json): OwnTask {
  const id = taskIdText(taskId);
  const spelled = UUID.test(id) ? new RegExp(`"(${id})"`, 'i').exec(JSON.stringify(data ?? null))?.[1] : undefined;
  const picked = pointerNames(pointer ?? '').findLast((each) => !isPlaceholder(each) && !/^\d*$/.test(each));
  const asked = [...stringifyJson(query).matchAll(/"([^"]*)":\[*"[^"]*\$\{taskId/g)].map(([, name]) => name);
  return { id: spelled ?? id, idNames: [...asked, picked].flatMap((name) => (name ? plainName(name) : [])) };
}

/**
 * The root field, which covers all of `data`. If `data` contains an ID other than ours, we assume that `data` is about
 * another task only if that ID has the same format as ours, or if its field has the same name as the ID's field in our
 * query.
 */
export function rootField(data: Json, task: OwnTask | undefined): Field {
  const isOurName = (name: string) => task?.idNames.includes(name) ?? false;
  return { pointer: '', value: data, whose: task && whoseByIds(data, task, true, isOurName) };
}

/**
 * Returns the object member or list element with this name. The name `${taskId}` stands for our task's entry. The
 * result belongs to the same task as its parent, unless its own IDs say otherwise.
 */
function fieldIn({ pointer, value, whose }: Field, name: string, task: OwnTask | undefined): Field | undefined {
  const key = name === OUR_ELEMENT ? ourKey(value, task) : name;
  const inner = key === undefined ? undefined : memberOf(value, key);
  if (key === undefined || inner === undefined) return undefined;
  const owner = (task && whoseMember(value, key, inner, task)) ?? whose;
  return { pointer: pointer + jsonPointer(name), value: inner, whose: owner };
}

/** Max list elements to return if none of them is known to be ours. */
const MAX_ELEMENTS = 20;

/** Returns the members or elements of a value, or only our task's element if there is one. */
export function fieldsIn(parent: Field, task: OwnTask | undefined): Field[] {
  const { value } = parent;
  const ours = task && fieldIn(parent, OUR_ELEMENT, task);
  if (ours && (!Array.isArray(value) || isOurElement(ours.value, task))) return [ours];
  const list = Array.isArray(value) ? Object.keys(value.slice(0, MAX_ELEMENTS)) : [];
  const names = isJsonObject(value) ? firstNames(value) : list;
  return names.flatMap((name) => fieldIn(parent, name, task) ?? []);
}

/** Returns the field that a JSON Pointer points to, or undefined if there is none or it belongs to another task. */
export function fieldAt(data: Json, pointer: string, task: OwnTask | undefined): Field | undefined {
  const field = anyFieldAt(data, pointer, task);
  return field?.whose === 'other' ? undefined : field;
}

/** Like {@link fieldAt}, but doesn't check whose the field is. An object around our task may have the ID of a batch. */
export function anyFieldAt(data: Json, pointer: string, task: OwnTask | undefined): Field | undefined {
  let field: Field | undefined = rootField(data, task);
  for (const name of pointerNames(pointer)) field = field && fieldIn(field, name, task);
  return field;
}

/** Max elements that `${each}` selects, and max list elements to search for our task. */
const MAX_EACH = 10_000;

/**
 * Returns all values that a pointer selects in a file-task response, with null in place of each missing value. `${each}`
 * selects every element of a list.
 */
export function valuesAt(data: Json, pointer: string): Json[] {
  let values = [data];
  for (const name of pointerNames(pointer))
    values = values.flatMap((value) =>
      name === EACH_ELEMENT && Array.isArray(value) ? value.slice(0, MAX_EACH) : [memberOf(value, name) ?? null],
    );
  return values;
}

function memberOf(value: Json, key: string): Json | undefined {
  if (Array.isArray(value) ? !/^(?:0|[1-9]\d*)$/.test(key) : !isJsonObject(value)) return undefined;
  return Object.hasOwn(value as JsonObject, key) ? (value as JsonObject)[key] : undefined;
}

/**
 * Returns the key of our task. In an object, the key is our ID. In a list, it is the index of the only element with our ID, or
 * 0 if the list has only one element.
 */
function ourKey(value: Json, task: OwnTask | undefined): string | undefined {
  if (isJsonObject(value)) return task && Object.keys(value).find((key) => isOwnId(key, task));
  if (!Array.isArray(value)) return undefined;
  const ours: number[] = [];
  for (const [index, element] of value.slice(0, MAX_EACH).entries())
    if (task !== undefined && isOurElement(element, task)) ours.push(index);
  if (ours.length === 0 && value.length === 1 && isJsonObject(value[0])) return '0';
  return ours.length === 1 ? String(ours[0]) : undefined;
}

/** Whether this text is our task's ID. Letter case doesn't matter in a UUID, and a response may spell it in two ways. */
function isOwnId(text: string | undefined, { id }: OwnTask): boolean {
  return text === id || (text?.length === 36 && UUID.test(id) && text.toLowerCase() === id.toLowerCase());
}

function isOurElement(element: Json, task: OwnTask): boolean {
  return contains(element, task, 1) && whoseElement(element, task) === 'own';
}

/**
 * Whether an object, or an object inside it, contains our task's ID. Call this before comparing names, because it is much
 * faster.
 */
function contains(value: Json, task: OwnTask, deeper: number): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name] ?? null;
    if (isOwnId(typeof member === 'string' ? member : leafText(member), task)) return true;
    if (deeper > 0 && typeof member === 'object' && contains(member, task, deeper - 1)) return true;
  }
  return false;
}

function whoseMember(parent: Json, key: string, value: Json, task: OwnTask): Whose {
  if (Array.isArray(parent)) return whoseElement(value, task);
  // In a map, each key is the ID of a task.
  if (isOwnId(key, task)) return 'own';
  if (/\d/.test(key) && isAlike(key, task.id)) return 'other';
  return whoseByIds(value, task, isTaskName(key) || (isJsonObject(value) && leafText(value['id']) === key));
}

/** Which task a list element belongs to, judging by its own IDs or by the IDs in an object inside it. */
function whoseElement(element: Json, task: OwnTask): Whose {
  const itself = whoseByIds(element, task, true);
  if (itself !== undefined || !isJsonObject(element)) return itself;
  const inside = firstNames(element).map((name) => whoseByIds(element[name] ?? null, task, isTaskName(name)));
  return inside.find((whose) => whose === 'other') ?? inside.find((whose) => whose === 'own');
}

/** Returns the names that lead from our task's element to its ID. */
export function ownIdPath(element: Json, task: OwnTask): string[] {
  if (!isJsonObject(element)) return [];
  const ownName = (value: Json | undefined, isTask: boolean) =>
    idsIn(value, task, isTask).find(({ text }) => isOwnId(text, task))?.member;
  const own = ownName(element, true);
  if (own !== undefined) return [own];
  const inside = firstNames(element).map((name) => [name, ownName(element[name], isTaskName(name))] as const);
  return inside.flatMap(([name, member]) => (member === undefined ? [] : [name, member])).slice(0, 2);
}

/**
 * Which task an object belongs to, judging by the IDs in it. If none of the IDs is ours, the object belongs to another
 * task if one of the IDs looks like ours, or if `isCertain` returns true for the name of an ID's field.
 */
function whoseByIds(
  value: Json,
  task: OwnTask,
  isTask: boolean,
  isCertain = (name: string) => name !== 'id' || task.idNames.includes('id'),
): Whose {
  const ids = idsIn(value, task, isTask);
  if (ids.some(({ text }) => isOwnId(text, task))) return 'own';
  return ids.some(({ name, text }) => isCertain(name) || isAlike(text, task.id)) ? 'other' : undefined;
}

/**
 * Returns an object's members that may contain a task's ID. A bare `id` counts only if `isTask` is true and either our
 * query has an `id` or there is no other ID.
 */
function idsIn(value: Json | undefined, { idNames }: OwnTask, isTask: boolean) {
  if (!isJsonObject(value)) return [];
  const ids = firstNames(value).flatMap((member) => {
    const name = plainName(member);
    const isId = name === 'id' || USUAL_NAMES.taskId.includes(name) || idNames.includes(name);
    const text = isId ? leafText(value[member]) : undefined;
    return text ? [{ member, name, text }] : [];
  });
  const named = ids.filter(({ name }) => name !== 'id' || (isTask && idNames.includes('id')));
  return named.length > 0 ? named : isTask ? ids : [];
}

/** Whether two IDs look alike, such as `t-1` and `t-22` or two UUIDs. If they do, both are probably task IDs. */
function isAlike(one: string, other: string): boolean {
  const pattern = (text: string) => text.toLowerCase().replace(/\d+/g, '0');
  return pattern(one) === pattern(other) || (one.length >= 8 && one.length === other.length);
}
