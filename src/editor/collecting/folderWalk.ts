import { FileSystemError, FileType, type Uri, workspace } from 'vscode';
import type { FileMatcher, ReasonAgainst } from '../../files/fileMatcher';
import type { FileRules } from '../../files/fileRules';
import { inSlices } from '../../tasks/timing/inSlices';
import { truePath } from './filePaths';

/** A file and, where its path has links, its real path. */
export interface FoundFile {
  readonly uri: Uri;
  readonly truePath: string;
}

/**
 * A folder to read. `path` is relative to `top`, the workspace folder or the chosen folder outside the workspace; it ends
 * in `/`, but that of `top` is ''.
 */
interface Folder {
  readonly uri: Uri;
  readonly top: Uri;
  readonly path: string;
  readonly truePath: string;
  readonly useIgnoreFiles: boolean;
}

interface Visit {
  readonly uri: Uri;
  readonly folder: Folder | undefined;
}

/** What a folder holds, and the path by which it is matched. */
interface Entry {
  readonly uri: Uri;
  readonly path: string;
  readonly name: string;
  readonly type: FileType;
}

/** Why a file or folder is left out. */
export type LeftOutReason = ReasonAgainst | 'linkedFolder' | 'brokenLink' | 'unreadable';

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

/** Max paths matched before other work of the extension host runs: a few milliseconds with the usual patterns. */
export const MATCHED_AT_ONCE = 500;

const IGNORE_FILE = '.gitignore';

/** A recursive search of folders. It does not follow links to folders, and skips `.git`. The counts are of CollectedFiles. */
export class FolderWalk {
  /** Not ordered. */
  readonly files: FoundFile[] = [];
  readonly leftOut: LeftOutPath[] = [];
  leftOutFiles = 0;
  leftOutFolders = 0;

  readonly #rulesOf: (folder: Uri) => FileRules;
  readonly #matching: FileMatcher;
  readonly #rules = new Map<string, FileRules>();
  readonly #signal: AbortSignal;
  readonly #onFound: (files: number) => void;
  readonly #known: ReadonlySet<string>;
  readonly #entered = new Set<string>();
  readonly #visits: Visit[] = [];

  /** Files whose URI strings are in `known` are skipped and not counted; `onFound` gets the number of files, again and again. */
  constructor(
    rulesOf: (folder: Uri) => FileRules,
    matching: FileMatcher,
    known: ReadonlySet<string>,
    signal: AbortSignal,
    onFound: (files: number) => void,
  ) {
    this.#onFound = onFound;
    this.#rulesOf = rulesOf;
    this.#matching = matching;
    this.#known = known;
    this.#signal = signal;
  }

  /** Searches the folders until done or the signal aborts. */
  async run(folders: readonly Uri[]): Promise<void> {
    for (const uri of new Map(folders.map((folder) => [folder.toString(), folder])).values()) {
      if (!uri.path.endsWith('/.git')) this.#enter({ uri, folder: undefined });
    }
    const running = new Set<Promise<void>>();
    while (!this.#signal.aborted && this.#visits.length + running.size > 0) {
      for (const visit of this.#visits.splice(0, CONCURRENT_READS - running.size)) {
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
      await this.#read(folder ?? (await this.#chosenFolder(uri)));
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      this.#leaveOut(uri, true, 'unreadable');
    }
  }

  async #chosenFolder(uri: Uri): Promise<Folder> {
    const top = workspace.getWorkspaceFolder(uri)?.uri ?? uri;
    const { useIgnoreFiles } = this.#rulesIn(top);
    let path = '';
    for (const name of uri.path.slice(top.path.length).split('/').filter(Boolean)) {
      if (useIgnoreFiles) await this.#addIgnoreFile(top, path);
      path += `${name}/`;
    }
    return { uri, top, path, truePath: await truePath(uri), useIgnoreFiles };
  }

  #rulesIn(top: Uri): FileRules {
    const known = this.#rules.get(top.toString());
    if (known !== undefined) return known;
    const rules = this.#rulesOf(top);
    this.#rules.set(top.toString(), rules);
    this.#matching.addFolder(top.toString(), rules);
    return rules;
  }

  /** @throws FileSystemError if the file cannot be read */
  async #addIgnoreFile(top: Uri, path: string): Promise<void> {
    try {
      const text = new TextDecoder().decode(await workspace.fs.readFile(childUri(top, `${path}${IGNORE_FILE}`)));
      this.#matching.addIgnoreFile(top.toString(), path, text);
    } catch (error) {
      if (!(error instanceof FileSystemError && /^File(NotFound|IsADirectory)$/.test(error.code))) throw error;
    }
  }

  async #read(folder: Folder): Promise<void> {
    const { top, path, useIgnoreFiles } = folder;
    const found = await workspace.fs.readDirectory(folder.uri);
    if (useIgnoreFiles && found.some(([name]) => name === IGNORE_FILE)) await this.#addIgnoreFile(top, path);
    for await (const slice of inSlices(found, MATCHED_AT_ONCE)) {
      for (const entry of slice.flatMap(([name, type]) => this.#entryOf(folder, name, type)))
        await this.#add(folder, entry, this.#matching.reasonAgainst(top.toString(), entry.path));
      this.#onFound(this.files.length);
    }
  }

  /** Enters a folder, notes a file, or leaves either out. A link whose type is not a file is broken. */
  async #add(folder: Folder, { uri, path, name, type }: Entry, against: ReasonAgainst | undefined): Promise<void> {
    const below = { ...folder, uri, path, truePath: join(folder.truePath, name) };
    const isLinkedFolder = isFolder(type) && isLink(type);
    const isBroken = !isFolder(type) && (type & FileType.File) === 0;
    const reason = against ?? (isLinkedFolder ? 'linkedFolder' : isBroken ? 'brokenLink' : undefined);
    if (reason !== undefined) this.#leaveOut(uri, isFolder(type), reason);
    else if (isFolder(type)) this.#enter({ uri, folder: below });
    else this.files.push({ uri, truePath: isLink(type) ? await truePath(uri) : below.truePath });
  }

  /** None for what is neither a file nor a folder, and for what is known already. */
  #entryOf(folder: Folder, name: string, type: FileType): Entry[] {
    const isFile = !isFolder(type) && (type & (FileType.File | FileType.SymbolicLink)) !== 0;
    if (!isName(name) || !(isFile || (isFolder(type) && name !== '.git'))) return [];
    const uri = childUri(folder.uri, name);
    if ((isFile ? this.#known : this.#entered).has(uri.toString())) return [];
    return [{ uri, path: `${folder.path}${name}${isFile ? '' : '/'}`, name, type }];
  }

  #leaveOut(uri: Uri, isFolder: boolean, reason: LeftOutReason): void {
    if (isFolder) this.leftOutFolders += 1;
    else this.leftOutFiles += 1;
    if (this.leftOut.length < MAX_LEFT_OUT) this.leftOut.push({ uri, isFolder, reason });
  }
}

/** The URI of a path in a folder. Unlike `Uri.joinPath`, it does not interpret a backslash or `..` in a name. */
function childUri(folder: Uri, path: string): Uri {
  return folder.with({ path: join(folder.path, path) });
}

function isFolder(type: FileType): boolean {
  return (type & FileType.Directory) !== 0;
}

function isLink(type: FileType): boolean {
  return (type & FileType.SymbolicLink) !== 0;
}

function join(folder: string, name: string): string {
  return `${folder.replace(/\/$/, '')}/${name}`;
}

/** Another extension's file system may return names that are not valid. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}
