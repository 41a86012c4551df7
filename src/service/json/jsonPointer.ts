/** Tells whether a text is a JSON Pointer (RFC 6901): empty, or `/` before each token, `~` only as `~0` or `~1`. */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

/** The names and numbers that a JSON Pointer (RFC 6901) is made of. */
export function pointerNames(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON Pointer (RFC 6901) made of these names, escaped as it must be. */
export function jsonPointer(...names: string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
