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

/** Patterns take longer than an import may wait. `source` names the setting or ignore file that they are in. */
export class PatternsTooComplexError extends Error {
  override readonly name = 'PatternsTooComplexError';
  readonly source: string;

  constructor(source: string, options?: ErrorOptions) {
    super(`The patterns in ${source} are too complex`, options);
    this.source = source;
  }
}
