/**
 * The files whose decorations VS Code has read, by their addresses, their real paths and the keys of their tasks. Only their
 * changes are of interest: after an event VS Code would read the decoration of any other file too.
 */
export class AskedFiles {
  readonly #addresses = new Set<string>();
  readonly #byPath = new Map<string, Set<string>>();
  readonly #paths = new Map<number, string>();

  /** Notes an address, and the real path of its file: a file in a linked folder has several addresses. */
  note(address: string, path: string): void {
    this.#addresses.add(address);
    const addresses = this.#byPath.get(path) ?? new Set();
    this.#byPath.set(path, addresses.add(address));
  }

  /** Notes the task of a file: one that is removed, or that moves, is known by its key alone. */
  noteTask(key: number, path: string): void {
    this.#paths.set(key, path);
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }

  /** The addresses of the file with this path. */
  at(path: string): Iterable<string> {
    return this.#byPath.get(path) ?? [];
  }

  /** The addresses of the file that a task was of. */
  ofTask(key: number): Iterable<string> {
    return this.at(this.#paths.get(key) ?? '');
  }

  /** Forgets all: VS Code asks again about those that it shows. */
  clear(): void {
    this.#addresses.clear();
    this.#byPath.clear();
    this.#paths.clear();
  }
}
