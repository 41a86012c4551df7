/** Which files of a folder are imported, and about which the user is asked first. Globs are as in `compileGlobs`. */
export interface FileRules {
  /** The files to import; where there are no globs, `endings` decides. */
  readonly include: readonly string[];
  /** File extensions with their dot. */
  readonly endings: readonly string[];
  /** Files and whole folders to exclude. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` files apply. */
  readonly useIgnoreFiles: boolean;
  /** Files that may hold secrets. These globs match at any depth. */
  readonly sensitive: readonly string[];
}
