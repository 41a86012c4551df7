import path from 'node:path';
import type { FileRules } from './fileRules';
import { atAnyDepth, compileGlobs } from './globs';
import { IgnoreFiles } from './ignoreFiles';

/** Why patterns or file extensions leave out a file or folder. */
export type ReasonAgainst = 'extension' | 'notIncluded' | 'excluded' | 'ignored';

type PathTest = (path: string) => boolean;

/** The rules of one folder. */
interface CompiledRules {
  readonly reasonAgainstFile: (path: string) => ReasonAgainst | undefined;
  readonly excludes: PathTest;
  readonly ignoreFiles: IgnoreFiles;
}

/** Matches paths against the patterns of settings and ignore files. A pattern that cannot be compiled @throws SyntaxError. */
export class FileMatcher {
  readonly #isSensitive: PathTest;
  readonly #folders = new Map<string, CompiledRules>();

  constructor(sensitive: readonly string[]) {
    this.#isSensitive = compileGlobs(atAnyDepth(sensitive));
  }

  /** Sets the rules for the folder `top` and all below it. */
  addFolder(top: string, { include, endings, exclude }: FileRules): void {
    const includes = include.length > 0 ? compileGlobs(include) : undefined;
    const hasExtension = extensionTest(endings);
    this.#folders.set(top, {
      reasonAgainstFile: (file) => {
        if (includes === undefined) return hasExtension(file) ? undefined : 'extension';
        return includes(file) ? undefined : 'notIncluded';
      },
      excludes: compileGlobs(exclude),
      ignoreFiles: new IgnoreFiles(),
    });
  }

  /** Adds an ignore file in a folder below `top`, before paths in that folder are matched. */
  addIgnoreFile(top: string, folder: string, text: string): void {
    this.#folders.get(top)?.ignoreFiles.add(folder, text);
  }

  /** Why a file or folder below `top` is skipped, a folder with everything in it. Paths are as in IgnoreFiles. */
  reasonAgainst(top: string, path: string): ReasonAgainst | undefined {
    const rules = this.#folders.get(top);
    return rules && reasonAgainst(rules, path);
  }

  /** Whether a file may hold secrets. The full path is matched, because a glob may name a folder above the open one. */
  isSensitive(fullPath: string): boolean {
    return this.#isSensitive(fullPath.replace(/^\/+/, ''));
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
