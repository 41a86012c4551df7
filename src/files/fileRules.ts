import path from 'node:path';
import { atAnyDepth, compileGlobs } from './globs';
import { IgnoreFiles } from './ignoreFiles';

/**
 * Which files in a folder to import, and which of them the user must confirm first. See `compileGlobs` for the glob
 * syntax.
 */
export interface FileRules {
  /** Globs for the files to import. If there are none, files are chosen by `endings`. */
  readonly include: readonly string[];
  /** File extensions, including the dot. */
  readonly endings: readonly string[];
  /** Globs for files and folders to skip. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` files apply. */
  readonly useIgnoreFiles: boolean;
  /** Globs for files that may contain secrets. They match at any depth. */
  readonly sensitive: readonly string[];
}

/** Why the rules skip a file or folder. */
export type RuleReason = 'extension' | 'notIncluded' | 'excluded' | 'ignored';

/** The rules for a folder and everything below it. */
export type CompiledRules = Readonly<ReturnType<typeof compileRules>>;

/** @throws SyntaxError if a glob is too long to compile */
export function compileRules({ include, endings, exclude, useIgnoreFiles }: FileRules) {
  const [isIncluded, isExcluded] = [compileGlobs(include), compileGlobs(exclude)];
  const extensions = new Set(endings.map((extension) => extension.toLowerCase()));
  /** Add each folder's ignore file before you match paths in that folder. */
  const ignoreFiles = new IgnoreFiles();
  /** Why a file, or a folder and everything in it, is skipped. Paths have the same form as in {@link IgnoreFiles}. */
  const reasonAgainst = (relativePath: string): RuleReason | undefined => {
    const isFolder = relativePath.endsWith('/');
    const hasExtension = extensions.has(path.posix.extname(relativePath).toLowerCase());
    if (!isFolder && include.length === 0 && !hasExtension) return 'extension';
    if (!isFolder && include.length > 0 && !isIncluded(relativePath)) return 'notIncluded';
    if (isExcluded(isFolder ? relativePath.slice(0, -1) : relativePath)) return 'excluded';
    return ignoreFiles.ignores(relativePath) ? 'ignored' : undefined;
  };
  return { useIgnoreFiles, ignoreFiles, reasonAgainst };
}

/**
 * Returns a test for files that may contain secrets. The test takes full paths, because a glob may name a folder above
 * the workspace folder.
 */
export function sensitiveTest({ sensitive }: FileRules): (fullPath: string) => boolean {
  const test = compileGlobs(atAnyDepth(sensitive));
  return (fullPath) => test(fullPath.replace(/^\/+/, ''));
}
