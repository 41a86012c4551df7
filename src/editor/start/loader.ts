import { commands, l10n } from 'vscode';
import { window } from '../platform/window';

/** Loads the engine when it is first needed, and only once. */
export class Loader<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Undefined if nothing was loaded so far. */
  get begun(): Promise<T> | undefined {
    return this.#loading;
  }

  /** If loading fails, every call shows the error and rejects. A second try could repeat what the first one did. */
  async get(): Promise<T> {
    this.#loading ??= this.#load();
    try {
      return await this.#loading;
    } catch (error) {
      void showLoadError(error);
      throw error;
    }
  }
}

/** `Messages`, which shows all other errors, may be what couldn't be loaded. */
async function showLoadError(error: unknown): Promise<void> {
  const reload = l10n.t('Reload Window');
  const reason = error instanceof Error ? error.message : String(error);
  const message = l10n.t('Dataset Import could not be loaded: {0}', reason);
  const chosen = await window.showErrorMessage(message, {}, reload);
  if (chosen === reload) await commands.executeCommand('workbench.action.reloadWindow');
}
