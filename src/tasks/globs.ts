import picomatch from 'picomatch';

/** Whether a path fits; parts are divided by `/`, without one at the beginning. */
export type PathTest = (path: string) => boolean;

// `s`: a line break in a name, which most file systems allow, must not hide a file from `**`.
const OPTIONS = { dot: true, flags: 'is', noextglob: true, nonegate: true, windows: false } as const;

// picomatch takes no longer ones.
const MAX_GLOB_LENGTH = 10_000;

/**
 * One test for a list of globs. A glob without `/` before its end fits the name at any depth, others the path; one that
 * ends in `/` all within the folder. One that begins with `!` takes back what the others fit. Case does not matter.
 */
export function compileGlobs(globs: readonly string[]): PathTest {
  const matches = anyOf(globs.filter((glob) => !glob.startsWith('!')));
  const takesBack = anyOf(globs.flatMap((glob) => (glob.startsWith('!') ? glob.slice(1) : [])));
  return (path) => matches(path) && !takesBack(path);
}

/** The same globs, matching below any folder. */
export function atAnyDepth(globs: readonly string[]): string[] {
  return globs.map((glob) => glob.replace(/^(!?)\/?(?=[^!/])/, '$1**/'));
}

function anyOf(globs: readonly string[]): PathTest {
  const patterns = globs.flatMap((glob) => fullGlob(glob) ?? []);
  const sources = patterns.map((pattern) => picomatch.makeRe(pattern, OPTIONS).source);
  if (sources.length === 0) return () => false;
  const any = new RegExp(sources.join('|'), OPTIONS.flags);
  return (path) => any.test(path);
}

function fullGlob(glob: string): string | undefined {
  const below = glob.trim().replace(/^\.?\//, '');
  if (below === '' || below.length > MAX_GLOB_LENGTH) return undefined;
  const whole = below.endsWith('/') ? `${below}**` : below;
  // As in ignore files, only a slash before the end ties a glob to the beginning of the path.
  return /\/(?=[^/])/.test(glob) ? whole : `**/${whole}`;
}
