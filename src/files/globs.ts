import { readBrackets } from './charTests';
import { type MatchBudget, PatternsTooComplexError } from './matchBudget';
import { fitsPath, namesOf, type PathPattern, readWildcards } from './wildcards';

/** Whether a path matches; its names are separated by `/`, with none at the beginning. */
export type PathTest = (path: string) => Promise<boolean>;

const DIALECT = { ignoreCase: true, isGlob: true };

/** Max characters of a glob, and max `[` in it: for each one that is never closed the rest of the glob is read again. */
const MAX_GLOB = { length: 500, brackets: 16 } as const;

/** Max characters of a list of globs while each `{a,b}` is expanded, all steps together. */
const MAX_EXPANDED_LENGTH = 30_000;

/**
 * One test for a list of globs. A glob without `/` before its end matches the name at any depth, others the path; one
 * that ends in `/` matches all within the folder. One that begins with `!` excludes what the others match. Case does not
 * matter. `source` names the setting of the globs. @throws PatternsTooComplexError, as does the test
 */
export function compileGlobs(globs: readonly string[], source: string, budget: MatchBudget): PathTest {
  const read = (list: readonly string[]) =>
    expandBraces(list.flatMap(fullGlob), source).flatMap((glob) => readWildcards(glob, DIALECT));
  const matching = read(globs.filter((glob) => !glob.startsWith('!')));
  const excluding = read(globs.flatMap((glob) => (glob.startsWith('!') ? glob.slice(1) : [])));
  return async (path) => {
    await budget.addPath(path);
    const names = namesOf(path, DIALECT);
    const fitsOne = async (patterns: readonly PathPattern[]) => {
      for (const pattern of patterns) {
        if (budget.isPauseDue) await budget.pause();
        budget.begin(source);
        if (fitsPath(pattern, names, budget)) return true;
      }
      return false;
    };
    return (await fitsOne(matching)) && !(await fitsOne(excluding));
  };
}

/** The same globs, matching below any folder. */
export function atAnyDepth(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)\/?(?=[^!/])/, '$1**/'));
}

/** The glob as one for the whole path; none for an empty one. */
function fullGlob(glob: string): string[] {
  const below = glob.trim().replace(/^\.?\//, '');
  if (below === '') return [];
  const whole = below.endsWith('/') ? `${below}**` : below;
  // As in ignore files, only a slash before the end ties a glob to the beginning of the path.
  return [/\/(?=[^/])/.test(glob) ? whole : `**/${whole}`];
}

/** The globs with each `{a,b}` expanded. */
function expandBraces(globs: readonly string[], source: string): string[] {
  const expanded: string[] = [];
  const open = [...globs];
  let length = 0;
  for (let glob = open.pop(); glob !== undefined; glob = open.pop()) {
    length += glob.length;
    const isLong = glob.length > MAX_GLOB.length || glob.split('[').length > MAX_GLOB.brackets;
    if (isLong || length > MAX_EXPANDED_LENGTH) throw new PatternsTooComplexError(source);
    const alternatives = alternativesOf(glob);
    if (alternatives === undefined) expanded.push(glob);
    else open.push(...alternatives);
  }
  return expanded;
}

/** The glob with its first outermost `{a,b}` replaced by each of its alternatives; undefined where it has none. */
function alternativesOf(glob: string): string[] | undefined {
  let found: readonly number[] | undefined;
  const open: number[][] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at];
    if (char === '\\') at += 1;
    else if (char === '[') at = (readBrackets(glob, at, false)?.end ?? at + 1) - 1;
    else if (char === '{') open.push([at]);
    else if (char === ',') open.at(-1)?.push(at);
    else if (char === '}') {
      const edges = open.pop();
      if (edges !== undefined && edges.length > 1) found = [...edges, at];
      if (open.length === 0 && found !== undefined) break;
    }
  }
  if (found === undefined) return undefined;
  const [start = 0, ...ends] = found;
  const end = ends.at(-1) ?? start;
  return ends.map(
    (edge, index) => glob.slice(0, start) + glob.slice((found[index] ?? start) + 1, edge) + glob.slice(end + 1),
  );
}
