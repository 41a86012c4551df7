import picomatch from 'picomatch';

// `posix` makes `[!a]` a negation. The `s` flag lets wildcards match line breaks, which file names may contain.
const OPTIONS = { dot: true, flags: 'is', keepQuotes: true, noextglob: true, nonegate: true, posix: true };

/**
 * Compiles a list of globs into one test for relative paths with forward slashes. A glob with no `/`, or with one only
 * at the end, matches a name at any depth. Any other glob has to match the whole path. A glob that ends in `/` matches
 * everything in that folder. A glob that begins with `!` excludes paths that other globs match. Case is ignored.
 * @throws SyntaxError if a glob is too long
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const matching = globs.filter((glob) => !glob.startsWith('!')).flatMap(compile);
  const excluding = globs.filter((glob) => glob.startsWith('!')).flatMap((glob) => compile(glob.slice(1)));
  return (path) => matching.some((pattern) => pattern.test(path)) && !excluding.some((pattern) => pattern.test(path));
}

/** Changes globs so that they match in any folder. */
export function atAnyDepth(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)\/?(?=[^!/])/, '$1**/'));
}

/** Returns an empty list for an empty glob. */
function compile(glob: string): RegExp[] {
  const below = glob.trim().replace(/^\.?\//, '');
  if (below === '') return [];
  const whole = below.endsWith('/') ? `${below}**` : below;
  // As in ignore files, a slash anywhere before the end anchors the glob at the start of the path.
  const full = /\/(?=[^/])/.test(glob) ? whole : `**/${whole}`;
  // Escape parentheses and pipes. Otherwise, picomatch would treat `(a|b)` as a regular expression.
  const literal = full.replace(/(\\.)|[()|]/gs, (char, escaped?: string) => escaped ?? `\\${char}`);
  return [picomatch.makeRe(literal, OPTIONS)];
}
