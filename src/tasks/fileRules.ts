import path from 'node:path';
import { atAnyDepth, compileGlobs, type PathTest } from './globs';

/** Which files an import takes of a folder, and about which it asks first. Globs are as in `compileGlobs`. */
export interface FileRules {
  /** The files to take; where there are none, `endings` decide. */
  readonly include: readonly string[];
  /** Endings with their dot. */
  readonly endings: readonly string[];
  /** Files and whole folders to leave out. */
  readonly exclude: readonly string[];
  /** Whether what `.gitignore` files name is left out. */
  readonly useIgnoreFiles: boolean;
  /** The deny list: files that may hold secrets. Its globs match at any depth. */
  readonly sensitive: readonly string[];
}

/** The rules made ready to judge many files. Paths have `/` between their parts and none at the beginning. */
export class FileJudge {
  readonly #includes: PathTest;
  readonly #excludes: PathTest;
  readonly #isSensitive: PathTest;

  constructor({ include, endings, exclude, sensitive }: FileRules) {
    this.#includes = include.length > 0 ? compileGlobs(include) : endsInOneOf(endings);
    this.#excludes = compileGlobs(exclude);
    this.#isSensitive = compileGlobs(atAnyDepth(sensitive));
  }

  /** Whether a folder gives this file, as far as the globs and endings go. */
  takesFile(relativePath: string): boolean {
    return this.#includes(relativePath) && !this.#excludes(relativePath);
  }

  /** Whether the globs leave out a folder with all that is in it. */
  leavesOutFolder(relativePath: string): boolean {
    return this.#excludes(relativePath);
  }

  /** Whether the file is on the deny list. Takes its full path, as the folder that tells may be above what is open. */
  isSensitive(fullPath: string): boolean {
    return this.#isSensitive(fullPath.replace(/^\/+/, ''));
  }
}

function endsInOneOf(endings: readonly string[]): PathTest {
  const known = new Set(endings.map((ending) => ending.toLowerCase()));
  return (file) => known.has(path.posix.extname(file).toLowerCase());
}
