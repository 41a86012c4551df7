import ignore, { type Ignore } from 'ignore';

// As Git does by default on the file systems of these platforms.
const OPTIONS = {
  ignoreCase: process.platform === 'win32' || process.platform === 'darwin',
  allowRelativePaths: true,
};

/** An ignore file that applies in a folder. */
interface IgnoreFile {
  /** The path of the folder that it is in. */
  readonly folder: string;
  /** For paths relative to that folder. */
  readonly rules: Ignore;
}

/**
 * The `.gitignore` files of a folder and of those below it, applied together. All paths are relative to the topmost
 * folder, which is '', and have `/` between their names; that of a folder ends in `/`.
 */
export class IgnoreFiles {
  readonly #own = new Map<string, IgnoreFile>();
  /** By folder; the one in the deepest folder first, as it takes precedence. */
  readonly #applying = new Map<string, readonly IgnoreFile[]>();

  /** Adds the file of a folder, before anything in the folder is matched. @throws SyntaxError for very long lines */
  add(folder: string, text: string): void {
    this.#own.set(folder, { folder, rules: ignore(OPTIONS).add(text) });
  }

  /**
   * Whether a file or folder is ignored, a folder with all that is in it. A folder above it that is ignored must have been
   * chosen by the user: the ignore files above that folder do not apply in it.
   */
  ignores(path: string): boolean {
    return this.#areIgnoring(this.#applyingIn(folderOf(path)), path);
  }

  #areIgnoring(files: readonly IgnoreFile[], path: string): boolean {
    for (const file of files) {
      const { ignored, unignored } = this.#test(file, path);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  #test({ folder, rules }: IgnoreFile, path: string): ReturnType<Ignore['test']> {
    return rules.test(path.slice(folder.length));
  }

  #applyingIn(folder: string): readonly IgnoreFile[] {
    const known = this.#applying.get(folder);
    if (known !== undefined) return known;
    const own = this.#own.get(folder);
    const above = folder === '' ? [] : this.#inherited(folder);
    const files = own === undefined ? above : [own, ...above];
    this.#applying.set(folder, files);
    return files;
  }

  #inherited(folder: string): readonly IgnoreFile[] {
    const above = this.#applyingIn(folderOf(folder));
    if (this.#areIgnoring(above, folder)) return [];
    return above.map((file) => {
      if (!this.#test(file, folder).ignored) return file;
      // A deeper file has taken the folder back. The library would ignore all that is in it.
      const takenBack = `!/${escaped(folder.slice(file.folder.length))}`;
      return { ...file, rules: ignore(OPTIONS).add(file.rules).add([takenBack]) };
    });
  }
}

/** The path of the folder that a file or folder is in. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}

/** A path as a pattern for it alone. */
function escaped(path: string): string {
  return path.replace(/[\\*?[ ]/g, '\\$&');
}
