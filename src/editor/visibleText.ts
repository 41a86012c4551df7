/** Text with escapes for what does not show or reorders the line around it; so CRLF, a BOM and the like can be seen. */
export function visibleText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu, (character) =>
    character === '\r' ? '\\r' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
