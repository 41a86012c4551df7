import { Automaton, type Pattern } from './automaton';
import { sameChar } from './charTests';
import { readWildcards } from './wildcards';

// As Git does by default on the file systems of these platforms.
const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

const DIALECT = { ignoreCase: IGNORE_CASE, isLenient: false, fitsFolder: false };

/** A line of an ignore file: what it leaves out, or takes back. */
interface Rule {
  readonly leavesOut: boolean;
  /** For paths seen from the file's folder; those of folders end in `/`. */
  readonly pattern: Pattern;
}

/**
 * What the `.gitignore` files from the topmost folder down to one folder say together. All paths start at the topmost
 * folder and have `/` between their parts.
 */
export class IgnoreFiles {
  /** No ignore file says anything. */
  static readonly none = new IgnoreFiles([], '', []);

  /** Those above it, the topmost last. */
  readonly #above: readonly IgnoreFiles[];
  /** The path of its folder, with a `/` at the end unless it is the topmost. */
  readonly #folder: string;
  readonly #rules: readonly Rule[];
  readonly #patterns: Automaton;

  private constructor(above: readonly IgnoreFiles[], folder: string, rules: readonly Rule[]) {
    this.#above = above;
    this.#folder = folder;
    this.#rules = rules;
    this.#patterns = new Automaton(rules.map(({ pattern }) => pattern));
  }

  /** These and one more, deeper down, which has the last word. `folder` is the path of its folder, '' for the topmost. */
  with(folder: string, text: string): IgnoreFiles {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    return new IgnoreFiles([this, ...this.#above], folder === '' ? '' : `${folder}/`, lines.flatMap(readRule));
  }

  /** Whether the file is left out. */
  ignoresFile(path: string): boolean {
    return this.#ignores(path);
  }

  /** Whether the folder is left out, with all that is in it. */
  ignoresFolder(path: string): boolean {
    return this.#ignores(`${path}/`);
  }

  /** What is in a folder that is left out cannot be taken back. */
  #ignores(path: string): boolean {
    for (let end = path.indexOf('/') + 1; end > 0 && end < path.length; end = path.indexOf('/', end) + 1) {
      if (this.#leavesOut(path.slice(0, end))) return true;
    }
    return this.#leavesOut(path);
  }

  #leavesOut(path: string): boolean {
    for (const files of [this, ...this.#above]) {
      const rule = files.#lastRule(path);
      if (rule !== undefined) return rule.leavesOut;
    }
    return false;
  }

  /** The last one in the file itself that fits. */
  #lastRule(path: string): Rule | undefined {
    if (!path.startsWith(this.#folder) || path.length === this.#folder.length) return undefined;
    const last = this.#patterns.lastFit(path.slice(this.#folder.length));
    return last === undefined ? undefined : this.#rules[last];
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
  const pattern = readWildcards(below, DIALECT);
  const slash = { one: sameChar('/', false) };
  const end = isForFolders ? slash : { either: [[], [slash]] };
  return pattern === undefined ? [] : [{ leavesOut, pattern: [...pattern, end] }];
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
