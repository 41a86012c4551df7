/**
 * Used as a name in a pointer. Stands for the list element that contains our task ID, or the map entry whose key is our task
 * ID.
 */
export const OUR_ELEMENT = '${taskId}';
/** Used as a name in a pointer. Stands for every element of a list, when there are multiple task IDs. */
export const EACH_ELEMENT = '${each}';

/** Whether a name in a pointer is a placeholder. */
export function isPlaceholder(name: string): boolean {
  return name === OUR_ELEMENT || name === EACH_ELEMENT;
}

/**
 * Whether a string is a JSON Pointer (RFC 6901): either empty, or tokens that each begin with `/` and contain `~` only as `~0`
 * or `~1`.
 */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

/** The unescaped names and indexes in a JSON Pointer. */
export function pointerNames(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Builds a JSON Pointer from unescaped names. */
export function jsonPointer(...names: string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
