/** A test for one character. */
export interface CharTest {
  /** Whether a code unit matches. */
  readonly fits: (code: number) => boolean;
  /** Max comparisons that this takes. */
  readonly steps: number;
}

/** Matches any character. */
export const anyChar: CharTest = { fits: () => true, steps: 1 };

const SLASH = 47;

type Range = readonly [from: number, to: number];

/** The character classes of Git, which are ASCII only: pairs of first and last character. */
const classes: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  blank: '  \t\t',
  cntrl: '\x00\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '  \t\n\r\r',
  upper: 'AZ',
  xdigit: '09AFaf',
};

/**
 * Reads a bracket expression as Git does: characters, of which the first may be `]`; ranges; `!` or `^` for negation;
 * classes such as `[:digit:]`; `\` as escape. It never matches `/`. Undefined where it is not closed.
 */
export function readBrackets(
  text: string,
  start: number,
  ignoreCase: boolean,
): { readonly test: CharTest; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = text[at] === '!' || text[at] === '^';
  if (isNegated) at += 1;
  const ranges: Range[] = [];
  for (let isFirst = true; isFirst || text[at] !== ']'; isFirst = false) {
    const [whole, name] = text[at] === '[' ? nameAt(text, at) : [];
    if (whole !== undefined && name !== undefined) {
      if (!Object.hasOwn(classes, name)) return undefined;
      ranges.push(...rangesOf(classes[name] ?? ''));
      at += whole.length;
      continue;
    }
    if (text[at] === '\\') at += 1;
    if (at >= text.length) return undefined;
    const from = text.charCodeAt(at++);
    let to = from;
    if (text[at] === '-' && at + 1 < text.length && text[at + 1] !== ']') {
      at += text[at + 1] === '\\' ? 2 : 1;
      if (at >= text.length) return undefined;
      to = text.charCodeAt(at++);
    }
    // A reversed range stands for its first character.
    ranges.push([from, Math.max(from, to)]);
  }
  const isIn = (code: number) => ranges.some(([from, to]) => from <= code && code <= to);
  const fits = (code: number) => isIn(code) || (ignoreCase && (isIn(upper(code)) || isIn(lower(code))));
  const test = { fits: (code: number) => code !== SLASH && fits(code) !== isNegated, steps: 1 + 3 * ranges.length };
  return { test, end: at + 1 };
}

/** A class such as `[:digit:]` that begins here, and its name. */
function nameAt(text: string, at: number): readonly string[] {
  const named = /\[:([a-z]*):\]/y;
  named.lastIndex = at;
  return named.exec(text) ?? [];
}

function rangesOf(pairs: string): Range[] {
  return Array.from({ length: pairs.length / 2 }, (_, index) => [
    pairs.charCodeAt(2 * index),
    pairs.charCodeAt(2 * index + 1),
  ]);
}

function upper(code: number): number {
  return String.fromCharCode(code).toUpperCase().charCodeAt(0);
}

function lower(code: number): number {
  return String.fromCharCode(code).toLowerCase().charCodeAt(0);
}
