import * as vscode from 'vscode';
import type { Dataset } from '../service/dataset';
import { KnownKeys } from '../service/knownKeys';
import { UserError } from './userError';

/** The dataset and the origin for which a key was entered; it is sent nowhere else. */
export type KeyOwner = Pick<Dataset, 'name' | 'baseUrl'>;

/** The one owner of access keys: in SecretStorage, or in memory where that fails or the key is the sandbox's own. */
export class AccessKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #known: KnownKeys;
  readonly #sessionKeys = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unreadable = new vscode.EventEmitter<unknown>();
  readonly #subscription: vscode.Disposable;
  #isUnreadableTold = false;
  /** Told when a key is set or cleared, in any window. */
  readonly onDidChange = this.#changed.event;
  /** Told with the cause when SecretStorage cannot be read, the first time only. */
  readonly onDidFindUnreadable = this.#unreadable.event;

  /** Every key that is read, set or replaced goes into `known`, to be masked. */
  constructor(secrets: vscode.SecretStorage, known: KnownKeys = new KnownKeys()) {
    this.#secrets = secrets;
    this.#known = known;
    this.#subscription = secrets.onDidChange(() => this.#changed.fire());
  }

  /** The key for this dataset at its present origin; undefined where none was entered for it, or it cannot be read. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const slot = slotOf(owner);
    return this.#sessionKeys.get(slot) ?? (await this.#read(slot));
  }

  /** Keeps a key where it can be read again. @throws what SecretStorage throws */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const slot = slotOf(owner);
    this.#known.add(key);
    // A service may repeat the key that is replaced.
    this.#known.add((await this.#secrets.get(slot)) ?? '');
    await this.#secrets.store(slot, key);
    await this.#secrets.get(slot);
    this.#sessionKeys.delete(slot);
    this.#changed.fire();
  }

  /** Keeps a key in memory until the window closes. */
  setForSession(owner: KeyOwner, key: string): void {
    this.#known.add(key);
    this.#sessionKeys.set(slotOf(owner), key);
    this.#changed.fire();
  }

  /** Forgets a key that is in memory alone. */
  clearForSession(owner: KeyOwner): void {
    this.#sessionKeys.delete(slotOf(owner));
    this.#changed.fire();
  }

  /**
   * Forgets every key of a dataset: those too that were entered for origins which it had before.
   * @throws UserError where SecretStorage fails
   */
  async clear({ name }: Pick<KeyOwner, 'name'>): Promise<void> {
    for (const slot of slotsOf(name, this.#sessionKeys.keys())) this.#sessionKeys.delete(slot);
    try {
      for (const slot of slotsOf(name, await this.#secrets.keys())) await this.#secrets.delete(slot);
    } catch (cause) {
      const words = vscode.l10n.t(
        "The secret storage of VS Code did not forget the Access-Key of '{0}': {1}",
        name,
        cause instanceof Error ? cause.message : String(cause),
      );
      throw new UserError(words, [], { cause });
    } finally {
      this.#changed.fire();
    }
  }

  /**
   * All that a key is kept for, whether or not there is such a dataset any more. Where SecretStorage cannot list them,
   * those of this session.
   */
  async owners(): Promise<{ name: string; origin: string }[]> {
    const stored = await this.#secrets.keys().then(
      (slots) => slots,
      () => [],
    );
    return [...new Set([...this.#sessionKeys.keys(), ...stored])].flatMap(ownerOf);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed, this.#unreadable).dispose();
  }

  async #read(slot: string): Promise<string | undefined> {
    try {
      const key = await this.#secrets.get(slot);
      this.#known.add(key ?? '');
      return key;
    } catch (error) {
      if (!this.#isUnreadableTold) this.#unreadable.fire(error);
      this.#isUnreadableTold = true;
      return undefined;
    }
  }
}

function slotOf({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify(['accessKey', name, baseUrl.origin]);
}

function ownerOf(slot: string): { name: string; origin: string }[] {
  if (!slot.startsWith('["accessKey",')) return [];
  const [, name, origin] = JSON.parse(slot) as [string, string, string];
  return [{ name, origin }];
}

/** Those of the slots that hold a key of this dataset, whatever the origin. */
function slotsOf(name: string, slots: Iterable<string>): string[] {
  const beginning = `${JSON.stringify(['accessKey', name]).slice(0, -1)},`;
  return [...slots].filter((slot) => slot.startsWith(beginning));
}
