import { FileType, type Uri, workspace } from 'vscode';
import { FileFilter, type FileRules } from '../../files/fileRules';
import { IgnoreFiles } from '../../files/gitignore';
import { type MatchBudget, PatternsTooComplexError } from '../../files/matchBudget';
import { childUri } from './childUri';
import { IGNORE_FILE, ignoreFilesAbove, withIgnoreFileIn } from './ignoreFilesOf';
import { truePath } from './truePath';

/** A file and, where its path has links, its real path. */
export interface FoundFile {
  readonly uri: Uri;
  readonly truePath: string;
}

/** A folder to read. `path` is relative to `top`: the workspace folder, or the chosen folder outside the workspace. */
interface Folder {
  readonly uri: Uri;
  readonly top: Uri;
  readonly path: string;
  readonly truePath: string;
  readonly rules: FolderRules;
  readonly ignoreFiles: IgnoreFiles;
}

/** The rules of a workspace folder, or of the chosen folder outside the workspace. */
interface FolderRules {
  readonly filter: FileFilter;
  readonly useIgnoreFiles: boolean;
}

interface Visit {
  readonly uri: Uri;
  readonly folder: Folder | undefined;
}

/** Why a file or folder is left out. */
export type LeftOutReason =
  | NonNullable<Awaited<ReturnType<FileFilter['reasonAgainst']>>>
  | 'ignored'
  | 'linkedFolder'
  | 'brokenLink'
  | 'unreadable';

/** A file or folder that is left out. */
export interface LeftOutPath {
  readonly uri: Uri;
  readonly isFolder: boolean;
  readonly reason: LeftOutReason;
}

/** Max paths that are kept of what is left out: a folder may hold a million. */
const MAX_LEFT_OUT = 10_000;

/** Max folders read at the same time: enough to hide the latency of a remote disk. */
const CONCURRENT_READS = 16;

/** A recursive search of folders. It does not follow links to folders, and skips `.git`. The counts are of CollectedFiles. */
export class FolderWalk {
  /** Not ordered. */
  readonly files: FoundFile[] = [];
  readonly leftOut: LeftOutPath[] = [];
  readonly unreadable: Uri[] = [];
  leftOutFiles = 0;
  leftOutFolders = 0;
  linkedFolders = 0;
  brokenLinks = 0;

  readonly #rulesOf: (folder: Uri) => FileRules;
  readonly #budget: MatchBudget;
  readonly #rules = new Map<string, FolderRules>();
  readonly #signal: AbortSignal;
  readonly #known: ReadonlySet<string>;
  readonly #entered = new Set<string>();
  readonly #visits: Visit[] = [];
  #failure: PatternsTooComplexError | undefined;

  /** All rules share the budget. Files whose URI strings are in `known` are skipped and not counted. */
  constructor(
    rulesOf: (folder: Uri) => FileRules,
    budget: MatchBudget,
    known: ReadonlySet<string>,
    signal: AbortSignal,
  ) {
    this.#rulesOf = rulesOf;
    this.#budget = budget;
    this.#known = known;
    this.#signal = signal;
  }

  /** Searches the folders until done or the signal aborts. @throws PatternsTooComplexError */
  async run(folders: readonly Uri[]): Promise<void> {
    for (const uri of new Map(folders.map((folder) => [folder.toString(), folder])).values()) {
      if (!uri.path.endsWith('/.git')) this.#enter({ uri, folder: undefined });
    }
    const running = new Set<Promise<void>>();
    while (!this.#isStopped && this.#visits.length + running.size > 0) {
      for (const visit of this.#visits.splice(0, CONCURRENT_READS - running.size)) {
        const visiting = this.#visit(visit).finally(() => running.delete(visiting));
        running.add(visiting);
      }
      await Promise.race(running);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  get #isStopped(): boolean {
    return this.#signal.aborted || this.#failure !== undefined;
  }

  #enter(visit: Visit): void {
    this.#entered.add(visit.uri.toString());
    this.#visits.push(visit);
  }

  async #visit({ uri, folder }: Visit): Promise<void> {
    try {
      await this.#read(folder ?? (await this.#chosenFolder(uri)));
    } catch (error) {
      if (error instanceof PatternsTooComplexError) this.#failure ??= error;
      else {
        this.unreadable.push(uri);
        this.#leaveOut(uri, true, 'unreadable');
      }
    }
  }

  async #chosenFolder(uri: Uri): Promise<Folder> {
    const top = workspace.getWorkspaceFolder(uri)?.uri ?? uri;
    const path = uri.path.slice(top.path.length).replace(/^\/|\/$/g, '');
    const rules = this.#rulesIn(top);
    const ignoreFiles = rules.useIgnoreFiles ? await ignoreFilesAbove(top, path, this.#budget) : IgnoreFiles.none;
    return { uri, top, path, truePath: await truePath(uri), rules, ignoreFiles };
  }

  #rulesIn(top: Uri): FolderRules {
    const known = this.#rules.get(top.toString());
    if (known !== undefined) return known;
    const rules = this.#rulesOf(top);
    const made = { filter: new FileFilter(rules, this.#budget), useIgnoreFiles: rules.useIgnoreFiles };
    this.#rules.set(top.toString(), made);
    return made;
  }

  async #read(folder: Folder): Promise<void> {
    const entries = await workspace.fs.readDirectory(folder.uri);
    const { top, rules } = folder;
    const hasOwn = rules.useIgnoreFiles && entries.some(([name]) => name === IGNORE_FILE);
    const ignoreFiles = hasOwn
      ? await withIgnoreFileIn(top, folder.path, folder.ignoreFiles, this.#budget)
      : folder.ignoreFiles;
    for (const [name, type] of entries) {
      if (this.#isStopped) return;
      if (!isName(name)) continue;
      const uri = childUri(folder.uri, name);
      const path = join(folder.path, name);
      const below = { uri, top, path, truePath: join(folder.truePath, name), rules, ignoreFiles };
      if ((type & FileType.Directory) !== 0) {
        if (name !== '.git') await this.#addFolder(below, type);
      } else if ((type & (FileType.File | FileType.SymbolicLink)) !== 0) {
        await this.#addFile(below, type);
      }
    }
  }

  async #addFolder(folder: Folder, type: FileType): Promise<void> {
    const { uri, path, rules, ignoreFiles } = folder;
    if (this.#entered.has(uri.toString())) return;
    const isLink = (type & FileType.SymbolicLink) !== 0;
    const isExcluded = await rules.filter.leavesOutFolder(path);
    if (isExcluded || (await ignoreFiles.ignores(path, true, this.#budget))) {
      this.leftOutFolders += 1;
      this.#leaveOut(uri, true, isExcluded ? 'excluded' : 'ignored');
    } else if (isLink) {
      this.linkedFolders += 1;
      this.#leaveOut(uri, true, 'linkedFolder');
    } else this.#enter({ uri, folder });
  }

  /** A link whose type is not a file is broken. */
  async #addFile(file: Folder, type: FileType): Promise<void> {
    const { uri, path, rules, ignoreFiles } = file;
    if (this.#known.has(uri.toString())) return;
    const isLink = (type & FileType.SymbolicLink) !== 0;
    const reason = await rules.filter.reasonAgainst(path);
    if (reason !== undefined || (await ignoreFiles.ignores(path, false, this.#budget))) {
      this.leftOutFiles += 1;
      this.#leaveOut(uri, false, reason ?? 'ignored');
    } else if ((type & FileType.File) === 0) {
      this.brokenLinks += 1;
      this.#leaveOut(uri, false, 'brokenLink');
    } else this.files.push({ uri, truePath: isLink ? await truePath(uri) : file.truePath });
  }

  #leaveOut(uri: Uri, isFolder: boolean, reason: LeftOutReason): void {
    if (this.leftOut.length < MAX_LEFT_OUT) this.leftOut.push({ uri, isFolder, reason });
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Another extension's file system may return names that are not valid. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}
