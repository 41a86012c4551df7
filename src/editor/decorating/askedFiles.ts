/**
 * The files that VS Code has asked about, as it forgets none of them: it is told of the changes of these alone, as it would
 * ask about any other one too. They are found by their addresses as VS Code has them, by their real paths and by the keys of
 * their tasks.
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
