/** Tells which characters fit. */
export interface CharTest {
  /** Takes a code unit. */
  readonly fits: (code: number) => boolean;
  /** How many comparisons that may take. */
  readonly steps: number;
}

/** Fits each character. */
export const anyChar: CharTest = { fits: () => true, steps: 1 };

const SLASH = 47;

type Range = readonly [from: number, to: number];

/** What the names of classes stand for in Git, which knows ASCII alone. */
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
 * Reads `[…]` as Git does: what stands between the brackets, of which the closing one may be the first; ranges; `!` or
 * `^` for all but these; names such as `[:digit:]`; `\` before what is to be taken as it is. Never fits a `/`.
 * Undefined where it has no end.
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
    // One the wrong way round is its first character alone.
    ranges.push([from, Math.max(from, to)]);
  }
  const isIn = (code: number) => ranges.some(([from, to]) => from <= code && code <= to);
  const fits = (code: number) => isIn(code) || (ignoreCase && (isIn(upper(code)) || isIn(lower(code))));
  const test = { fits: (code: number) => code !== SLASH && fits(code) !== isNegated, steps: 1 + 3 * ranges.length };
  return { test, end: at + 1 };
}

/** `[:digit:]` and its name, where such a one begins. */
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
