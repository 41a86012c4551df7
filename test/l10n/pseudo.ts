import type { Texts } from './compareTexts';

/** What must stay as it is: placeholders, icons, targets of links, settings, code. */
const KEPT = /\{\d+\}|\$\([^)]+\)|\]\([^)]+\)|`[^`]*`|#[\w.]+#/;
const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü' };

/** Texts that read like English, with accents and half as long again, to find what is not translated and what is cut. */
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
