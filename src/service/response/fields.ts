import { OUR_ELEMENT } from '../contract/placeholders';
import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import { type OwnTask, ourElement, readPlace, type Whose, whoseByIds, whoseElement, whoseMember } from './ownTask';
import { findByName, firstNames, isTaskName, type ResponseField, USUAL_NAMES } from './usualNames';

export type { ResponseField } from './usualNames';

/** Where in `data` a field comes from, and whether the user said so. */
export interface FieldSource {
  /** A JSON Pointer into `data`, which may have placeholders as names. */
  readonly pointer: string;
  readonly how: 'mapped' | 'recognized';
}

/** A field that was found. */
export interface Field extends FieldSource {
  readonly value: Json;
}

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

/** A response's `data`, the task that it is read for, and where fields are looked for in it. */
export interface ReadData {
  readonly data: Json;
  readonly task: OwnTask | undefined;
  /** The likeliest level first; what several places of a level have is ambiguous. */
  readonly levels: readonly (readonly FieldPlace[])[];
  /** Whether the response lists several tasks, and none of them is known to be ours. */
  readonly listsOnlyOthers: boolean;
}

/** Max members of an object, or elements of a list, that are looked into. */
const MAX_INSIDE = 50;

/**
 * Looks for fields in `data` and in the objects directly inside it, first in what has our ID, and there one object deeper.
 * Of a list, only our element counts, or the only one. What is another task's is left out.
 */
export function readData(data: Json, task: OwnTask | undefined): ReadData {
  const places: FieldPlace[] = [];
  let isOneOfSeveral = false;
  let listsTasks = false;
  if (Array.isArray(data)) visitList([], data, undefined, undefined);
  else if (isJsonObject(data)) visit([], data, undefined, task && whoseByIds(data, task, true), 0);
  const own = places.filter(({ whose }) => whose === 'own');
  const around = isOneOfSeveral ? [] : places.filter(({ whose }) => whose === undefined);
  const listsOnlyOthers = listsTasks && own.length === 0;
  return { data, task, levels: [...byDepth(own), ...byDepth(around)], listsOnlyOthers };

  /** `depth` is 0 for `data`, 1 for the objects in it, and 2 elsewhere: there are no lists of tasks any more. */
  function visit(path: readonly string[], object: JsonObject, owner: string | undefined, whose: Whose, depth: number) {
    const names = firstNames(object);
    places.push({ path, object, names, owner, whose });
    if (depth < 2 && task !== undefined && Object.hasOwn(object, task.id)) {
      const member = object[task.id];
      isOneOfSeveral ||= isJsonObject(member);
      if (isJsonObject(member)) visit([...path, OUR_ELEMENT], member, owner, 'own', 2);
    }
    for (const name of names.slice(0, MAX_INSIDE)) {
      const inner = object[name] ?? null;
      if (depth < 2 && Array.isArray(inner)) visitList([...path, name], inner, name, whose);
      // What is named by our ID is an element of a map.
      if (!isJsonObject(inner) || name === task?.id) continue;
      const whoseInner = (task && whoseMember(name, inner, task)) ?? whose;
      if (depth === 0) visit([...path, name], inner, name, whoseInner, 1);
      else if (depth < 3 && whose === 'own' && whoseInner === 'own') visit([...path, name], inner, name, 'own', 3);
    }
  }

  function visitList(path: readonly string[], list: readonly Json[], owner: string | undefined, around: Whose) {
    listsTasks ||= task !== undefined && areTasks(list, task);
    const found = ourElement(list, task);
    const element = found && list[found.index];
    if (found === undefined || !isJsonObject(element) || (around === 'other' && found.whose !== 'own')) return;
    const isOwn = found.whose === 'own';
    isOneOfSeveral ||= isOwn && list.length > 1;
    visit([...path, isOwn ? OUR_ELEMENT : `${found.index}`], element, owner, found.whose, 2);
  }
}

/** The less deeply nested first, each object once. */
function byDepth(places: readonly FieldPlace[]): FieldPlace[][] {
  const distinct = new Map(places.map((place) => [place.object, place]));
  const levels = Map.groupBy(distinct.values(), ({ path }) => path.length);
  return [...levels].toSorted(([one], [other]) => one - other).map(([, level]) => level);
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

/** Finds a field at the contract's pointer if it has one, otherwise by usual names. */
export function findField(field: ResponseField, read: ReadData, pointer: string | undefined): Field | undefined {
  if (pointer === undefined)
    return firstHit(read.levels, ({ object, names }) => findByName(USUAL_NAMES[field], object, names, canBe[field]));
  const value = readPlace(read.data, pointer, read.task);
  return value === undefined || leafText(value) === undefined ? undefined : { pointer, value, how: 'mapped' };
}

/** The first level's hit. If several places of a level have one, only that of a task counts. */
export function firstHit(
  levels: ReadData['levels'],
  nameIn: (place: FieldPlace) => string | undefined,
): Field | undefined {
  for (const level of levels) {
    const hits = level.flatMap((place) => {
      const name = nameIn(place);
      return name === undefined ? [] : [{ ...place, name }];
    });
    const tasks = hits.filter(({ owner }) => owner !== undefined && isTaskName(owner));
    const [hit, ...others] = hits.length > 1 ? tasks : hits;
    if (hit !== undefined && others.length === 0)
      return { pointer: jsonPointer(...hit.path, hit.name), value: hit.object[hit.name] ?? null, how: 'recognized' };
    if (hits.length > 0) return undefined;
  }
  return undefined;
}

/** What is recognized only by its name must look like the field: `error: false` is no message. */
const canBe: Readonly<Record<ResponseField, (value: Json) => boolean>> = {
  taskId: (value) => typeof value !== 'boolean',
  status: () => true,
  progress: (value) => typeof value !== 'boolean',
  message: (value) => typeof value === 'string',
};
