import type { Disposable, FileStat, FileSystemProvider } from 'vscode';
import { EventEmitter, FileSystemError, FileType, Uri, workspace } from 'vscode';

const SCHEME = 'memory-files';

/** A file system of no disk, as in a virtual workspace; it can be made to fail. Files are named by their paths. */
export class MemoryFiles implements FileSystemProvider, globalThis.Disposable {
  readonly onDidChangeFile = new EventEmitter<never>().event;
  /** Paths of files and folders that cannot be read. */
  readonly unreadable = new Set<string>();
  /** The files whose content was asked for. */
  readonly read: string[] = [];
  /** What a folder tells of itself besides what is in it. */
  readonly more = new Map<string, [string, FileType][]>();
  /** How many folders were read at the same time, at most. */
  mostAtOnce = 0;
  #gathering = 0;
  readonly #gathered: (() => void)[] = [];
  #stalled: { readonly path: string; readonly asked: () => void } | undefined;
  readonly #files: Readonly<Record<string, string>>;
  readonly #registration: Disposable;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = files;
    this.#registration = workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });
  }

  uri(path: string): Uri {
    return Uri.from({ scheme: SCHEME, path });
  }

  /** Makes the reading of a folder hang; resolves when it was begun. */
  stallAt(path: string): Promise<void> {
    return new Promise((asked) => {
      this.#stalled = { path, asked };
    });
  }

  /** Holds the readings of folders back until so many are there. */
  gather(count: number): void {
    this.#gathering = count;
  }

  stat({ path }: Uri): FileStat {
    const text = this.#files[path];
    if (text === undefined && this.#in(path).size === 0) throw FileSystemError.FileNotFound(path);
    const type = text === undefined ? FileType.Directory : FileType.File;
    return { type, ctime: 0, mtime: 0, size: Buffer.byteLength(text ?? '') };
  }

  async readDirectory({ path }: Uri): Promise<[string, FileType][]> {
    if (this.unreadable.has(path)) throw FileSystemError.NoPermissions(path);
    if (this.#stalled?.path === path) {
      this.#stalled.asked();
      return await new Promise(() => {});
    }
    if (this.#gathering > 0) await this.#gather(path);
    return [...this.#in(path), ...(this.more.get(path) ?? [])];
  }

  readFile({ path }: Uri): Uint8Array {
    const text = this.#files[path];
    if (text === undefined) throw FileSystemError[this.#in(path).size > 0 ? 'FileIsADirectory' : 'FileNotFound'](path);
    this.read.push(path);
    if (this.unreadable.has(path)) throw FileSystemError.NoPermissions(path);
    return new TextEncoder().encode(text);
  }

  watch(): Disposable {
    return { dispose: () => {} };
  }

  createDirectory(): never {
    throw FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw FileSystemError.NoPermissions();
  }

  delete(): never {
    throw FileSystemError.NoPermissions();
  }

  rename(): never {
    throw FileSystemError.NoPermissions();
  }

  [Symbol.dispose](): void {
    this.#registration.dispose();
  }

  async #gather(path: string): Promise<void> {
    const released = new Promise<void>((release) => this.#gathered.push(release));
    if (this.#gathered.length === this.#gathering) {
      // Whatever else was asked for until now comes in before the answer to this.
      await workspace.fs.stat(this.uri(path));
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#gathered.length);
      for (const release of this.#gathered.splice(0)) release();
    }
    await released;
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
