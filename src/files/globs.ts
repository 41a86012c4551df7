import picomatch from 'picomatch';

// Without `posix`, `[!a]` would not negate. Names may have line breaks, which `s` lets a wildcard match.
const OPTIONS = { dot: true, flags: 'is', keepQuotes: true, noextglob: true, nonegate: true, posix: true };

/**
 * One test for a list of globs, for paths with `/` between their names and none at the beginning. A glob without `/`
 * before its end matches the name at any depth, others the path; one that ends in `/` matches all within the folder. One
 * that begins with `!` excludes what the others match. Case does not matter. @throws SyntaxError for a very long glob
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const matching = globs.filter((glob) => !glob.startsWith('!')).flatMap(compile);
  const excluding = globs.filter((glob) => glob.startsWith('!')).flatMap((glob) => compile(glob.slice(1)));
  const fitsOne = (path: string) => (pattern: RegExp) => pattern.test(path);
  return (path) => matching.some(fitsOne(path)) && !excluding.some(fitsOne(path));
}

/** The same globs, matching below any folder. */
export function atAnyDepth(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)\/?(?=[^!/])/, '$1**/'));
}

/** None for an empty glob. */
function compile(glob: string): RegExp[] {
  const below = glob.trim().replace(/^\.?\//, '');
  if (below === '') return [];
  const whole = below.endsWith('/') ? `${below}**` : below;
  // As in ignore files, only a slash before the end ties a glob to the beginning of the path.
  const full = /\/(?=[^/])/.test(glob) ? whole : `**/${whole}`;
  return [picomatch.makeRe(withLiteralParentheses(full), OPTIONS)];
}

/** The library would read `(a|b)` as part of a regular expression. */
function withLiteralParentheses(glob: string): string {
  return glob.replace(/(\\.)|[()|]/gs, (char, escaped?: string) => escaped ?? `\\${char}`);
}
