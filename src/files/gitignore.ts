import type { MatchBudget } from './matchBudget';
import { fitsPath, namesOf, type PathPattern, readWildcards } from './wildcards';

// As Git does by default on the file systems of these platforms.
const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

const DIALECT = { ignoreCase: IGNORE_CASE, isGlob: false };

/** Steps that reading one character costs. */
const STEPS_TO_READ = 4;

/** A line of an ignore file. */
interface Rule {
  /** False for one that begins with `!`. */
  readonly ignores: boolean;
  readonly isForFolders: boolean;
  /** For paths relative to the file's folder. */
  readonly pattern: PathPattern;
}

/** An ignore file that was read. */
interface IgnoreFile {
  /** How the user is told of it where it is too complex. */
  readonly source: string;
  /** The path of its folder, with a `/` at the end unless it is the topmost. */
  readonly folder: string;
  /** The last line first, as it takes precedence. */
  readonly rules: readonly Rule[];
}

/**
 * The `.gitignore` files from the topmost folder down to one folder, applied together. All paths are relative to the
 * topmost folder and have `/` between their names.
 */
export class IgnoreFiles {
  /** Ignores nothing. */
  static readonly none = new IgnoreFiles([]);

  /** The one in the deepest folder first. */
  readonly #files: readonly IgnoreFile[];

  private constructor(files: readonly IgnoreFile[]) {
    this.#files = files;
  }

  /**
   * These and one more of a deeper folder, which takes precedence. `folder` is the path of its folder, '' for the topmost;
   * `source` is how the user is told of the file. @throws PatternsTooComplexError
   */
  async with(folder: string, text: string, source: string, budget: MatchBudget): Promise<IgnoreFiles> {
    const rules: Rule[] = [];
    for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
      if (budget.isPauseDue) await budget.pause();
      budget.begin(source);
      budget.step(STEPS_TO_READ * line.length);
      rules.push(...readRule(line));
    }
    rules.reverse();
    return new IgnoreFiles([{ source, folder: folder === '' ? '' : `${folder}/`, rules }, ...this.#files]);
  }

  /**
   * Whether a file or folder is ignored, a folder with all that is in it. The folders above it are not looked at: the
   * caller does not enter one that is ignored. @throws PatternsTooComplexError
   */
  async ignores(path: string, isFolder: boolean, budget: MatchBudget): Promise<boolean> {
    await budget.addPath(path);
    for (const { source, folder, rules } of this.#files) {
      if (!path.startsWith(folder)) continue;
      const names = namesOf(path.slice(folder.length), DIALECT);
      for (const { ignores, isForFolders, pattern } of rules) {
        if (isForFolders && !isFolder) continue;
        if (budget.isPauseDue) await budget.pause();
        budget.begin(source);
        if (fitsPath(pattern, names, budget)) return ignores;
      }
    }
    return false;
  }
}

/** The rule of a line; none for an empty line or a comment. */
function readRule(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  const ignores = !line.startsWith('!');
  const whole = withoutSpacesAtEnd(ignores ? line : line.slice(1));
  const isForFolders = whole.endsWith('/');
  const path = isForFolders ? whole.slice(0, -1) : whole;
  // Only a slash before the end anchors a pattern to the file's own folder.
  const below = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`;
  if (path === '' || below === '') return [];
  return readWildcards(below, DIALECT).map((pattern) => ({ ignores, isForFolders, pattern }));
}

/** Without spaces at its end, except for escaped ones. */
function withoutSpacesAtEnd(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ' ') continue;
    end = at + 1;
  }
  return text.slice(0, end);
}
