import type { Contract } from '../contract/contract';
import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { EACH_ELEMENT, jsonPointer, pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdOf } from '../json/taskId';
import { type Field, valuesAt } from './field';
import { recognizedField, searched, usualMembers } from './recognizedFields';
import { firstNames, isTaskName, plainName, USUAL_NAMES } from './usualNames';

/** The distinct IDs of the tasks that file-task started for a file, and where they are in the response's `data`. */
export interface TaskIds {
  readonly ids: readonly TaskId[];
  readonly pointer: string | undefined;
}

/** Max tasks to track for one file. If there are more, we track none, because the file's state would be a guess. */
const MAX_IDS = 1000;

/** Reads the task IDs in the `data` of a file-task response. */
export function readTaskIds(data: Json, { taskId }: Pick<Contract['fileTask'], 'taskId'>): TaskIds {
  const found = taskId === undefined ? recognizedIds(data) : idsAt(data, taskId);
  return found.ids.length === 0 || found.ids.length > MAX_IDS ? { ids: [], pointer: undefined } : found;
}

/**
 * Returns the IDs that a pointer selects. Returns none if any selected element has no ID, because the service may have
 * rejected that part of the file.
 */
export function idsAt(data: Json, pointer: string): TaskIds {
  const values = [...new Set(valuesAt(data, pointer).map(taskIdOf))];
  const ids = values.flatMap((id) => id ?? []);
  return { pointer, ids: ids.length === values.length ? ids : [] };
}

/** Returns the pointer with `${each}` in place of each list index, or undefined if it doesn't go through a list. */
export function pointerToAll(data: Json, pointer: string): string | undefined {
  const names = pointerNames(pointer);
  const shared = names.map((name, depth) =>
    Array.isArray(valuesAt(data, jsonPointer(...names.slice(0, depth)))[0]) ? EACH_ELEMENT : name,
  );
  return shared.includes(EACH_ELEMENT) ? jsonPointer(...shared) : undefined;
}

/** Finds task IDs by looking for common field names. Returns none if the result would be ambiguous. */
function recognizedIds(data: Json): TaskIds {
  const found = searched(data, undefined);
  const objects = found.flat();
  const outer = objects.filter(({ pointer }) => pointer.split('/').length <= 2);
  const listsIn = ({ pointer, value }: Field) =>
    Object.entries(value as JsonObject).flatMap(([name, list]) => listOfIds(pointer + jsonPointer(name), name, list));
  const lists = Array.isArray(data) ? listOfIds('', 'tasks', data) : outer.flatMap(listsIn);
  const named = recognizedField('taskId', found);
  const bare = objects.flatMap(({ pointer, value }) => {
    const owner = pointerNames(pointer).findLast((name) => !/^\d+$/.test(name)) ?? 'task';
    const name = isTaskName(owner) ? loneId(value as JsonObject) : undefined;
    return name === undefined ? [] : [pointer + jsonPointer(name)];
  });
  const [first, ...others] = [...lists, ...(named ? [named.pointer] : bare)].map((pointer) => idsAt(data, pointer));
  const isSure = first && others.every(({ ids }) => ids.every((id) => first.ids.includes(id)));
  return isSure ? first : { ids: [], pointer: undefined };
}

/** Returns the pointer to the IDs in a list. Returns nothing if any element has no ID. */
function listOfIds(pointer: string, name: string, list: Json): string[] {
  const [first] = Array.isArray(list) ? list : [];
  const singular = plainName(name).replace(/s?(?:list)?$/, '');
  const member = isJsonObject(first) ? (usualMembers('taskId', first)[0] ?? (isTaskName(name) && loneId(first))) : '';
  if (!Array.isArray(list) || member === undefined || member === false) return [];
  if (member === '' && ![...USUAL_NAMES.taskId, 'id'].includes(singular)) return [];
  const inner = member === '' ? '' : jsonPointer(member);
  const isWhole = list.every((element) => taskIdOf(valuesAt(element, inner)[0]) !== undefined);
  return isWhole && list.length > 0 ? [`${pointer}/${list.length === 1 ? '0' : EACH_ELEMENT}${inner}`] : [];
}

/**
 * Returns the name of an object's `id` member as the object spells it, such as `ID`. Returns undefined if another
 * member, such as `fileId` or `uuid`, could be the ID.
 */
function loneId(object: JsonObject): string | undefined {
  const isId = (name: string) => /id$/i.test(name) && typeof object[name] !== 'boolean' && leafText(object[name]);
  const [name, ...more] = firstNames(object).filter(isId);
  return more.length === 0 && name?.toLowerCase() === 'id' ? name : undefined;
}
