import { type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import { readPlace } from './readPlace';
import { childSpots, keysIn, rootSpot, type Spot } from './spots';
import type { OwnTask } from './whose';

/** What of a response's `data` must be kept, so that a pointer leads to the same value in what is left of it. */
export function keptPlaces(data: Json, pointer: string, ownTask: OwnTask | undefined): (readonly string[])[] {
  const names = namesTo(data, pointerNames(pointer), ownTask);
  return ownTask === undefined ? [names] : [names, ...ownIds(rootSpot(data, ownTask), names, ownTask)];
}

/** The names that lead to a value, or to the nearest thing around a missing one, which must be seen to lack it. */
function namesTo(data: Json, names: readonly string[], ownTask: OwnTask | undefined): readonly string[] {
  const placed = readPlace(data, jsonPointer(...names), ownTask);
  if (placed !== undefined || names.length === 0) return placed?.names ?? [];
  return namesTo(data, names.slice(0, -1), ownTask);
}

/** Where our id is in the elements on the way: what shows that they are ours. */
function ownIds(root: Spot, names: readonly string[], ownTask: OwnTask): string[][] {
  const found: string[][] = [];
  let spot: Spot | undefined = root;
  for (const name of names) {
    spot = childSpots(spot, ownTask, [name])[0];
    if (spot === undefined) break;
    if (!spot.hasOwner || spot.whose !== 'own') continue;
    const inner = [spot, ...childSpots(spot, ownTask)];
    found.push(
      ...inner.flatMap((each) =>
        keysIn(each)
          .filter(isOwnId(each))
          .map((key) => [...each.names, key]),
      ),
    );
  }
  return found;

  function isOwnId({ tree }: Spot) {
    return (key: string) => leafText((tree as JsonObject)[key]) === ownTask.id;
  }
}
