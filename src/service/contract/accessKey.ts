/** What stands in place of an access key wherever one could be seen. */
export const KEY_MASK = '••••••••';

/** An access key fit to be sent, or the reason why a typed one is not; the reason never repeats the key. */
export type CheckedAccessKey = { readonly key: string } | { readonly fault: 'empty' | 'inside' | 'characters' };

/**
 * Checks an access key as it was typed or pasted; it is the value of a header (INTERFACE.md 5). White space around it is
 * dropped; white space inside it, and characters that a header cannot carry, are refused.
 */
export function checkAccessKey(typed: string): CheckedAccessKey {
  const key = typed.trim();
  if (key === '') return { fault: 'empty' };
  if (/\s/.test(key)) return { fault: 'inside' };
  return /^[!-~]+$/.test(key) ? { key } : { fault: 'characters' };
}
