import path from 'node:path';
import { atAnyDepth, compileGlobs } from './globs';
import { IgnoreFiles } from './ignoreFiles';

/** Which files of a folder are imported, and which of them only after a question. Globs are as in `compileGlobs`. */
export interface FileRules {
  /** The files to import. Without globs, `endings` decides. */
  readonly include: readonly string[];
  /** File extensions with their dot. */
  readonly endings: readonly string[];
  /** Files and whole folders to skip. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` files apply. */
  readonly useIgnoreFiles: boolean;
  /** Files that may contain secrets. These globs match at any depth. */
  readonly sensitive: readonly string[];
}

/** Why the rules skip a file or folder. */
export type RuleReason = 'extension' | 'notIncluded' | 'excluded' | 'ignored';

/** The rules of a folder and everything below it. */
export interface CompiledRules {
  /** Add an ignore file before paths in its folder are matched. */
  readonly ignoreFiles: IgnoreFiles;
  /** Why a file is skipped, or a folder with everything in it. Paths are as in {@link IgnoreFiles}. */
  reasonAgainst(path: string): RuleReason | undefined;
}

/** @throws SyntaxError if a glob is too long to be compiled */
export function compileRules({ include, endings, exclude }: FileRules): CompiledRules {
  const [isIncluded, isExcluded] = [compileGlobs(include), compileGlobs(exclude)];
  const extensions = new Set(endings.map((extension) => extension.toLowerCase()));
  const ignoreFiles = new IgnoreFiles();
  const reasonAgainst = (one: string): RuleReason | undefined => {
    const isFolder = one.endsWith('/');
    const hasExtension = extensions.has(path.posix.extname(one).toLowerCase());
    if (!isFolder && include.length === 0 && !hasExtension) return 'extension';
    if (!isFolder && include.length > 0 && !isIncluded(one)) return 'notIncluded';
    if (isExcluded(isFolder ? one.slice(0, -1) : one)) return 'excluded';
    return ignoreFiles.ignores(one) ? 'ignored' : undefined;
  };
  return { ignoreFiles, reasonAgainst };
}

/** A test for files that may contain secrets. It needs the full path, because a glob may name a folder above the open one. */
export function sensitiveTest({ sensitive }: FileRules): (fullPath: string) => boolean {
  const test = compileGlobs(atAnyDepth(sensitive));
  return (fullPath) => test(fullPath.replace(/^\/+/, ''));
}
