import ignore, { type Ignore } from 'ignore';

// By default, Git ignores case on Windows and macOS.
const OPTIONS = { ignoreCase: process.platform === 'win32' || process.platform === 'darwin', allowRelativePaths: true };

interface IgnoreFile {
  readonly folder: string;
  /** These rules match paths relative to `folder`. */
  readonly rules: Ignore;
}

/**
 * The `.gitignore` files of a root folder and its subfolders, applied together. All paths are relative to the root, use
 * forward slashes, and end in `/` if they name a folder. The root's own path is ''.
 */
export class IgnoreFiles {
  readonly #own = new Map<string, IgnoreFile>();
  /** The ignore files that apply in each folder. The deepest one comes first, because it takes precedence. */
  readonly #applying = new Map<string, readonly IgnoreFile[]>();

  /**
   * Adds the ignore file of a folder. Call this before matching paths in the folder. @throws SyntaxError if a line is
   * too long
   */
  add(folder: string, text: string): void {
    this.#own.set(folder, { folder, rules: ignore(OPTIONS).add(text) });
  }

  /**
   * Whether a file, or a folder and everything in it, is ignored. Call this for a path inside an ignored folder only if
   * the user chose that folder. In that case, the ignore files above the folder don't apply.
   */
  ignores(path: string): boolean {
    return this.#areIgnoring(this.#applyingIn(folderOf(path)), path);
  }

  #areIgnoring(files: readonly IgnoreFile[], path: string): boolean {
    for (const { folder, rules } of files) {
      const { ignored, unignored } = rules.test(path.slice(folder.length));
      if (ignored || unignored) return ignored;
    }
    return false;
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
      const path = folder.slice(file.folder.length);
      if (!file.rules.test(path).ignored) return file;
      // A deeper ignore file has re-included the folder, but the library would still ignore everything in it.
      // The escaped pattern matches only this folder.
      const reIncluded = `!/${path.replace(/[\\*?[ ]/g, '\\$&')}`;
      return { ...file, rules: ignore(OPTIONS).add(file.rules).add([reIncluded]) };
    });
  }
}

/** The parent folder of a file or folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}
