import type { Texts } from './compareTexts';

/** Placeholders, icons, link targets, settings and code. */
const KEPT = /\{\d+\}|\$\([^)]+\)|\]\([^)]+\)|`[^`]*`|#[\w.]+#/;
const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü' };

/** English texts with accents, and half again as long. They reveal texts that aren't translated or don't fit. */
export function pseudoTexts(english: Texts): Texts {
  return new Map([...english].map(([key, text]) => [key, pseudo(text)]));
}

function pseudo(text: string): string {
  const parts = text.split(new RegExp(`(${KEPT.source})`));
  const words = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replaceAll(/[aeiou]/g, (one) => ACCENTED[one] ?? one),
  );
  return `${words.join('')}${'~'.repeat(Math.ceil(text.length / 2))}`;
}
