import { EACH_ELEMENT, isPlaceholder, OUR_ELEMENT } from '../contract/placeholders';
import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { pointerNames } from '../json/jsonPointer';
import { type TaskId, taskIdText } from '../json/taskId';
import { firstNames, isTaskName, plainName, USUAL_NAMES } from './usualNames';

/** The task that a response is read for. */
export interface OwnTask {
  /** Its ID as text: a service may write a number as a string, and the other way round. */
  readonly id: string;
  /** The names that only a task ID has: usual ones, the chosen one, and those under which we ask for the task. */
  readonly idNames: ReadonlySet<string>;
  /** The names under which we ask for the task. */
  readonly queryNames: readonly string[];
}

/** The task with this ID, which was read at the contract's `pointer`, if any; `query` is the contract's body of the query. */
export function toOwnTask(taskId: TaskId, pointer: string | undefined, query: Json = { taskId: '${taskId}' }): OwnTask {
  const chosen = pointerNames(pointer ?? '').findLast((each) => !isPlaceholder(each) && !/^\d*$/.test(each));
  const queryNames = namesOfId(query, '');
  const ownNames = [...queryNames, ...(chosen === undefined ? [] : [plainName(chosen)])].filter(
    (name) => name !== 'id',
  );
  return { id: taskIdText(taskId), idNames: new Set([...USUAL_NAMES.taskId, ...ownNames]), queryNames };
}

function namesOfId(query: Json, owner: string): string[] {
  if (typeof query === 'string') return query.includes('${taskId') ? [plainName(owner)] : [];
  if (Array.isArray(query)) return query.flatMap((item: Json) => namesOfId(item, owner));
  return isJsonObject(query) ? Object.entries(query).flatMap(([name, item]) => namesOfId(item, name)) : [];
}

/** Whose an object is: our task's, another task's, or undefined if nothing shows it. */
export type Whose = 'own' | 'other' | undefined;

/** Whose an object is by its own IDs. `isTask`: whether a bare `id` in it is certainly that of a task. */
export function whoseByIds(object: JsonObject, { id, idNames }: OwnTask, isTask: boolean): Whose {
  const certain: string[] = [];
  let bare = '';
  for (const name of firstNames(object)) {
    const plain = plainName(name);
    if (plain !== 'id' && !idNames.has(plain)) continue;
    const text = leafText(object[name]) ?? '';
    if (plain === 'id') bare = text;
    else if (text !== '') certain.push(text);
  }
  if (certain.length > 0) return certain.includes(id) ? 'own' : 'other';
  if (bare === id) return isTask || !isShortNumber(id) ? 'own' : undefined;
  return isTask && isAlike(bare, id) ? 'other' : undefined;
}

/** Whose a member with this name is. The elements of a map are named by their IDs. */
export function whoseMember(name: string, object: JsonObject, task: OwnTask): Whose {
  return whoseByIds(object, task, isTaskName(name) || leafText(object['id']) === name);
}

/** Whose the response as a whole is. Unlike {@link whoseByIds}, an ID of another kind than ours doesn't make it another's. */
export function isOfOtherTask(data: Json, task: OwnTask): boolean {
  if (!isJsonObject(data) || whoseByIds(data, task, true) !== 'other') return false;
  return firstNames(data).some((name) => {
    const plain = plainName(name);
    if (plain !== 'id' && !task.idNames.has(plain)) return false;
    return task.queryNames.includes(plain) || isAlike(leafText(data[name]) ?? '', task.id);
  });
}

/** Max elements of a list that are looked at. */
const MAX_ELEMENTS = 10_000;

/** The element of a list that is our task's, or may be because it is the only one. */
export function ourElement(
  list: readonly Json[],
  task: OwnTask | undefined,
): { readonly index: number; readonly whose: Whose } | undefined {
  if (task !== undefined) {
    const found: number[] = [];
    const length = Math.min(list.length, MAX_ELEMENTS);
    for (let index = 0; index < length; index++) if (mentions(list[index] ?? null, task.id, 1)) found.push(index);
    const owners = found.map((index) => ({ index, whose: whoseElement(list[index] ?? null, task) }));
    const named = owners.filter(({ whose }) => whose === 'own');
    // A service may have a name of its own for the ID; a short number could be anything.
    const unnamed = isShortNumber(task.id) ? [] : owners.filter(({ whose }) => whose === undefined);
    const [ours, ...more] = named.length > 0 ? named : unnamed;
    if (ours !== undefined) return more.length > 0 ? undefined : { index: ours.index, whose: 'own' };
  }
  const [single = null] = list;
  const isOther = task !== undefined && whoseElement(single, task) === 'other';
  return list.length === 1 && isJsonObject(single) && !isOther ? { index: 0, whose: undefined } : undefined;
}

/** Whether an object has this ID in it, or in one of the objects directly inside. Names of other tasks don't count. */
function mentions(value: Json, id: string, depth: number): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'string' ? member === id : leafText(member) === id) {
      if (!/^(?:prev|next|parent|root|after|before|depend|replace|retry|origin|source)/i.test(name)) return true;
    } else if (depth > 0 && typeof member === 'object' && member !== null && mentions(member, id, depth - 1))
      return true;
  }
  return false;
}

/** Whose an element of a list is, by its own IDs or those in an object inside it. */
export function whoseElement(element: Json, task: OwnTask): Whose {
  if (!isJsonObject(element)) return undefined;
  const itself = whoseByIds(element, task, true);
  if (itself !== undefined) return itself;
  const inside = firstNames(element).map((name) => {
    const inner = element[name];
    return isJsonObject(inner) ? whoseByIds(inner, task, isTaskName(name)) : undefined;
  });
  return inside.find((whose) => whose === 'other') ?? inside.find((whose) => whose === 'own');
}

/** A short number may be the ID of anything, or a count. */
function isShortNumber(id: string): boolean {
  return /^\d{1,6}$/.test(id);
}

/** Whether two IDs look alike, such as `t-1` and `t-22` or two UUIDs, so that both are likely to be those of tasks. */
export function isAlike(one: string, other: string): boolean {
  if (!/\d/.test(one)) return false;
  const pattern = (text: string) => text.toLowerCase().replace(/\d+/g, '0');
  if (pattern(one) === pattern(other)) return true;
  // Random letters and digits have one length. `f-1` isn't written as `t-2` is; `step2` is a name.
  if (one.length !== other.length || [one, other].every((text) => /^[a-z]+[^a-z\d]?\d+$/i.test(text))) return false;
  const signs = (text: string) => text.replace(/[a-z\d]/gi, 'x');
  const isRandom = (text: string) => /\d/.test(text) && !/^[a-z]+\d{1,2}$/i.test(text);
  return signs(one) === signs(other) && isRandom(one) && isRandom(other);
}

/**
 * The value that a JSON Pointer (RFC 6901) names in a response's `data`. In it, `${taskId}` is the member named by our ID or
 * the element that contains it. Undefined if there is none, or if it is another task's.
 */
export function readPlace(data: Json, pointer: string, task: OwnTask | undefined): Json | undefined {
  let value: Json | undefined = data;
  let isOther = task !== undefined && isOfOtherTask(data, task);
  for (const name of pointerNames(pointer)) {
    const key: string | undefined = name === OUR_ELEMENT ? ownKey(value, task) : name;
    const parent: Json = value;
    value = key === undefined ? undefined : memberOf(parent, key);
    if (key === undefined || value === undefined) return undefined;
    const whose = task && whoseIn(parent, key, value, task);
    if (whose !== undefined) isOther = whose === 'other';
  }
  return isOther ? undefined : value;
}

function whoseIn(parent: Json, key: string, value: Json, task: OwnTask) {
  if (Array.isArray(parent)) return whoseElement(value, task);
  if (key === task.id) return 'own';
  return isJsonObject(value) ? whoseMember(key, value, task) : undefined;
}

function memberOf(value: Json, key: string): Json | undefined {
  if (Array.isArray(value) ? !/^(?:0|[1-9]\d*)$/.test(key) : !isJsonObject(value)) return undefined;
  return Object.hasOwn(value as JsonObject, key) ? (value as JsonObject)[key] : undefined;
}

/** The name or number of what is our task's in an object or list. */
export function ownKey(value: Json, task: OwnTask | undefined): string | undefined {
  if (Array.isArray(value)) return ourElement(value, task)?.index.toString();
  if (!isJsonObject(value) || task === undefined) return undefined;
  if (Object.hasOwn(value, task.id)) return task.id;
  const found = ourElement(Object.values(value), task);
  return found?.whose === 'own' ? Object.keys(value)[found.index] : undefined;
}

/** Max values that a pointer with `${each}` leads to. */
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
