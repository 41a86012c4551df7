import type { MatchBudget } from './matchBudget';
import { fitsPath, namesOf, type PathPattern, readWildcards } from './wildcards';

// As Git does by default on the file systems of these platforms.
const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

const DIALECT = { ignoreCase: IGNORE_CASE, isGlob: false };

/** Reading a character takes about so many steps. */
const STEPS_TO_READ = 4;

/** A line of an ignore file: what it leaves out, or takes back. */
interface Rule {
  readonly leavesOut: boolean;
  readonly isForFolders: boolean;
  /** For paths seen from the file's folder. */
  readonly pattern: PathPattern;
}

/** An ignore file that was read. */
interface IgnoreFile {
  /** What the user is told where it is too complex. */
  readonly source: string;
  /** The path of its folder, with a `/` at the end unless it is the topmost. */
  readonly folder: string;
  /** The last one first, as that has the last word. */
  readonly rules: readonly Rule[];
}

/**
 * What the `.gitignore` files from the topmost folder down to one folder say together about what is in there. All paths
 * start at the topmost folder and have `/` between their parts.
 */
export class IgnoreFiles {
  /** No ignore file says anything. */
  static readonly none = new IgnoreFiles([]);

  /** The one that is deepest down first. */
  readonly #files: readonly IgnoreFile[];

  private constructor(files: readonly IgnoreFile[]) {
    this.#files = files;
  }

  /**
   * These and one more, deeper down, which has the last word. `folder` is the path of its folder, '' for the topmost;
   * `source` what the file is called. @throws PatternsTooComplexError
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
   * Whether a file or folder is left out, a folder with all that is in it. The folders that lead to it are not looked
   * at: what is in one that is left out cannot be taken back. @throws PatternsTooComplexError
   */
  async ignores(path: string, isFolder: boolean, budget: MatchBudget): Promise<boolean> {
    await budget.addPath(path);
    for (const { source, folder, rules } of this.#files) {
      if (!path.startsWith(folder)) continue;
      const names = namesOf(path.slice(folder.length), DIALECT);
      for (const { leavesOut, isForFolders, pattern } of rules) {
        if (isForFolders && !isFolder) continue;
        if (budget.isPauseDue) await budget.pause();
        budget.begin(source);
        if (fitsPath(pattern, names, budget)) return leavesOut;
      }
    }
    return false;
  }
}

/** The rule of a line; none where it says nothing. */
function readRule(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  const leavesOut = !line.startsWith('!');
  const whole = withoutSpacesAtEnd(leavesOut ? line : line.slice(1));
  const isForFolders = whole.endsWith('/');
  const path = isForFolders ? whole.slice(0, -1) : whole;
  // Only a slash before the end ties a pattern to the file's own folder.
  const below = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`;
  if (path === '' || below === '') return [];
  return readWildcards(below, DIALECT).map((pattern) => ({ leavesOut, isForFolders, pattern }));
}

/** Those with a backslash before them stay. */
function withoutSpacesAtEnd(text: string): string {
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ' ') continue;
    end = at + 1;
  }
  return text.slice(0, end);
}
