import picomatch from 'picomatch';

// `posix` makes `[!a]` negate. Names may contain line breaks: `s` lets wildcards match them.
const OPTIONS = { dot: true, flags: 'is', keepQuotes: true, noextglob: true, nonegate: true, posix: true };

/**
 * Compiles a list of globs into one test for paths with `/` between names and none at the start. A glob without `/`, except at
 * its end, matches a name at any depth; other globs match the whole path. A glob that ends in `/` matches everything in that
 * folder. A glob that begins with `!` excludes what others match. Case is ignored. @throws SyntaxError for a very long glob
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const matching = globs.filter((glob) => !glob.startsWith('!')).flatMap(compile);
  const excluding = globs.filter((glob) => glob.startsWith('!')).flatMap((glob) => compile(glob.slice(1)));
  const fitsOne = (path: string) => (pattern: RegExp) => pattern.test(path);
  return (path) => matching.some(fitsOne(path)) && !excluding.some(fitsOne(path));
}

/** Makes globs match in any folder. */
export function atAnyDepth(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)\/?(?=[^!/])/, '$1**/'));
}

/** Returns nothing for an empty glob. */
function compile(glob: string): RegExp[] {
  const below = glob.trim().replace(/^\.?\//, '');
  if (below === '') return [];
  const whole = below.endsWith('/') ? `${below}**` : below;
  // As in ignore files, a slash before the end anchors a glob at the start of the path.
  const full = /\/(?=[^/])/.test(glob) ? whole : `**/${whole}`;
  return [picomatch.makeRe(withLiteralParentheses(full), OPTIONS)];
}

/** picomatch would treat `(a|b)` as a regular expression. */
function withLiteralParentheses(glob: string): string {
  return glob.replace(/(\\.)|[()|]/gs, (char, escaped?: string) => escaped ?? `\\${char}`);
}
