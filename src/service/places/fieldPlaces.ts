import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { OUR_ELEMENT } from './placeholders';
import { findByName, firstNames, USUAL_NAMES } from './usualNames';
import { isOfOtherTask, type OwnTask, ourElement, type Whose, whoseByIds, whoseElement, whoseMember } from './whose';

/** An object in which fields are looked for by usual names. */
export interface FieldPlace {
  /** What leads there: names, numbers, or `${taskId}` for our element. */
  readonly path: readonly string[];
  readonly object: JsonObject;
  readonly names: readonly string[];
  /** The nearest name; undefined for `data` itself. */
  readonly owner: string | undefined;
  readonly whose: Whose;
}

/** Where fields are looked for in a response. */
export interface FieldPlaces {
  /** The likeliest level first; what several places of a level have is ambiguous. */
  readonly levels: readonly (readonly FieldPlace[])[];
  /** Whether the response lists several tasks, and none of them is known to be ours. */
  readonly listsOnlyOthers: boolean;
}

/** Max members of an object that are looked into. */
const MAX_INSIDE = 50;

/**
 * Looks for fields in `data` and in the objects directly inside it, first in what has our ID. Of a list in there, only our
 * element counts, or the only one. What is another task's is left out.
 */
export function fieldPlaces(data: Json, task: OwnTask | undefined): FieldPlaces {
  const root = isJsonObject(data)
    ? placeAt([], data, undefined, task && isOfOtherTask(data, task) ? 'other' : task && whoseByIds(data, task, true))
    : undefined;
  const inside = root === undefined ? [] : objectsIn(root, task);
  const containers = root === undefined ? [] : [root, ...inside];
  const lists = Array.isArray(data)
    ? [{ path: [], list: data as readonly Json[], owner: undefined, whose: undefined }]
    : containers.flatMap(listsIn);
  const elements = lists.flatMap(({ path, list, owner, whose }) => {
    const found = ourElement(list, task);
    const object = found === undefined ? null : (list[found.index] ?? null);
    if (found === undefined || !isJsonObject(object) || (whose === 'other' && found.whose !== 'own')) return [];
    const name = found.whose === 'own' ? OUR_ELEMENT : `${found.index}`;
    return [{ ...placeAt([...path, name], object, owner, found.whose), isOneOfSeveral: list.length > 1 }];
  });
  const named = containers.flatMap(({ path, object, owner }) => {
    const member = task === undefined || !Object.hasOwn(object, task.id) ? null : (object[task.id] ?? null);
    return isJsonObject(member) ? [placeAt([...path, OUR_ELEMENT], member, owner, 'own')] : [];
  });
  const all = [...containers, ...elements, ...named];
  const own = all.filter(({ whose }) => whose === 'own');
  const isOneOfSeveral = named.length > 0 || elements.some((each) => each.whose === 'own' && each.isOneOfSeveral);
  const around = isOneOfSeveral ? [] : all.filter(({ whose }) => whose === undefined);
  const insideOwn = own.flatMap((place) => objectsIn(place, task).filter(({ whose }) => whose === 'own'));
  return {
    levels: [...byDepth([...own, ...insideOwn]), ...byDepth(around)],
    listsOnlyOthers: task !== undefined && own.length === 0 && lists.some(({ list }) => areTasks(list, task)),
  };
}

/** The less deeply nested first, each object once. */
function byDepth(places: readonly FieldPlace[]): FieldPlace[][] {
  const distinct = new Map(places.map((place) => [place.object, place]));
  const levels = Map.groupBy(distinct.values(), ({ path }) => path.length);
  return [...levels].toSorted(([one], [other]) => one - other).map(([, level]) => level);
}

function placeAt(path: readonly string[], object: JsonObject, owner: string | undefined, whose: Whose): FieldPlace {
  return { path, object, names: firstNames(object), owner, whose };
}

function objectsIn({ path, object, names, whose }: FieldPlace, task: OwnTask | undefined): FieldPlace[] {
  return names.slice(0, MAX_INSIDE).flatMap((name) => {
    const inner = object[name] ?? null;
    // What is named by an ID is an element of a map.
    if (!isJsonObject(inner) || name === task?.id) return [];
    return [placeAt([...path, name], inner, name, (task && whoseMember(name, inner, task)) ?? whose)];
  });
}

function listsIn({ path, object, names, whose }: FieldPlace) {
  return names.slice(0, MAX_INSIDE).flatMap((name) => {
    const list = object[name] ?? null;
    return Array.isArray(list) ? [{ path: [...path, name], list: list as readonly Json[], owner: name, whose }] : [];
  });
}

/** Whether a list has several elements that look like tasks. */
function areTasks(list: readonly Json[], task: OwnTask): boolean {
  const tasks = list.slice(0, MAX_INSIDE).filter((element) => {
    if (!isJsonObject(element)) return false;
    const status = findByName(USUAL_NAMES.status, element, firstNames(element));
    return status !== undefined || whoseElement(element, task) === 'other';
  });
  return tasks.length > 1;
}
