/** Whether a key can be sent: a header can't contain spaces or other characters (INTERFACE.md 5). */
export function isAccessKey(key: string): boolean {
  return /^[!-~]+$/.test(key);
}
