/** White space, control and zero-width characters: no key holds one, and a key that was split may hold many. */
export function isUnseen(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return false;
  if (code <= 0xa0) return true;
  return (
    code === 0xad ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f)
  );
}
