import { type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import { readPlace } from './readPlace';
import { childSpots, keysIn, rootSpot, type Spot } from './spots';
import type { OurTask } from './whose';

/** What of a response's `data` must be kept, so that a pointer leads to the same value in what is left of it. */
export function keptPlaces(data: Json, pointer: string, ours: OurTask | undefined): (readonly string[])[] {
  const names = namesTo(data, pointerNames(pointer), ours);
  return ours === undefined ? [names] : [names, ...ownIds(rootSpot(data, ours), names, ours)];
}

/** The names that lead to a value, or to the nearest thing around a missing one, which must be seen to lack it. */
function namesTo(data: Json, names: readonly string[], ours: OurTask | undefined): readonly string[] {
  const placed = readPlace(data, jsonPointer(...names), ours);
  if (placed !== undefined || names.length === 0) return placed?.names ?? [];
  return namesTo(data, names.slice(0, -1), ours);
}

/** Where our id is in the elements on the way: what tells that they are ours. */
function ownIds(root: Spot, names: readonly string[], ours: OurTask): string[][] {
  const found: string[][] = [];
  let spot: Spot | undefined = root;
  for (const name of names) {
    spot = childSpots(spot, ours, [name])[0];
    if (spot === undefined) break;
    if (!spot.tellsWhose || spot.whose !== 'ours') continue;
    const inner = [spot, ...childSpots(spot, ours)];
    found.push(
      ...inner.flatMap((each) =>
        keysIn(each)
          .filter(isOurId(each))
          .map((key) => [...each.names, key]),
      ),
    );
  }
  return found;

  function isOurId({ tree }: Spot) {
    return (key: string) => leafText((tree as JsonObject)[key]) === ours.id;
  }
}
