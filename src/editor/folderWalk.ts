import { FileType, type Uri, workspace } from 'vscode';
import type { FileJudge } from '../tasks/fileRules';
import { IgnoreFiles } from '../tasks/gitignore';
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

  readonly #judge: FileJudge;
  readonly #usesIgnoreFiles: boolean;
  readonly #signal: AbortSignal;
  readonly #known: ReadonlySet<string>;
  readonly #entered = new Set<string>();
  readonly #visits: Visit[] = [];

  /** Files that are among `known`, as strings, count as neither found nor left out. */
  constructor(judge: FileJudge, usesIgnoreFiles: boolean, known: ReadonlySet<string>, signal: AbortSignal) {
    this.#judge = judge;
    this.#usesIgnoreFiles = usesIgnoreFiles;
    this.#known = known;
    this.#signal = signal;
  }

  /** Walks from these folders to the end, or until the signal aborts. Never rejects. */
  async run(folders: readonly Uri[]): Promise<void> {
    for (const uri of new Map(folders.map((folder) => [folder.toString(), folder])).values()) {
      if (!uri.path.endsWith('/.git')) this.#enter({ uri, folder: undefined });
    }
    const running = new Set<Promise<void>>();
    while (!this.#signal.aborted && this.#visits.length + running.size > 0) {
      for (const visit of this.#visits.splice(0, FOLDERS_AT_ONCE - running.size)) {
        const visiting = this.#visit(visit).finally(() => running.delete(visiting));
        running.add(visiting);
      }
      await Promise.race(running);
    }
  }

  #enter(visit: Visit): void {
    this.#entered.add(visit.uri.toString());
    this.#visits.push(visit);
  }

  async #visit({ uri, folder }: Visit): Promise<void> {
    try {
      await this.#read(folder ?? (await this.#given(uri)));
    } catch {
      this.unreadable.push(uri);
    }
  }

  async #given(uri: Uri): Promise<Folder> {
    const top = workspace.getWorkspaceFolder(uri)?.uri ?? uri;
    const path = uri.path.slice(top.path.length).replace(/^\/|\/$/g, '');
    const ignoreFiles = this.#usesIgnoreFiles ? await ignoreFilesAbove(top, path) : IgnoreFiles.none;
    return { uri, top, path, truePath: await truePath(uri), ignoreFiles };
  }

  async #read(folder: Folder): Promise<void> {
    const entries = await workspace.fs.readDirectory(folder.uri);
    const hasOwn = this.#usesIgnoreFiles && entries.some(([name]) => name === IGNORE_FILE);
    const ignoreFiles = hasOwn
      ? await withIgnoreFileIn(folder.top, folder.path, folder.ignoreFiles)
      : folder.ignoreFiles;
    for (const [name, type] of entries) {
      if (this.#signal.aborted) return;
      if (!isName(name)) continue;
      const uri = childUri(folder.uri, name);
      const path = join(folder.path, name);
      const isLink = (type & FileType.SymbolicLink) !== 0;
      if ((type & FileType.File) !== 0) {
        if (this.#known.has(uri.toString())) continue;
        if (!this.#judge.takesFile(path) || ignoreFiles.ignoresFile(path)) this.leftOutFiles += 1;
        else this.files.push({ uri, truePath: isLink ? await truePath(uri) : join(folder.truePath, name) });
      } else if ((type & FileType.Directory) !== 0 && !isLink && name !== '.git') {
        if (this.#entered.has(uri.toString())) continue;
        const below = { uri, top: folder.top, path, truePath: join(folder.truePath, name), ignoreFiles };
        if (this.#judge.leavesOutFolder(path) || ignoreFiles.ignoresFolder(path)) this.leftOutFolders += 1;
        else this.#enter({ uri, folder: below });
      }
    }
  }
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Whose file system it is we do not know. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}
