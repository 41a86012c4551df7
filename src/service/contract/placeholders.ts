import { pointerNames } from '../json/jsonPointer';

/** The list element that contains our task ID, or the map entry whose key is our task ID. */
export const OUR_ELEMENT = '${taskId}';
/** Stands for every element of a list, when there are several task IDs. */
export const EACH_ELEMENT = '${each}';

/** The placeholders in a pointer into query-task's response. */
export const PLACE_PLACEHOLDERS = ['taskId'] as const;
/** The placeholders in a pointer into file-task's response, which is read before we know an ID. */
export const ID_PLACE_PLACEHOLDERS = ['each'] as const;

/** Whether a pointer has only these placeholders. */
export function hasOnlyPlaceholders(known: readonly string[]): (pointer: string) => boolean {
  return (pointer) =>
    pointerNames(pointer).every((name) => {
      const inside = /^\$\{(.*)\}$/s.exec(name)?.[1];
      return inside === undefined || known.includes(inside);
    });
}

/** Whether a name in a pointer is a placeholder. */
export function isPlaceholder(name: string): boolean {
  return name === OUR_ELEMENT || name === EACH_ELEMENT;
}
