import type { Json } from '../json/json';
import { OUR_ELEMENT } from './placeholders';
import { ownKey } from './readPlace';
import { childSpots, isList, rootSpot, type Spot } from './spots';
import type { OwnTask } from './whose';

/** The names that lead to a value, with `${taskId}` in place of the number or name of what is one task of several. */
export function withOwnElement(data: Json, names: readonly string[], ownTask: OwnTask | undefined): string[] {
  let spot: Spot | undefined = rootSpot(data, ownTask);
  return names.map((name) => {
    const saved = spot === undefined ? name : savedName(spot, name, ownTask);
    spot = spot && childSpots(spot, ownTask, [name])[0];
    return saved;
  });
}

/** The name or number of something, or `${taskId}` where it is our element of a list or map. */
export function savedName(parent: Spot, name: string, ownTask: OwnTask | undefined): string {
  return ownKey(parent, ownTask) === name && isElement(parent, name, ownTask) ? OUR_ELEMENT : name;
}

/** Tells an element of a map from what merely has a name of its own. */
function isElement(parent: Spot, name: string, ownTask: OwnTask | undefined): boolean {
  if (isList(parent.tree) || name === ownTask?.id || /\d/.test(name)) return true;
  return childSpots(parent, ownTask).some(({ hasOwner, whose }) => hasOwner && whose === 'other');
}
