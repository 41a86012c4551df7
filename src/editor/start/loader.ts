import { commands, l10n } from 'vscode';
import { window } from '../platform/window';

/** @throws Error if this Node lacks what the engine uses. Other editors, such as Theia, run extensions on any Node. */
export function checkNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19))
    throw new Error(l10n.t('This editor runs extensions on Node.js {0}, and 22.19 or later is needed.', version));
}

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
