import { pointerNames } from '../json/jsonPointer';

/** The member called our task's id, or the element that carries it. */
export const OUR_ELEMENT = '${taskId}';
/** The last element of a list. */
export const LAST_ELEMENT = '${last}';
/** Every element of a list, or every member of a map: the places of the ids of several tasks. */
export const EACH_ELEMENT = '${each}';

/** What may stand for a name in a pointer to a value of query-task's response, as it is shown. */
export const PLACE_PLACEHOLDERS = ['taskId', 'last'] as const;
/** And of file-task's, which is read before there is an id. */
export const ID_PLACE_PLACEHOLDERS = ['each', ...PLACE_PLACEHOLDERS.filter((name) => name !== 'taskId')] as const;

/** Whether a pointer has no placeholders but these. */
export function hasOnlyPlaceholders(known: readonly string[]): (pointer: string) => boolean {
  return (pointer) =>
    pointerNames(pointer).every((name) => {
      const inside = /^\$\{(.*)\}$/s.exec(name)?.[1];
      return inside === undefined || known.includes(inside);
    });
}

/** Whether a name in a pointer is a placeholder. */
export function isPlaceholder(name: string): boolean {
  return [OUR_ELEMENT, LAST_ELEMENT, EACH_ELEMENT].includes(name);
}

/** Whether a pointer leads through every element of a list, or every member of a map. */
export function hasEach(pointer: string): boolean {
  return pointerNames(pointer).includes(EACH_ELEMENT);
}
