import { isJsonObject, type Json, leafText } from '../json/json';
import { firstNames } from './usualNames';
import { isDistinct, type OwnTask } from './whose';

/**
 * The name under which the elements of a list have their ids, whatever it is: all of them have a value under it, no two
 * the same one, and one of them is our id. Undefined where there is none, or where several names point at different ones.
 */
export function idColumn(elements: readonly Json[], ownTask: OwnTask): string | undefined {
  const objects = elements.filter(isJsonObject);
  if (objects.length < elements.length || !isDistinct(ownTask)) return undefined;
  const named = objects.flatMap((object, at) =>
    firstNames(object).flatMap((name) =>
      leafText(object[name]) === ownTask.id && !isReference(name) ? [{ name, at }] : [],
    ),
  );
  const columns = named.filter(({ name }) => {
    const texts = objects.map((object) => (Object.hasOwn(object, name) ? (leafText(object[name]) ?? '') : ''));
    return !texts.includes('') && new Set(texts).size === texts.length;
  });
  return new Set(columns.map(({ at }) => at)).size === 1 ? columns[0]?.name : undefined;
}

/** Whether what has this name is the id of another element: that before it, or the one that it is a part of. */
function isReference(name: string): boolean {
  return /^(?:prev|next|parent|root|after|before|depend|replace|retry|origin|source)/i.test(name);
}
