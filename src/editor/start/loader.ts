import { commands, l10n } from 'vscode';
import { window } from '../platform/window';

/** Loads what a window does not need from its start, when it is first needed. */
export class Loader<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** What is loaded, or being loaded; undefined while nothing has been needed. */
  get begun(): Promise<T> | undefined {
    return this.#loading;
  }

  /** Loads it once. Where that fails, every call says so to the user and rejects: a second try could double what was begun. */
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

/** `Messages`, which shows other errors and logs them, could not be loaded either. */
async function showLoadError(error: unknown): Promise<void> {
  const reload = l10n.t('Reload Window');
  const reason = error instanceof Error ? error.message : String(error);
  const message = l10n.t('Dataset Import could not be loaded: {0}', reason);
  const chosen = await window.showErrorMessage(message, {}, reload);
  if (chosen === reload) await commands.executeCommand('workbench.action.reloadWindow');
}
