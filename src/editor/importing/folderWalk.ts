import { FileSystemError, FileType, type Uri, workspace } from 'vscode';
import { type CompiledRules, compileRules, type FileRules, type RuleReason } from '../../files/fileRules';
import { inSlices } from '../../tasks/timing/inSlices';
import { truePath } from './filePaths';

/** A file or folder that is skipped, and why. */
export interface SkippedPath {
  readonly uri: Uri;
  readonly reason: RuleReason | 'linkedFolder' | 'brokenLink' | 'unreadable';
}

/** The workspace folder that contains a chosen folder, or the chosen folder itself if it is outside the workspace. */
interface Top extends CompiledRules {
  readonly uri: Uri;
}

/** A folder to read. `path` is relative to `top` and ends in `/`; the path of `top` is ''. */
interface Folder {
  readonly uri: Uri;
  readonly top: Top;
  readonly path: string;
  /** The real path. */
  readonly truePath: string;
}

interface Visit {
  readonly uri: Uri;
  /** Undefined for a chosen folder. `#chosenFolder` then creates its `Folder`. */
  readonly folder?: Folder;
}

/** Max skipped paths to list, because a folder may contain a million of them. */
const MAX_SKIPPED = 10_000;

/** Max folders to read at the same time. This is enough to hide the latency of a remote disk. */
const CONCURRENT_READS = 16;

/** Max paths to match before yielding to the event loop. With typical patterns, this takes a few milliseconds. */
export const MATCHED_AT_ONCE = 500;

const IGNORE_FILE = '.gitignore';

/** File systems provided by other extensions may return an empty name, `.`, `..`, or a name with a slash. */
const INVALID_NAME = /^\.{0,2}$|\//;

/** A recursive search of folders. It does not follow links to folders, and skips `.git`. */
export class FolderWalk {
  /** The files and their real paths, in no particular order. */
  readonly files: Pick<Folder, 'uri' | 'truePath'>[] = [];
  /** At most `MAX_SKIPPED` paths, in no particular order. */
  readonly skipped: SkippedPath[] = [];
  /** How many files and folders were skipped. */
  skippedCount = 0;
  readonly #tops = new Map<string, Top>();
  readonly #entered = new Set<string>();
  readonly #visits: Visit[] = [];

  /** Leaves out files whose URIs are in `chosen`. `onFound` is called with the number of files found so far. */
  constructor(
    private readonly rulesOf: (folder: Uri) => FileRules,
    private readonly chosen: ReadonlySet<string>,
    private readonly signal: AbortSignal,
    private readonly onFound: (files: number) => void,
  ) {}

  /** Searches the folders until all of them have been read or the signal is aborted. */
  async run(folders: readonly Uri[]): Promise<void> {
    for (const uri of new Map(folders.map((folder) => [folder.toString(), folder])).values())
      if (!uri.path.endsWith('/.git')) this.#enter({ uri });
    const running = new Set<Promise<void>>();
    while (!this.signal.aborted && this.#visits.length + running.size > 0) {
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
      this.#skip({ uri, reason: 'unreadable' });
    }
  }

  async #chosenFolder(uri: Uri): Promise<Folder> {
    const top = this.#topOf(workspace.getWorkspaceFolder(uri)?.uri ?? uri);
    let path = '';
    for (const name of uri.path.slice(top.uri.path.length).split('/').filter(Boolean)) {
      if (top.useIgnoreFiles) await addIgnoreFile(top, path);
      path += `${name}/`;
    }
    return { uri, top, path, truePath: await truePath(uri) };
  }

  #topOf(uri: Uri): Top {
    const known = this.#tops.get(uri.toString());
    if (known !== undefined) return known;
    const top = { uri, ...compileRules(this.rulesOf(uri)) };
    this.#tops.set(uri.toString(), top);
    return top;
  }

  async #read(folder: Folder): Promise<void> {
    const { top, path } = folder;
    const found = await workspace.fs.readDirectory(folder.uri);
    if (top.useIgnoreFiles && found.some(([name]) => name === IGNORE_FILE)) await addIgnoreFile(top, path);
    for await (const slice of inSlices(found, MATCHED_AT_ONCE)) {
      for (const [name, type] of slice) await this.#add(folder, name, type);
      this.onFound(this.files.length);
    }
  }

  /**
   * Enters a folder, or adds or skips a file. Ignores everything else, including files and folders that were already
   * added.
   */
  async #add(folder: Folder, name: string, type: FileType): Promise<void> {
    const [isFolder, isLink] = [(type & FileType.Directory) !== 0, (type & FileType.SymbolicLink) !== 0];
    const isFile = !isFolder && (type & (FileType.File | FileType.SymbolicLink)) !== 0;
    if (INVALID_NAME.test(name) || !(isFile || (isFolder && name !== '.git'))) return;
    const uri = childUri(folder.uri, name);
    if ((isFile ? this.chosen : this.#entered).has(uri.toString())) return;
    const path = `${folder.path}${name}${isFile ? '' : '/'}`;
    const isBroken = isFile && (type & FileType.File) === 0;
    const linkReason = isFolder && isLink ? 'linkedFolder' : isBroken ? 'brokenLink' : undefined;
    const reason = folder.top.reasonAgainst(path) ?? linkReason;
    const below = { uri, top: folder.top, path, truePath: join(folder.truePath, name) };
    if (reason !== undefined) this.#skip({ uri, reason });
    else if (isFolder) this.#enter({ uri, folder: below });
    else this.files.push({ uri, truePath: isLink ? await truePath(uri) : below.truePath });
  }

  #skip(one: SkippedPath): void {
    this.skippedCount += 1;
    if (this.skipped.length < MAX_SKIPPED) this.skipped.push(one);
  }
}

/** @throws FileSystemError if the file exists but can't be read */
async function addIgnoreFile({ uri, ignoreFiles }: Top, path: string): Promise<void> {
  try {
    const bytes = await workspace.fs.readFile(childUri(uri, `${path}${IGNORE_FILE}`));
    ignoreFiles.add(path, new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof FileSystemError && /^File(NotFound|IsADirectory)$/.test(error.code))) throw error;
  }
}

/** The URI of a path in a folder. Unlike `Uri.joinPath`, it does not interpret a backslash or `..` in a name. */
function childUri(folder: Uri, path: string): Uri {
  return folder.with({ path: join(folder.path, path) });
}

function join(folder: string, name: string): string {
  return `${folder.replace(/\/$/, '')}/${name}`;
}
