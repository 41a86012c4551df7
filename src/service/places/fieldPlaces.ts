import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { childSpots, isList, keysIn, ownSpots, rootSpot, type Spot } from './spots';
import { CERTAIN_ID_NAMES, isTaskName, TASK_ID_NAMES } from './usualNames';
import type { OwnTask } from './whose';

/** An object in which fields are looked for by usual names. */
export interface FieldPlace {
  readonly names: readonly string[];
  readonly object: JsonObject;
  /** The nearest name; undefined for `data` itself. */
  readonly owner: string | undefined;
}

/** Places of equal rank. What several of them have is in none of them for certain. */
export type PlacesOfRank = readonly FieldPlace[];

/** Where fields are looked for, the likeliest level first. */
export interface RankedPlaces {
  /** What is known to be our task's. */
  readonly own: readonly PlacesOfRank[];
  /** What is not known to be anybody's. */
  readonly around: readonly PlacesOfRank[];
}

/** Cached, as each field is looked for in the same response. */
const known = new WeakMap<object, { readonly ownTask: OwnTask | undefined; readonly levels: RankedPlaces }>();

/**
 * Where fields are looked for in a response's `data`: in what carries our id, however deep, and in the objects directly
 * inside that; then in `data` and the objects directly inside it, unless ours is one of several there. Of a list, only
 * our element is a place, or the only one there is. What is another task's is no place.
 */
export function rankedPlaces(data: Json, ownTask: OwnTask | undefined): RankedPlaces {
  if (typeof data !== 'object' || data === null) return placesIn(data, ownTask);
  const cached = known.get(data);
  if (cached !== undefined && cached.ownTask === ownTask) return cached.levels;
  const levels = placesIn(data, ownTask);
  known.set(data, { ownTask, levels });
  return levels;
}

function placesIn(data: Json, ownTask: OwnTask | undefined): RankedPlaces {
  const root = rootSpot(data, ownTask);
  const inside = (spot: Spot) => childSpots(spot, ownTask).flatMap((child) => onlyObject(child, ownTask));
  const carriers = ownTask === undefined ? [] : ownSpots(root, ownTask);
  const own = [...Map.groupBy(carriers, ({ names }) => names.length).values()].flatMap((spots) => {
    const objects = spots.flatMap((spot) => onlyObject(spot, ownTask));
    return [objects, objects.flatMap(inside)].map((level) => level.filter(({ whose }) => whose === 'own').map(placeAt));
  });
  if (carriers.some((spot) => isOneOfSeveral(spot, ownTask))) return { own, around: [] };
  const outer = onlyObject(root, ownTask);
  const around = [outer, outer.flatMap(inside)].map((spots) =>
    spots.filter(({ whose }) => whose === undefined).map(placeAt),
  );
  return { own, around };
}

/** A spot that is an object, or the only element of a list, which is one. */
function onlyObject(spot: Spot, ownTask: OwnTask | undefined): Spot[] {
  if (isJsonObject(spot.tree) && !isList(spot.tree)) return [spot];
  const isSingle = Array.isArray(spot.tree) && spot.tree.length === 1;
  return isSingle ? childSpots(spot, ownTask).filter(({ tree }) => isJsonObject(tree)) : [];
}

function placeAt({ names, tree, owner }: Spot): FieldPlace {
  return { names, object: tree as JsonObject, owner };
}

/** Whether a list has more elements beside this one, or could have, as it is called by our id. */
function isOneOfSeveral({ names, parent }: Spot, ownTask: OwnTask | undefined): boolean {
  if (names.at(-1) === ownTask?.id) return true;
  return parent !== undefined && isList(parent.tree) && keysIn(parent).length > 1;
}

/** A bare `id` one level down counts only inside a task, job or import: another object's id is not the task's. */
export function idNamesIn(owner: string | undefined): readonly string[] {
  return owner === undefined || isTaskName(owner) ? TASK_ID_NAMES : CERTAIN_ID_NAMES;
}
