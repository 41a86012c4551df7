import { visibleText } from '../platform/outsideText';

/** A piece of HTML in which all text from outside is escaped. Only {@link html} makes one. */
export class Html {
  constructor(readonly text: string) {}
}

/** What stands in a piece of HTML: text, which is escaped, or other pieces. */
type Part = string | number | Html | readonly Html[];

/** Makes a piece of HTML; to be used as a template's tag, also for the values of attributes, in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + textOf(parts[index] ?? '')).join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return visibleText(String(part)).replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
