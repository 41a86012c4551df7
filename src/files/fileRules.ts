import path from 'node:path';
import { atAnyDepth, compileGlobs, type PathTest } from './globs';
import { MatchBudget } from './matchBudget';

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

/**
 * The rules made ready to judge many files, within one budget for all. Paths have `/` between their parts and none at
 * the beginning. Each judgment, and the making, @throws PatternsTooComplexError
 */
export class FileFilter {
  /** What comparing the paths with the globs may take, and with ignore files. */
  readonly budget = new MatchBudget();
  readonly #includes: PathTest;
  readonly #excludes: PathTest;
  readonly #isSensitive: PathTest;

  constructor({ include, endings, exclude, sensitive }: FileRules) {
    this.#includes =
      include.length > 0
        ? compileGlobs(include, 'datasetImport.folders.include', this.budget)
        : endsInOneOf(endings, this.budget);
    this.#excludes = compileGlobs(exclude, 'datasetImport.folders.exclude', this.budget);
    this.#isSensitive = compileGlobs(atAnyDepth(sensitive), 'datasetImport.sensitiveFiles', this.budget);
  }

  /** Whether a folder gives this file, as far as the globs and endings go. */
  async takesFile(relativePath: string): Promise<boolean> {
    return (await this.#includes(relativePath)) && !(await this.#excludes(relativePath));
  }

  /** Whether the globs leave out a folder with all that is in it. */
  leavesOutFolder(relativePath: string): Promise<boolean> {
    return this.#excludes(relativePath);
  }

  /** Whether the file is on the deny list. Takes its full path, as the folder that tells may be above what is open. */
  isSensitive(fullPath: string): Promise<boolean> {
    return this.#isSensitive(fullPath.replace(/^\/+/, ''));
  }
}

function endsInOneOf(endings: readonly string[], budget: MatchBudget): PathTest {
  const known = new Set(endings.map((ending) => ending.toLowerCase()));
  return async (file) => {
    await budget.addPath(file);
    return known.has(path.posix.extname(file).toLowerCase());
  };
}
