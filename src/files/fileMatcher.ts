import path from 'node:path';
import type { FileRules } from './fileRules';
import { atAnyDepth, compileGlobs } from './globs';
import { IgnoreFiles } from './ignoreFiles';

/** Why patterns or file extensions leave out a file or folder. */
export type ReasonAgainst = 'extension' | 'notIncluded' | 'excluded' | 'ignored';

type PathTest = (path: string) => boolean;

/** The settings with patterns. A source of patterns is an index in this list; ignore files have those after it. */
export const PATTERN_SETTINGS = [
  'datasetImport.folders.include',
  'datasetImport.folders.exclude',
  'datasetImport.sensitiveFiles',
];
const [INCLUDE, EXCLUDE, SENSITIVE] = [0, 1, 2] as const;

/** The rules of one folder. */
interface CompiledRules {
  readonly reasonAgainstFile: (path: string) => ReasonAgainst | undefined;
  readonly excludes: PathTest;
  readonly ignoreFiles: IgnoreFiles;
}

/**
 * Matches paths with the patterns of settings and ignore files. Hostile patterns can keep it busy for ever, and it throws
 * where some cannot be compiled: so a MatchThread runs it.
 */
export class FileMatcher {
  readonly #sensitive: readonly string[];
  readonly #begin: (source: number) => void;
  readonly #folders = new Map<string, CompiledRules>();
  #isSensitive: PathTest | undefined;

  /** Calls `begin` with the source of patterns before they are used. */
  constructor(sensitive: readonly string[], begin: (source: number) => void) {
    this.#sensitive = sensitive;
    this.#begin = begin;
  }

  /** Sets the rules for the folder `top` and all below it. */
  addFolder(top: string, { include, endings, exclude }: FileRules): void {
    const includes = include.length > 0 ? this.#compile(include, INCLUDE) : undefined;
    const hasExtension = extensionTest(endings);
    this.#folders.set(top, {
      reasonAgainstFile: (file) => {
        if (includes === undefined) return hasExtension(file) ? undefined : 'extension';
        return includes(file) ? undefined : 'notIncluded';
      },
      excludes: this.#compile(exclude, EXCLUDE),
      ignoreFiles: new IgnoreFiles(this.#begin),
    });
  }

  /** Adds an ignore file in a folder below `top`, before paths in that folder are matched. */
  addIgnoreFile(top: string, folder: string, text: string, source: number): void {
    this.#folders.get(top)?.ignoreFiles.add(folder, text, source);
  }

  /**
   * Why each file or folder below `top` is left out, a folder with all that is in it; undefined where it is not. Paths
   * are as in IgnoreFiles.
   */
  reasonsAgainst(top: string, paths: readonly string[]): (ReasonAgainst | undefined)[] {
    const rules = this.#folders.get(top);
    return paths.map((each) => (rules === undefined ? undefined : reasonAgainst(rules, each)));
  }

  /** Those of the full paths that may hold secrets; a glob may name a folder above the open one. */
  sensitiveAmong(fullPaths: readonly string[]): string[] {
    this.#isSensitive ??= this.#compile(atAnyDepth(this.#sensitive), SENSITIVE);
    const isSensitive = this.#isSensitive;
    return fullPaths.filter((each) => isSensitive(each.replace(/^\/+/, '')));
  }

  #compile(globs: readonly string[], source: number): PathTest {
    this.#begin(source);
    const fits = compileGlobs(globs);
    return (each) => {
      this.#begin(source);
      return fits(each);
    };
  }
}

function reasonAgainst(rules: CompiledRules, each: string): ReasonAgainst | undefined {
  const isFolder = each.endsWith('/');
  const reason = isFolder ? undefined : rules.reasonAgainstFile(each);
  if (reason !== undefined) return reason;
  if (rules.excludes(isFolder ? each.slice(0, -1) : each)) return 'excluded';
  return rules.ignoreFiles.ignores(each) ? 'ignored' : undefined;
}

function extensionTest(extensions: readonly string[]): PathTest {
  const known = new Set(extensions.map((extension) => extension.toLowerCase()));
  return (file) => known.has(path.posix.extname(file).toLowerCase());
}
