import { FileType, type Uri, workspace } from 'vscode';
import type { FileFilter } from '../../files/fileRules';
import { IgnoreFiles } from '../../files/gitignore';
import { PatternsTooComplexError } from '../../files/matchBudget';
import { childUri } from './childUri';
import { IGNORE_FILE, ignoreFilesAbove, withIgnoreFileIn } from './ignoreFilesOf';
import { truePath } from './truePath';

/** A file, and the path to which links lead: it is judged by both. */
export interface FoundFile {
  readonly uri: Uri;
  readonly truePath: string;
}

/** A folder to read; `path` leads to it from `top`, the workspace's folder or else the one that was given. */
interface Folder {
  readonly uri: Uri;
  readonly top: Uri;
  readonly path: string;
  readonly truePath: string;
  readonly ignoreFiles: IgnoreFiles;
}

interface Visit {
  readonly uri: Uri;
  readonly folder: Folder | undefined;
}

// Enough to hide the way to a remote disk; more would only fill its queue.
const FOLDERS_AT_ONCE = 16;

/** One search of folders and of all below them. It follows no link to a folder, and enters no `.git`. */
export class FolderWalk {
  /** In no certain order. */
  readonly files: FoundFile[] = [];
  readonly unreadable: Uri[] = [];
  /** Files that were seen and left out by a glob, an ignore file or their ending. */
  leftOutFiles = 0;
  /** Folders that were left out as a whole. */
  leftOutFolders = 0;
  /** Links to folders that no rule leaves out. */
  linkedFolders = 0;
  /** Links to nothing that a rule would have taken. */
  brokenLinks = 0;

  readonly #filter: FileFilter;
  readonly #usesIgnoreFiles: boolean;
  readonly #signal: AbortSignal;
  readonly #known: ReadonlySet<string>;
  readonly #entered = new Set<string>();
  readonly #visits: Visit[] = [];
  #failure: PatternsTooComplexError | undefined;

  /** Files that are among `known`, as strings, count as neither found nor left out. */
  constructor(filter: FileFilter, usesIgnoreFiles: boolean, known: ReadonlySet<string>, signal: AbortSignal) {
    this.#filter = filter;
    this.#usesIgnoreFiles = usesIgnoreFiles;
    this.#known = known;
    this.#signal = signal;
  }

  /**
   * Walks from these folders to the end, or until the signal aborts. @throws PatternsTooComplexError: what the rules
   * hold back is not known then
   */
  async run(folders: readonly Uri[]): Promise<void> {
    for (const uri of new Map(folders.map((folder) => [folder.toString(), folder])).values()) {
      if (!uri.path.endsWith('/.git')) this.#enter({ uri, folder: undefined });
    }
    const running = new Set<Promise<void>>();
    while (!this.#hasToStop && this.#visits.length + running.size > 0) {
      for (const visit of this.#visits.splice(0, FOLDERS_AT_ONCE - running.size)) {
        const visiting = this.#visit(visit).finally(() => running.delete(visiting));
        running.add(visiting);
      }
      await Promise.race(running);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  get #hasToStop(): boolean {
    return this.#signal.aborted || this.#failure !== undefined;
  }

  #enter(visit: Visit): void {
    this.#entered.add(visit.uri.toString());
    this.#visits.push(visit);
  }

  async #visit({ uri, folder }: Visit): Promise<void> {
    try {
      await this.#read(folder ?? (await this.#given(uri)));
    } catch (error) {
      if (error instanceof PatternsTooComplexError) this.#failure ??= error;
      else this.unreadable.push(uri);
    }
  }

  async #given(uri: Uri): Promise<Folder> {
    const top = workspace.getWorkspaceFolder(uri)?.uri ?? uri;
    const path = uri.path.slice(top.path.length).replace(/^\/|\/$/g, '');
    const { budget } = this.#filter;
    const ignoreFiles = this.#usesIgnoreFiles ? await ignoreFilesAbove(top, path, budget) : IgnoreFiles.none;
    return { uri, top, path, truePath: await truePath(uri), ignoreFiles };
  }

  async #read(folder: Folder): Promise<void> {
    const entries = await workspace.fs.readDirectory(folder.uri);
    const hasOwn = this.#usesIgnoreFiles && entries.some(([name]) => name === IGNORE_FILE);
    const ignoreFiles = hasOwn
      ? await withIgnoreFileIn(folder.top, folder.path, folder.ignoreFiles, this.#filter.budget)
      : folder.ignoreFiles;
    for (const [name, type] of entries) {
      if (this.#hasToStop) return;
      if (!isName(name)) continue;
      const uri = childUri(folder.uri, name);
      const path = join(folder.path, name);
      const below = { uri, top: folder.top, path, truePath: join(folder.truePath, name), ignoreFiles };
      if ((type & FileType.Directory) !== 0) {
        if (name !== '.git') await this.#addFolder(below, type);
      } else if ((type & (FileType.File | FileType.SymbolicLink)) !== 0) {
        await this.#addFile(below, type);
      }
    }
  }

  async #addFolder(folder: Folder, type: FileType): Promise<void> {
    const { uri, path, ignoreFiles } = folder;
    if (this.#entered.has(uri.toString())) return;
    const { budget } = this.#filter;
    const isLink = (type & FileType.SymbolicLink) !== 0;
    if ((await this.#filter.leavesOutFolder(path)) || (await ignoreFiles.ignores(path, true, budget))) {
      this.leftOutFolders += 1;
    } else if (isLink) this.linkedFolders += 1;
    else this.#enter({ uri, folder });
  }

  /** Where it is a link, to a file or to nothing. */
  async #addFile({ uri, path, truePath: place, ignoreFiles }: Folder, type: FileType): Promise<void> {
    if (this.#known.has(uri.toString())) return;
    const { budget } = this.#filter;
    if (!(await this.#filter.takesFile(path)) || (await ignoreFiles.ignores(path, false, budget)))
      this.leftOutFiles += 1;
    else if ((type & FileType.File) === 0) this.brokenLinks += 1;
    else this.files.push({ uri, truePath: (type & FileType.SymbolicLink) !== 0 ? await truePath(uri) : place });
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Whose file system it is we do not know. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}
