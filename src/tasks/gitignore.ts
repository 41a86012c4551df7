import ignore, { type Ignore } from 'ignore';

// As Git does by default on the file systems of these platforms.
const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

/**
 * What the `.gitignore` files from the topmost folder down to one folder say together. All paths start at the topmost
 * folder and have `/` between their parts.
 */
export class IgnoreFiles {
  /** No ignore file says anything. */
  static readonly none = new IgnoreFiles(undefined);

  readonly #rules: Ignore | undefined;

  private constructor(rules: Ignore | undefined) {
    this.#rules = rules;
  }

  /** These and one more, deeper down, which has the last word. `folder` is the path of its folder, '' for the topmost. */
  with(folder: string, text: string): IgnoreFiles {
    const rules = ignore({ ignoreCase: IGNORE_CASE, allowRelativePaths: true });
    if (this.#rules !== undefined) rules.add(this.#rules);
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    return new IgnoreFiles(rules.add(lines.flatMap((line) => seenFromTop(folder, line))));
  }

  /** Whether the file is left out. */
  ignoresFile(path: string): boolean {
    return this.#rules?.ignores(path) ?? false;
  }

  /** Whether the folder is left out, with all that is in it. */
  ignoresFolder(path: string): boolean {
    return this.#rules?.ignores(`${path}/`) ?? false;
  }
}

/** A line of the ignore file of `folder`, written as if it stood in the topmost folder's; none where it says nothing. */
function seenFromTop(folder: string, line: string): { pattern: string }[] {
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length);
  if (line.startsWith('#') || /^[/\s]*$/.test(pattern)) return [];
  // Only a slash before the end ties a pattern to the file's own folder.
  const isTied = /\/(?=.*[^\s/])/.test(pattern);
  const below = isTied ? pattern.replace(/^\//, '') : `**/${pattern}`;
  return [{ pattern: folder === '' ? line : `${negation}/${escaped(folder)}/${below}` }];
}

function escaped(folder: string): string {
  return folder.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
}
