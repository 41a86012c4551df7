/** A valid access key, or why the typed key is invalid. The fault never contains the key. */
export type CheckedAccessKey = { readonly key: string } | { readonly fault: 'empty' | 'characters' };

/**
 * Checks an access key that was typed or pasted, and trims it. Spaces inside the key are invalid, and so are characters
 * that a header can't contain (INTERFACE.md 5).
 */
export function checkAccessKey(typed: string): CheckedAccessKey {
  const key = typed.trim();
  if (key === '') return { fault: 'empty' };
  return /^[!-~]+$/.test(key) ? { key } : { fault: 'characters' };
}
