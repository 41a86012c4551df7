import { EventEmitter, type Memento, type SecretStorage, type SecretStorageChangeEvent } from 'vscode';

/** An in-memory SecretStorage that records how it is used. */
export class MemorySecrets implements SecretStorage {
  /** The names of the secrets that were read, in order. */
  readonly reads: string[] = [];
  readonly kept = new Map<string, string>();
  readonly #changed = new EventEmitter<SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return [...this.kept.keys()];
  }

  async get(name: string): Promise<string | undefined> {
    this.reads.push(name);
    return this.kept.get(name);
  }

  async store(name: string, secret: string): Promise<void> {
    this.kept.set(name, secret);
    this.#changed.fire({ key: name });
  }

  async delete(name: string): Promise<void> {
    this.kept.delete(name);
    this.#changed.fire({ key: name });
  }
}

/** An in-memory Memento. */
export class MemoryMemento implements Memento {
  readonly #values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string): T | undefined;
  get<T>(key: string, otherwise: T): T;
  get<T>(key: string, otherwise?: T): T | undefined {
    return this.#values.has(key) ? (this.#values.get(key) as T) : otherwise;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }
}
