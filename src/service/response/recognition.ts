import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, valueAt } from '../json/jsonPointer';

/** The fields looked for in the `data` of a response. */
export type ResponseField = 'taskId' | 'status' | 'progress' | 'message';

/** Where in `data` a field comes from, and whether a person said so. */
export interface FieldSource {
  /** A JSON Pointer into `data`. */
  readonly pointer: string;
  readonly how: 'mapped' | 'recognized';
}

/** A field that was found. */
export interface Found extends FieldSource {
  readonly value: Json;
}

/** Usual names, likely ones first, written without case, `_` and `-`. */
export const USUAL_NAMES: Readonly<Record<ResponseField, readonly string[]>> = {
  taskId: [
    'taskid',
    'importtaskid',
    'filetaskid',
    'jobid',
    'importid',
    'taskno',
    'jobno',
    'importno',
    'taskcode',
    'id',
  ],
  status: ['status', 'taskstatus', 'importstatus', 'jobstatus', 'state', 'taskstate', 'stage', 'phase'],
  progress: ['progress', 'percent', 'percentage', 'progresspercent', 'taskprogress', 'rate'],
  message: ['message', 'msg', 'errormessage', 'errormsg', 'error', 'reason', 'detail', 'remark'],
};

/**
 * Finds a field in a response's `data`: at the pointer where the contract has one, else by usual names in the places of
 * `placesIn`, the first place first, and in it the likeliest name first.
 */
export function findField(field: ResponseField, data: Json, pointer: string | undefined): Found | undefined {
  if (pointer !== undefined) {
    const value = valueAt(data, pointer);
    return value === undefined || leafText(value) === undefined ? undefined : { pointer, value, how: 'mapped' };
  }
  for (const { names, object } of placesIn(data)) {
    const name = findByName(usualNamesIn(field, names), object, canBe[field]);
    if (name !== undefined)
      return { pointer: jsonPointer(...names, name), value: object[name] ?? null, how: 'recognized' };
  }
  return undefined;
}

/** An object inside `data`, and the names that lead there. */
export interface Place {
  readonly names: readonly string[];
  readonly object: JsonObject;
}

/**
 * Where fields are looked for: in `data`, or its first element where it is a list; then in the objects directly inside
 * that, and in the first elements of the lists directly inside it.
 */
export function* placesIn(data: Json): Generator<Place> {
  const root = placeAt([], data);
  if (root === undefined) return;
  yield root;
  for (const name of firstNames(root.object)) {
    const inner = placeAt([...root.names, name], root.object[name] ?? null);
    if (inner !== undefined) yield inner;
  }
}

/** Max members of an object that are looked at, and max length of their names. */
const MAX_MEMBERS = 1000;
const MAX_NAME_LENGTH = 200;

/** Cached, as each field is looked for in the same objects. */
const namesOf = new WeakMap<JsonObject, readonly string[]>();

/** The names that are looked at: looking at all of a huge response would block the event loop. */
function firstNames(object: JsonObject): readonly string[] {
  const known = namesOf.get(object);
  if (known !== undefined) return known;
  const first = Object.keys(object).slice(0, MAX_MEMBERS);
  const names = first.filter((name) => name.length <= MAX_NAME_LENGTH);
  namesOf.set(object, names);
  return names;
}

function placeAt(names: readonly string[], value: Json): Place | undefined {
  if (isJsonObject(value)) return { names, object: value };
  const first: Json | undefined = Array.isArray(value) ? value[0] : undefined;
  return isJsonObject(first) ? { names: [...names, '0'], object: first } : undefined;
}

/** A bare `id` one level down counts only inside a task, job or import: another object's id is not the task's. */
function usualNamesIn(field: ResponseField, names: readonly string[]): readonly string[] {
  const owner = names.findLast((name) => name !== '0');
  const isOfAnother = field === 'taskId' && owner !== undefined && !/task|job|import/i.test(owner);
  return isOfAnother ? USUAL_NAMES[field].filter((name) => name !== 'id') : USUAL_NAMES[field];
}

/** What is recognized as a field only by its name must look like one: `error: false` is no message. */
const canBe: Readonly<Record<ResponseField, (value: Json) => boolean>> = {
  taskId: (value) => typeof value !== 'boolean',
  status: () => true,
  progress: (value) => typeof value !== 'boolean',
  message: (value) => typeof value === 'string',
};

/**
 * The first of these names, likely ones first, that an object has with a fitting value in it, whatever the case, `_`
 * and `-`.
 */
export function findByName(
  usual: readonly string[],
  object: JsonObject,
  fits: (value: Json) => boolean = () => true,
): string | undefined {
  const leaves = firstNames(object).filter(
    (name) => (leafText(object[name]) ?? '') !== '' && fits(object[name] ?? null),
  );
  for (const wanted of usual) {
    const found = leaves.find((name) => name.toLowerCase().replace(/[\s_-]/g, '') === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
