/**
 * Checks an access key that was typed or pasted. Ignores spaces around the key. Spaces inside it are invalid, and so are
 * characters that a header can't contain (INTERFACE.md 5).
 */
export function accessKeyFault(typed: string): 'empty' | 'characters' | undefined {
  const key = typed.trim();
  if (key === '') return 'empty';
  return /^[!-~]+$/.test(key) ? undefined : 'characters';
}
