import type { Json } from '../json/json';
import { OUR_ELEMENT } from './placeholders';
import { ourKey } from './readPlace';
import { childSpots, isList, rootSpot, type Spot } from './spots';
import type { OurTask } from './whose';

/** The names that lead to a value, with `${taskId}` in place of the number or name of what is one task of several. */
export function withOurElement(data: Json, names: readonly string[], ours: OurTask | undefined): string[] {
  let spot: Spot | undefined = rootSpot(data, ours);
  return names.map((name) => {
    const saved = spot === undefined ? name : savedName(spot, name, ours);
    spot = spot && childSpots(spot, ours, [name])[0];
    return saved;
  });
}

/** The name or number of something, or `${taskId}` where it is our element of a list or map. */
export function savedName(parent: Spot, name: string, ours: OurTask | undefined): string {
  return ourKey(parent, ours) === name && isElement(parent, name, ours) ? OUR_ELEMENT : name;
}

/** Tells an element of a map from what merely has a name of its own. */
function isElement(parent: Spot, name: string, ours: OurTask | undefined): boolean {
  if (isList(parent.tree) || name === ours?.id || /\d/.test(name)) return true;
  return childSpots(parent, ours).some(({ tellsWhose, whose }) => tellsWhose && whose === 'other');
}
