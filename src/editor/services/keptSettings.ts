import { type Disposable, workspace } from 'vscode';

/** Reads settings only once until any setting changes: reading takes as long as much of the rest of sending a small file. */
export class KeptSettings<Settings> implements Disposable {
  readonly #read: () => Settings;
  readonly #listening: Disposable;
  #kept: Settings | undefined;

  constructor(read: () => Settings) {
    this.#read = read;
    this.#listening = workspace.onDidChangeConfiguration(() => {
      this.#kept = undefined;
    });
  }

  get current(): Settings {
    this.#kept ??= this.#read();
    return this.#kept;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}
