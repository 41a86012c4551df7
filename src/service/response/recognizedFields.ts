import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, OUR_ELEMENT } from '../json/jsonPointer';
import { taskIdOf } from '../json/taskId';
import { type Field, fieldsIn, type OwnTask, rootField } from './field';
import { type FieldName, firstNames, plainName, statusMeaning, USUAL_NAMES } from './usualNames';

/** The objects in which to look for fields by their common names. They are grouped by depth, with the likeliest depth first. */
export type Searched = readonly (readonly Field[])[];

type Meanings = Parameters<typeof statusMeaning>[1];

/** Collects `data` and the objects directly inside it. Objects with our ID come first; other tasks' objects are omitted. */
export function searched(data: Json, task: OwnTask | undefined): Searched {
  const own: Field[] = [];
  const around: Field[] = [];
  visit(rootField(data, task), 1);
  const isOneOfSeveral = own.some(({ pointer }) => pointer.includes(`/${OUR_ELEMENT}`));
  return [...byDepth(own), ...(isOneOfSeveral ? [] : byDepth(around))];

  /** `deeper` is how many more levels to descend. The count starts over at the object with our ID. */
  function visit(field: Field, deeper: number) {
    const { value, whose } = field;
    // Search one more level, because it may contain a list with our task.
    if (deeper < -1) return;
    const inside = fieldsIn(field, task);
    const isList = Array.isArray(value);
    if (isList && inside.length > 1) return;
    if (isJsonObject(value) && whose !== 'other' && deeper >= 0) (whose === 'own' ? own : around).push(field);
    for (const each of inside) visit(each, each.whose === 'own' && whose !== 'own' ? 1 : isList ? deeper : deeper - 1);
  }
}

function byDepth(fields: readonly Field[]): Field[][] {
  const levels = Map.groupBy(fields, ({ pointer }) => pointer.split('/').length);
  return [...levels].toSorted(([one], [other]) => one - other).map(([, level]) => level);
}

/** Finds a field by its common names. Returns undefined if multiple objects have it, or if statuses disagree. */
export function recognizedField(name: FieldName, levels: Searched, meanings: Meanings = {}): Field | undefined {
  const found = levels.map((level) => level.map((object) => usualFields(name, object)).filter(([first]) => first));
  const [[first] = [], ...more] = found.find(([fields]) => fields) ?? [];
  if (more.length > 0) return undefined;
  if (first === undefined || name !== 'status') return first;
  const names = OF_QUERY.test(leafText(first.value) ?? '') ? OF_TASK : OF_RESULT;
  // A status around the object with our ID may be about a batch.
  const isOfTask = ({ whose, pointer }: Field) => whose === first.whose && names.test(pointer);
  const others = found.flatMap((level) => level.flatMap((one) => (one[0] === first ? one : one.filter(isOfTask))));
  return others.some((other) => isContradicted(first, other, meanings)) ? undefined : first;
}

/** A status that may be about the query. */
const OF_QUERY = /^(?:success|ok|成功)$/i;

/** A field in an object, or a list of objects, that is named like a task or its result. */
const OF_TASK =
  /\/(?!parent|prev|next|last)(?:[^/]*(?:task|job|import)[^/]*|data|results?|details?|response|output|payload|info|items?|records?|list)(?:\/(?:\d+|\$\{taskId\}))*\/[^/]*$/i;

/** A field in the result of a task. A task that has finished may have a result that says it failed. */
const OF_RESULT = /\/(?:result|output)\/[^/]*$/i;

function usualFields(name: FieldName, { pointer, value, whose }: Field): Field[] {
  const object = value as JsonObject;
  const at = (member: string) => ({ pointer: pointer + jsonPointer(member), value: object[member] ?? null, whose });
  return usualMembers(name, object).map(at);
}

/** Whether another status shows that the task hasn't succeeded. The first status may be about the query. */
function isContradicted(status: Field, other: Field, meanings: Meanings): boolean {
  const [meaning, otherMeaning] = [status, other].map(({ value }) => statusMeaning(leafText(value) ?? '', meanings));
  return meaning === 'succeeded' && (otherMeaning === 'running' || otherMeaning === 'failed');
}

/** Returns the names of the members that have one of a field's common names and a suitable value, likeliest first. */
export function usualMembers(name: FieldName, object: JsonObject): string[] {
  const rank = (member: string) => USUAL_NAMES[name].indexOf(plainName(member));
  const members = firstNames(object).filter((member) => {
    const value = object[member] ?? null;
    return rank(member) >= 0 && (leafText(value) ?? '') !== '' && fits[name](value);
  });
  return members.toSorted((one, other) => rank(one) - rank(other));
}

/** `error: false`, for example, is not a message. */
const fits: Readonly<Record<FieldName, (value: Json) => boolean>> = {
  taskId: (value) => taskIdOf(value) !== undefined,
  status: () => true,
  progress: (value) => progressFraction(value) !== undefined,
  message: (value) => typeof value === 'string',
};

/**
 * Converts a progress value to a number from 0 to 1. A whole number is a percentage, and 1.0 means 100%. Returns
 * undefined for a bare 1, which could mean 1% or 100%.
 */
export function progressFraction(value: Json): number | undefined {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(leafText(value)?.trim() ?? '') ?? [];
  if (digits === '' || (percent === '' && digits === '1')) return undefined;
  const number = Number(digits);
  const fraction = percent === '' && digits.includes('.') && number <= 1 ? number : number / 100;
  return fraction <= 1 ? fraction : undefined;
}
