import { EACH_ELEMENT } from '../contract/placeholders';
import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdOf } from '../json/taskId';
import { findField, readData, usualName } from './fields';
import { readPlaces } from './ownTask';
import { firstNames, isTaskName, plainName, USUAL_NAMES } from './usualNames';

/** The IDs at one place of file-task's response, each once. */
export interface IdsAt {
  readonly pointer: string;
  readonly ids: readonly TaskId[];
}

/** The IDs that a pointer leads to. */
export function idsAt(data: Json, pointer: string): IdsAt {
  return { pointer, ids: [...new Set(readPlaces(data, pointer).flatMap((value) => taskIdOf(value) ?? []))] };
}

/** The pointer to the same member of every element of the lists on the way; undefined if there is no list. */
export function pointerToAll(data: Json, pointer: string): string | undefined {
  const names = pointerNames(pointer);
  const shared = names.map((name, depth) =>
    Array.isArray(readPlaces(data, jsonPointer(...names.slice(0, depth)))[0]) ? EACH_ELEMENT : name,
  );
  return shared.includes(EACH_ELEMENT) ? jsonPointer(...shared) : undefined;
}

/** The IDs that are recognized by usual names; undefined if there are none, or if other IDs could be those as well. */
export function recognizedIds(data: Json): IdsAt | undefined {
  const read = readData(data, undefined);
  const objects = read.levels.flat().map(({ path, value }) => ({ path, object: value as JsonObject }));
  const lists = Array.isArray(data)
    ? listOfIds([], 'tasks', data)
    : objects
        .filter(({ path }) => path.length <= 1)
        .flatMap(({ path, object }) =>
          firstNames(object).flatMap((name) => listOfIds([...path, name], name, object[name] ?? null)),
        );
  const named = findField('taskId', read, undefined);
  const bare = objects.flatMap(({ path, object }) => {
    const owner = path.findLast((name) => !/^\d+$/.test(name)) ?? 'task';
    const name = isTaskName(owner) ? loneId(object) : undefined;
    return name === undefined ? [] : [jsonPointer(...path, name)];
  });
  const [found, ...others] = [...lists, ...(named ? [named.from.pointer] : bare)].map((pointer) =>
    idsAt(data, pointer),
  );
  return found && others.every(({ ids }) => ids.every((id) => found.ids.includes(id))) ? found : undefined;
}

/** The pointer to the IDs in a list, or none. An element without an ID may be a part that the service didn't accept. */
function listOfIds(path: readonly string[], name: string, list: Json): string[] {
  const [first] = Array.isArray(list) ? list : [];
  const singular = plainName(name).replace(/s?(?:list)?$/, '');
  const member = isJsonObject(first) ? (usualName('taskId', first) ?? (isTaskName(name) && loneId(first))) : '';
  if (!Array.isArray(list) || member === undefined || member === false) return [];
  if (member === '' && ![...USUAL_NAMES.taskId, 'id'].includes(singular)) return [];
  const inner = member === '' ? [] : [member];
  const isWhole = list.every((element) => taskIdOf(readPlaces(element, jsonPointer(...inner))[0]) !== undefined);
  return isWhole && list.length > 0 ? [jsonPointer(...path, list.length === 1 ? '0' : EACH_ELEMENT, ...inner)] : [];
}

/** The name of an object's bare `id`, if nothing else could be the ID instead, such as `fileId` or `uuid`. */
function loneId(object: JsonObject): string | undefined {
  const isId = (name: string) => /id$/i.test(name) && typeof object[name] !== 'boolean' && leafText(object[name]);
  const [name, ...more] = firstNames(object).filter(isId);
  return more.length === 0 && name?.toLowerCase() === 'id' ? name : undefined;
}
