import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { pointerNames } from '../json/jsonPointer';
import { EACH_ELEMENT, OUR_ELEMENT } from './placeholders';
import { isOfOtherTask, type OwnTask, ourElement, whoseElement, whoseMember } from './whose';

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
