import path from 'node:path';
import { atAnyDepth, compileGlobs, type PathTest } from './globs';
import { MatchBudget } from './matchBudget';

/** Which files of a folder are imported, and about which the user is asked first. Globs are as in `compileGlobs`. */
export interface FileRules {
  /** The files to import; where there are no globs, `endings` decides. */
  readonly include: readonly string[];
  /** File extensions with their dot. */
  readonly endings: readonly string[];
  /** Files and whole folders to exclude. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` files apply. */
  readonly useIgnoreFiles: boolean;
  /** Files that may hold secrets. These globs match at any depth. */
  readonly sensitive: readonly string[];
}

/**
 * The rules, compiled for many files that share one budget. Paths have `/` between their names and none at the
 * beginning. The constructor and each test @throws PatternsTooComplexError
 */
export class FileFilter {
  /** Shared by the globs and the ignore files. */
  readonly budget: MatchBudget;
  readonly #hasIncludes: boolean;
  readonly #includes: PathTest;
  readonly #excludes: PathTest;
  readonly #isSensitive: PathTest;

  constructor({ include, endings, exclude, sensitive }: FileRules, budget = new MatchBudget()) {
    this.budget = budget;
    this.#hasIncludes = include.length > 0;
    this.#includes = this.#hasIncludes
      ? compileGlobs(include, 'datasetImport.folders.include', this.budget)
      : hasExtension(endings, this.budget);
    this.#excludes = compileGlobs(exclude, 'datasetImport.folders.exclude', this.budget);
    this.#isSensitive = compileGlobs(atAnyDepth(sensitive), 'datasetImport.sensitiveFiles', this.budget);
  }

  /** Why globs and file extensions leave out a file of a folder; undefined where they do not. */
  async reasonAgainst(relativePath: string): Promise<'extension' | 'notIncluded' | 'excluded' | undefined> {
    if (!(await this.#includes(relativePath))) return this.#hasIncludes ? 'notIncluded' : 'extension';
    return (await this.#excludes(relativePath)) ? 'excluded' : undefined;
  }

  /** Whether the globs exclude a folder with all that is in it. */
  leavesOutFolder(relativePath: string): Promise<boolean> {
    return this.#excludes(relativePath);
  }

  /** Whether a file may hold secrets. Takes its full path, as a glob may name a folder above the open one. */
  isSensitive(fullPath: string): Promise<boolean> {
    return this.#isSensitive(fullPath.replace(/^\/+/, ''));
  }
}

function hasExtension(endings: readonly string[], budget: MatchBudget): PathTest {
  const known = new Set(endings.map((ending) => ending.toLowerCase()));
  return async (file) => {
    await budget.addPath(file);
    return known.has(path.posix.extname(file).toLowerCase());
  };
}
