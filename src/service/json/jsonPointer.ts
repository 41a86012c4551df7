/** Whether a text is a JSON Pointer (RFC 6901): empty, or `/` before each token, and `~` only as `~0` or `~1`. */
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
