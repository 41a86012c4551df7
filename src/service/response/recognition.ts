import { type Json, leafText } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import type { FieldPlace, FieldPlaces } from '../places/fieldPlaces';
import { readPlace } from '../places/readPlace';
import { findByName, isTaskName, type ResponseField, USUAL_NAMES } from '../places/usualNames';
import type { OwnTask } from '../places/whose';

export type { ResponseField } from '../places/usualNames';

/** Where in `data` a field comes from, and whether a person said so. */
export interface FieldSource {
  /** A JSON Pointer into `data`, which may have placeholders as names. */
  readonly pointer: string;
  readonly how: 'mapped' | 'recognized';
}

/** A field that was found. */
export interface Found extends FieldSource {
  readonly value: Json;
}

/** A response's `data`, the task that it is read for, and where fields are looked for in it. */
export interface ReadData {
  readonly data: Json;
  readonly task: OwnTask | undefined;
  readonly places: FieldPlaces;
}

/** Finds a field at the contract's pointer if it has one, otherwise by usual names. */
export function findField(field: ResponseField, read: ReadData, pointer: string | undefined): Found | undefined {
  if (pointer !== undefined) {
    const value = readPlace(read.data, pointer, read.task);
    return value === undefined || leafText(value) === undefined ? undefined : { pointer, value, how: 'mapped' };
  }
  return firstHit(read.places.levels, ({ object, names }) =>
    findByName(USUAL_NAMES[field], object, names, canBe[field]),
  );
}

/** The first level's hit. If several places of a level have one, only that of a task counts. */
export function firstHit(
  levels: FieldPlaces['levels'],
  nameIn: (place: FieldPlace) => string | undefined,
): Found | undefined {
  for (const level of levels) {
    const hits = level.flatMap((place) => {
      const name = nameIn(place);
      return name === undefined ? [] : [{ place, name }];
    });
    if (hits.length === 0) continue;
    const tasks = hits.filter(({ place: { owner } }) => owner !== undefined && isTaskName(owner));
    const [hit, ...others] = hits.length === 1 ? hits : tasks;
    if (hit === undefined || others.length > 0) return undefined;
    const { path, object } = hit.place;
    return { pointer: jsonPointer(...path, hit.name), value: object[hit.name] ?? null, how: 'recognized' };
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
