import { EACH_ELEMENT } from '../contract/placeholders';
import { isJsonObject, type Json, leafText } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdOf } from '../json/taskId';
import { type FieldPlace, firstHit, type ReadData, readData } from './fields';
import { readPlaces } from './ownTask';
import { findByName, firstNames, hasLoneId, isTaskName, plainName, USUAL_NAMES } from './usualNames';

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

/** The IDs that are recognized by usual names; undefined if there are none, or if several places could have them. */
export function recognizedIds(data: Json): IdsAt | undefined {
  const { levels } = readData(data, undefined);
  const found = firstHit(levels, ({ object, names }) =>
    findByName(USUAL_NAMES.taskId, object, names, (value) => taskIdOf(value) !== undefined),
  );
  const id = taskIdOf(found?.value);
  const single = found === undefined || id === undefined ? bareId(levels) : { pointer: found.pointer, ids: [id] };
  const [list, ...others] = listsOfIds(data, levels);
  if (list === undefined) return single;
  const isSame = (other: IdsAt) => other.ids.every((each) => list.ids.includes(each));
  return others.every(isSame) && (single === undefined || isSame(single)) ? list : undefined;
}

/** A bare `id` counts in `data` or in a task, if nothing beside it could be the ID instead. */
function bareId(levels: ReadData['levels']): IdsAt | undefined {
  const found = levels.flat().flatMap(({ path, object, names, owner }) => {
    if (owner !== undefined && !isTaskName(owner)) return [];
    const name = names.find((each) => plainName(each) === 'id') ?? '';
    const id = taskIdOf(object[name]);
    return id === undefined
      ? []
      : [{ pointer: jsonPointer(...path, name), ids: [id], isLone: hasLoneId(object, names) }];
  });
  const [first] = found;
  return first !== undefined && found.every(({ ids, isLone }) => isLone && ids[0] === first.ids[0])
    ? { pointer: first.pointer, ids: first.ids }
    : undefined;
}

/** The lists of tasks or of their IDs: `data` itself, or one in it or in an object directly inside it. */
function listsOfIds(data: Json, levels: ReadData['levels']): IdsAt[] {
  if (Array.isArray(data)) return idsOfList([], 'tasks', data);
  return levels.flat().flatMap(({ path, object, names, owner }: FieldPlace) =>
    names.flatMap((name) => {
      const list = object[name];
      return Array.isArray(list) && (owner === undefined || path.length === 1)
        ? idsOfList([...path, name], name, list)
        : [];
    }),
  );
}

function idsOfList(path: readonly string[], name: string, list: readonly Json[]): IdsAt[] {
  const member = memberWithId(name, list[0]);
  if (member === undefined) return [];
  const pointer = jsonPointer(...path, list.length === 1 ? '0' : EACH_ELEMENT, ...member);
  const { ids } = idsAt(list, jsonPointer(EACH_ELEMENT, ...member));
  // An element without an ID may be a part that the service didn't accept.
  const isWhole = readPlaces(list, jsonPointer(EACH_ELEMENT, ...member)).length === list.length;
  return ids.length > 0 && isWhole ? [{ pointer, ids }] : [];
}

/** The name of the ID in the elements of a list; none if the elements are the IDs. */
function memberWithId(name: string, first: Json | undefined): string[] | undefined {
  if (!isJsonObject(first)) {
    const singular = plainName(name).replace(/list$/, '').replace(/s$/, '');
    return leafText(first) !== undefined && [...USUAL_NAMES.taskId, 'id'].includes(singular) ? [] : undefined;
  }
  const names = firstNames(first);
  const certain = findByName(USUAL_NAMES.taskId, first, names);
  if (certain !== undefined) return [certain];
  const bare = names.find((each) => plainName(each) === 'id');
  return bare !== undefined && isTaskName(name) && hasLoneId(first, names) ? [bare] : undefined;
}
