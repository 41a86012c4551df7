import type { Disposable, FileStat, FileSystemProvider } from 'vscode';
import { EventEmitter, FileSystemError, FileType, Uri, workspace } from 'vscode';

const SCHEME = 'memory-files';

const denied = (): never => {
  throw FileSystemError.NoPermissions();
};

/** An in-memory file system, as in a virtual workspace. `files` maps paths to contents. */
export class MemoryFiles implements FileSystemProvider, globalThis.Disposable {
  readonly onDidChangeFile = new EventEmitter<never>().event;
  /** Paths of files and folders that can't be read. */
  readonly unreadable = new Set<string>();
  /** Extra entries that a folder reports, by folder path. */
  readonly more = new Map<string, [string, FileType][]>();
  readonly createDirectory = denied;
  readonly writeFile = denied;
  readonly delete = denied;
  readonly rename = denied;
  readonly #files: Readonly<Record<string, string>>;
  readonly #registration: Disposable;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = files;
    this.#registration = workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });
  }

  uri(path: string): Uri {
    return Uri.from({ scheme: SCHEME, path });
  }

  stat({ path }: Uri): FileStat {
    const text = this.#files[path];
    if (text === undefined && this.#in(path).size === 0) throw FileSystemError.FileNotFound(path);
    const type = text === undefined ? FileType.Directory : FileType.File;
    return { type, ctime: 0, mtime: 0, size: Buffer.byteLength(text ?? '') };
  }

  readDirectory({ path }: Uri): [string, FileType][] {
    if (this.unreadable.has(path)) throw FileSystemError.NoPermissions(path);
    return [...this.#in(path), ...(this.more.get(path) ?? [])];
  }

  readFile({ path }: Uri): Uint8Array {
    const text = this.#files[path];
    if (text === undefined) throw FileSystemError[this.#in(path).size > 0 ? 'FileIsADirectory' : 'FileNotFound'](path);
    if (this.unreadable.has(path)) throw FileSystemError.NoPermissions(path);
    return new TextEncoder().encode(text);
  }

  watch(): Disposable {
    return { dispose: () => {} };
  }

  [Symbol.dispose](): void {
    this.#registration.dispose();
  }

  #in(folder: string): Map<string, FileType> {
    const below = Object.keys(this.#files).filter((path) => path.startsWith(`${folder}/`));
    return new Map(
      below.map((path) => {
        const [name = '', ...rest] = path.slice(folder.length + 1).split('/');
        return [name, rest.length > 0 ? FileType.Directory : FileType.File];
      }),
    );
  }
}
