/** As much of what a service says stands in a row or a message; its whole response can be opened. */
export const SHOWN_CHARACTERS = 300;

/** A text of the service for people, with an ellipsis where it was cut. */
export function shortText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  // A character of two code units is not cut in half.
  return `${text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}
