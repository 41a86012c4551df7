import * as vscode from 'vscode';
import type { Dataset } from '../service/dataset';

/** The dataset and the origin for which a key was entered; it is sent nowhere else. */
export type KeyOwner = Pick<Dataset, 'name' | 'baseUrl'>;

/** The one owner of access keys: in SecretStorage, or in memory where that fails or the key is the sandbox's own. */
export class AccessKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #sessionKeys = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** Told when a key is set or cleared, in any window. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(() => this.#changed.fire());
  }

  /** The key for this dataset at its present origin; undefined where none was entered for it. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const slot = slotOf(owner);
    return this.#sessionKeys.get(slot) ?? (await this.#secrets.get(slot));
  }

  /** Keeps a key. @throws what SecretStorage throws */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const slot = slotOf(owner);
    await this.#secrets.store(slot, key);
    this.#sessionKeys.delete(slot);
    this.#changed.fire();
  }

  /** Keeps a key in memory until the window closes. */
  setForSession(owner: KeyOwner, key: string): void {
    this.#sessionKeys.set(slotOf(owner), key);
    this.#changed.fire();
  }

  /** Forgets a key. */
  async clear(owner: KeyOwner): Promise<void> {
    this.#sessionKeys.delete(slotOf(owner));
    await this.#secrets.delete(slotOf(owner));
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function slotOf({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify(['accessKey', name, baseUrl.origin]);
}
