import { anyChar, type CharTest, readBrackets } from './charTests';
import type { MatchBudget } from './matchBudget';

/** How patterns for paths are read. */
export interface Dialect {
  readonly ignoreCase: boolean;
  /** In a glob, `a/**` matches `a` too, and an unclosed `[` is literal; in Git, such a pattern matches nothing. */
  readonly isGlob: boolean;
}

/** Runs of pieces without a wildcard inside; between one run and the next, anything may stand. */
type Runs<Piece> = readonly (readonly Piece[])[];

/** Code units and tests for them; divided into runs by `*`. */
type NamePattern = Runs<number | CharTest>;

/** Patterns for names; divided into runs by `**`. */
export type PathPattern = Runs<NamePattern>;

const ANY_NAME: NamePattern = [[], []];

/** The names of a path, as `fitsPath` takes them. */
export function namesOf(path: string, { ignoreCase }: Dialect): string[] {
  return (ignoreCase ? lowerCase(path) : path).split('/');
}

/**
 * Whether a path, given by its names, matches a pattern as a whole, in at most as many steps as the path's length times
 * the pattern's. @throws PatternsTooComplexError where that is too many
 */
export function fitsPath(pattern: PathPattern, names: readonly string[], budget: MatchBudget): boolean {
  return fitsInOrder(pattern, names, budget, fitsName);
}

function fitsName(pattern: NamePattern, names: readonly string[], at: number, budget: MatchBudget): boolean {
  return fitsInOrder(pattern, names[at] ?? '', budget, fitsChar);
}

function fitsChar(piece: number | CharTest, name: string, at: number, budget: MatchBudget): boolean {
  const code = name.charCodeAt(at);
  if (typeof piece === 'number') return piece === code;
  budget.step(piece.steps);
  return piece.fits(code);
}

/** Whether a piece matches what stands at a place of a text or a list. */
type Fits<Piece, Whole> = (piece: Piece, whole: Whole, at: number, budget: MatchBudget) => boolean;

/**
 * The first run must match the beginning and the last one the end. Each of the others is taken where it first matches,
 * as that leaves most for the next ones, so there is no backtracking.
 */
function fitsInOrder<Piece, Whole extends ArrayLike<unknown>>(
  runs: Runs<Piece>,
  whole: Whole,
  budget: MatchBudget,
  fits: Fits<Piece, Whole>,
): boolean {
  const first = runs[0] ?? [];
  if (runs.length < 2) return first.length === whole.length && fitsRun(first, whole, 0, budget, fits);
  const last = runs[runs.length - 1] ?? [];
  const end = whole.length - last.length;
  if (end < first.length || !fitsRun(last, whole, end, budget, fits) || !fitsRun(first, whole, 0, budget, fits)) {
    return false;
  }
  let start = first.length;
  for (let index = 1; index < runs.length - 1; index++) {
    const run = runs[index] ?? [];
    while (start + run.length <= end && !fitsRun(run, whole, start, budget, fits)) start += 1;
    start += run.length;
    if (start > end) return false;
  }
  return true;
}

function fitsRun<Piece, Whole>(
  run: readonly Piece[],
  whole: Whole,
  start: number,
  budget: MatchBudget,
  fits: Fits<Piece, Whole>,
): boolean {
  let fitting = 0;
  while (fitting < run.length && fits(run[fitting] as Piece, whole, start + fitting, budget)) fitting += 1;
  budget.step(1 + fitting);
  return fitting === run.length;
}

/** Reads a pattern for paths, with `*`, `?`, `**` and `[…]`. None where it can match nothing. */
export function readWildcards(text: string, dialect: Dialect): PathPattern[] {
  const runs: NamePattern[][] = [[]];
  for (let at = 0; at <= text.length; at++) {
    const name = readName(text, at, dialect);
    if (name === undefined) return [];
    const isLast = name.end === text.length;
    if (!/^\*\*+$/.test(text.slice(at, name.end))) runs.at(-1)?.push(name.pattern);
    else if (!isLast) runs.push([]);
    // `*/**` is meant for what is in folders, and must not match the files beside them.
    else runs.push(dialect.isGlob && at > 1 && text[at - 2] !== '*' ? [] : [ANY_NAME]);
    at = name.end;
  }
  return [runs];
}

/** Reads as far as the next `/`. */
function readName(
  text: string,
  start: number,
  { ignoreCase, isGlob }: Dialect,
): { pattern: NamePattern; end: number } | undefined {
  const runs: (number | CharTest)[][] = [[]];
  let at = start;
  for (; at < text.length && text[at] !== '/'; at++) {
    const char = text.charAt(at);
    const brackets = char === '[' ? readBrackets(text, at, ignoreCase) : undefined;
    const isEscape = char === '\\' && at + 1 < text.length;
    const isUnclosed = (char === '[' && brackets === undefined) || (char === '\\' && !isEscape);
    if (isUnclosed && !isGlob) return undefined;
    if (brackets !== undefined) {
      runs.at(-1)?.push(brackets.test);
      at = brackets.end - 1;
    } else if (char === '*') {
      if (runs.length === 1 || runs.at(-1)?.length !== 0) runs.push([]);
    } else if (char === '?') {
      runs.at(-1)?.push(anyChar);
    } else if (!isEscape || text[at + 1] !== '/') {
      if (isEscape) at += 1;
      const literal = text.charAt(at);
      runs.at(-1)?.push((ignoreCase ? lowerCase(literal) : literal).charCodeAt(0));
    }
  }
  return { pattern: runs, end: at };
}

/** Lower case, except for characters that would become two. */
function lowerCase(text: string): string {
  return text.replace(/[^\0-@[-\x7f]/g, (char) => {
    const lower = char.toLowerCase();
    return lower.length === 1 ? lower : char;
  });
}
