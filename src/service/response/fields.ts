import { OUR_ELEMENT } from '../contract/placeholders';
import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import { taskIdOf } from '../json/taskId';
import { dataPlace, type OwnTask, type Place, placesIn, readPlace } from './ownTask';
import { firstNames, plainName, type ResponseField, USUAL_NAMES } from './usualNames';

export type { ResponseField } from './usualNames';

/** Where in `data` a field comes from, and whether the user said so. */
export interface FieldSource {
  /** A JSON Pointer into `data`, which may have placeholders as names. */
  readonly pointer: string;
  readonly how: 'mapped' | 'recognized';
}

/** A field that was found. */
export interface Field {
  readonly value: Json;
  readonly from: FieldSource;
}

/** A response's `data`, the task that it is read for, and the objects in which fields are looked for by usual names. */
export interface ReadData {
  readonly data: Json;
  readonly task: OwnTask | undefined;
  /** The likeliest first. */
  readonly levels: readonly (readonly Place[])[];
  /** Whether the response lists several tasks, and none of them is known to be ours. */
  readonly listsOnlyOthers: boolean;
}

/** Finds `data` and the objects directly inside it, but first what has our ID. What is another task's is left out. */
export function readData(data: Json, task: OwnTask | undefined): ReadData {
  const own: Place[] = [];
  const around: Place[] = [];
  let listsTasks = false;
  visit(dataPlace(data, task), 1);
  const isOneOfSeveral = own.some(({ path }) => path.includes(OUR_ELEMENT));
  const levels = [...byDepth(own), ...(isOneOfSeveral ? [] : byDepth(around))];
  return { data, task, levels, listsOnlyOthers: listsTasks && own.length === 0 };

  /** `deeper` is how many objects deeper fields count; our task's begin to count where its ID is. */
  function visit(place: Place, deeper: number) {
    const { value, whose } = place;
    // A list of our task may still be one object deeper than fields are.
    if (deeper < -1) return;
    const inside = placesIn(place, task);
    const isList = Array.isArray(value);
    if (isList && inside.length > 1) {
      listsTasks ||= task !== undefined && inside.some(isTask);
      return;
    }
    if (isJsonObject(value) && whose !== 'other' && deeper >= 0) (whose === 'own' ? own : around).push(place);
    for (const each of inside) visit(each, each.whose === 'own' && whose !== 'own' ? 1 : isList ? deeper : deeper - 1);
  }
}

function byDepth(places: readonly Place[]): Place[][] {
  const levels = Map.groupBy(places, ({ path }) => path.length);
  return [...levels].toSorted(([one], [other]) => one - other).map(([, level]) => level);
}

function isTask({ value, whose }: Place): boolean {
  return isJsonObject(value) && (whose === 'other' || usualName('status', value) !== undefined);
}

/** Finds a field at the contract's pointer if it has one, otherwise by usual names, unless several objects have it. */
export function findField(field: ResponseField, read: ReadData, pointer: string | undefined): Field | undefined {
  if (pointer !== undefined) {
    const value = readPlace(read.data, pointer, read.task);
    return value === undefined || leafText(value) === undefined
      ? undefined
      : { value, from: { pointer, how: 'mapped' } };
  }
  for (const level of read.levels) {
    const hits = level.flatMap(({ path, value }): Field[] => {
      const name = usualName(field, value as JsonObject);
      if (name === undefined) return [];
      const from: FieldSource = { pointer: jsonPointer(...path, name), how: 'recognized' };
      return [{ value: (value as JsonObject)[name] ?? null, from }];
    });
    if (hits.length > 0) return hits.length === 1 ? hits[0] : undefined;
  }
  return undefined;
}

/** The likeliest usual name under which an object has a value that can be the field. */
export function usualName(field: ResponseField, object: JsonObject): string | undefined {
  const names = firstNames(object).filter((name) => USUAL_NAMES[field].includes(plainName(name)));
  const rank = (name: string) => USUAL_NAMES[field].indexOf(plainName(name));
  const fitting = names.filter((name) => (leafText(object[name]) ?? '') !== '' && canBe[field](object[name] ?? null));
  return fitting.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** What is recognized only by its name must look like the field: `error: false` is no message. */
const canBe: Readonly<Record<ResponseField, (value: Json) => boolean>> = {
  taskId: (value) => taskIdOf(value) !== undefined,
  status: () => true,
  progress: (value) => progressFraction(value) !== undefined,
  message: (value) => typeof value === 'string',
};

/** From 0 to 1. A whole number is one of percent, 1.0 is all; a bare 1 could be either, so it is neither. */
export function progressFraction(value: Json): number | undefined {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(leafText(value)?.trim() ?? '') ?? [];
  if (digits === '' || (percent === '' && digits === '1')) return undefined;
  const number = Number(digits);
  const fraction = percent === '' && digits.includes('.') && number <= 1 ? number : number / 100;
  return fraction <= 1 ? fraction : undefined;
}
