import { Automaton, type Pattern } from './automaton';
import { readWildcards } from './wildcards';

/** Whether a path fits; parts are divided by `/`, without one at the beginning. */
export type PathTest = (path: string) => boolean;

const DIALECT = { ignoreCase: true, isLenient: true, fitsFolder: true };

/**
 * One test for a list of globs. A glob without `/` before its end fits the name at any depth, others the path; one that
 * ends in `/` all within the folder. One that begins with `!` takes back what the others fit. Case does not matter.
 */
export function compileGlobs(globs: readonly string[]): PathTest {
  const matches = anyOf(globs.filter((glob) => !glob.startsWith('!')));
  const takesBack = anyOf(globs.flatMap((glob) => (glob.startsWith('!') ? glob.slice(1) : [])));
  return (path) => matches.lastFit(path) !== undefined && takesBack.lastFit(path) === undefined;
}

/** The same globs, matching below any folder. */
export function atAnyDepth(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)\/?(?=[^!/])/, '$1**/'));
}

function anyOf(globs: readonly string[]): Automaton {
  return new Automaton(globs.flatMap(readGlob));
}

/** What a glob fits; none where it says nothing. */
function readGlob(glob: string): Pattern[] {
  const full = fullGlob(glob);
  const pattern = full === undefined ? undefined : readWildcards(full, DIALECT);
  return pattern === undefined ? [] : [pattern];
}

function fullGlob(glob: string): string | undefined {
  const below = glob.trim().replace(/^\.?\//, '');
  if (below === '') return undefined;
  const whole = below.endsWith('/') ? `${below}**` : below;
  // As in ignore files, only a slash before the end ties a glob to the beginning of the path.
  return /\/(?=[^/])/.test(glob) ? whole : `**/${whole}`;
}
