import { pointerNames } from '../json/jsonPointer';

/** The member named by our task ID, or the list element that contains it. */
export const OUR_ELEMENT = '${taskId}';
/** Every element of a list: where the IDs of several tasks are. */
export const EACH_ELEMENT = '${each}';

/** What can stand for a name in a pointer into query-task's response. */
export const PLACE_PLACEHOLDERS = ['taskId'] as const;
/** And into file-task's response, which is read before there is an ID. */
export const ID_PLACE_PLACEHOLDERS = ['each'] as const;

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
  return name === OUR_ELEMENT || name === EACH_ELEMENT;
}
