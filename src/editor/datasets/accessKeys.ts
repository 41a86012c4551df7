import * as vscode from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { KnownKeys } from '../../service/masking/mask';
import { type Clock, systemClock } from '../../tasks/timing/clock';
import { errorText } from '../platform/formatError';
import { UserError } from '../platform/userError';

/** The dataset, and by its base URL the origin, that a key belongs to. A key is sent to no other origin. */
export type KeyOwner = Pick<Dataset, 'name' | 'baseUrl'>;

/** How long SecretStorage may take: on Linux it can wait for a keyring that nobody unlocks. */
const SECRETS_MS = 5000;

/** Keeps access keys in SecretStorage; in memory where that fails, and for the sandbox. */
export class AccessKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #known: KnownKeys;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #sessionKeys = new Map<string, string>();
  /** Keys read from SecretStorage, which may stop responding before the extension host ends. */
  #read = new Map<string, string>();
  /** The slots that had no key when they were last read. */
  readonly #lacking = new Set<string>();
  readonly #learned = new vscode.EventEmitter<void>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unreadable = new vscode.EventEmitter<unknown>();
  readonly #subscription: vscode.Disposable;
  #isUnreadableReported = false;
  /** How many requests SecretStorage hasn't answered in time. While there are any, it isn't asked again. */
  #overdue = 0;
  /** Fires when a key is set or cleared, in other windows too if VS Code reports that. */
  readonly onDidChange = this.#changed.event;
  /** Fires once, with the cause, when SecretStorage cannot be read. */
  readonly onDidFindUnreadable = this.#unreadable.event;
  /** Fires when the result of `lacks` changes for a dataset. */
  readonly onDidLearn = this.#learned.event;

  /** Every key that is read, set or replaced is added to `known`, to be masked. */
  constructor(
    secrets: vscode.SecretStorage,
    known: KnownKeys = new KnownKeys(),
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#secrets = secrets;
    this.#known = known;
    this.#clock = clock;
    this.#subscription = secrets.onDidChange(() => this.#noteChange());
  }

  /** The key for this dataset at its current origin; undefined where there is none or it cannot be read. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const slot = slotOf(owner);
    // If keys change during the read, the result goes into the old map.
    const read = this.#read;
    const known = this.#sessionKeys.get(slot) ?? read.get(slot);
    const key = known ?? (await this.#readStored(slot));
    if (known === undefined && key !== undefined) read.set(slot, key);
    this.#learn(slot, key !== undefined);
    return key;
  }

  /** The text with every key that this session has known masked. */
  mask(text: string): string {
    return this.#known.mask(text);
  }

  /** Whether this dataset had no key when its key was last read. */
  lacks(owner: KeyOwner): boolean {
    return this.#lacking.has(slotOf(owner));
  }

  /** Reads keys from SecretStorage again: after a rejection, another window may have replaced the key. */
  readAgain(): void {
    this.#read = new Map();
  }

  /** Stores a key. @throws what SecretStorage throws, or an error if it doesn't answer */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const slot = slotOf(owner);
    this.#known.add(key);
    // A response may still contain the replaced key, so it stays masked.
    this.#known.add((await this.#answer(() => this.#secrets.get(slot))) ?? '');
    await this.#answer(() => this.#secrets.store(slot, key));
    await this.#answer(() => this.#secrets.get(slot));
    this.#sessionKeys.delete(slot);
    this.#learn(slot, true);
    this.#noteChange();
  }

  /** Keeps a key in memory until the window closes. */
  setForSession(owner: KeyOwner, key: string): void {
    const slot = slotOf(owner);
    this.#known.add(key);
    this.#sessionKeys.set(slot, key);
    this.#learn(slot, true);
    this.#changed.fire();
  }

  /** Deletes a key from memory. */
  clearForSession(owner: KeyOwner): void {
    this.#sessionKeys.delete(slotOf(owner));
    this.#changed.fire();
  }

  /** Deletes every key of a dataset, those for its former origins too. @throws UserError where SecretStorage fails */
  async clear({ name, baseUrl }: Pick<KeyOwner, 'name'> & Partial<KeyOwner>): Promise<void> {
    for (const slot of slotsOf(name, this.#sessionKeys.keys())) this.#forget(slot);
    try {
      for (const slot of slotsOf(name, await this.#storedSlots(baseUrl && { name, baseUrl }))) {
        await this.#answer(() => this.#secrets.delete(slot));
        this.#forget(slot);
      }
    } catch (cause) {
      const message = vscode.l10n.t(
        "The secret storage of VS Code could not delete the access key of '{0}': {1}",
        name,
        errorText(cause),
      );
      throw new UserError(message, [], { cause });
    } finally {
      this.#changed.fire();
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed, this.#unreadable, this.#learned).dispose();
  }

  #noteChange(): void {
    this.readAgain();
    this.#changed.fire();
  }

  #forget(slot: string): void {
    this.#sessionKeys.delete(slot);
    this.#read = new Map();
    this.#learn(slot, false);
  }

  #learn(slot: string, hasKey: boolean): void {
    if (this.#lacking.has(slot) !== hasKey) return;
    if (hasKey) this.#lacking.delete(slot);
    else this.#lacking.add(slot);
    this.#learned.fire();
  }

  /** Without `keys`, which other editors may lack, only the slot of the current origin is known. */
  async #storedSlots(owner: KeyOwner | undefined): Promise<readonly string[]> {
    const secrets: Partial<vscode.SecretStorage> = this.#secrets;
    if (secrets.keys !== undefined) return await this.#answer(() => this.#secrets.keys());
    return owner === undefined ? [] : [slotOf(owner)];
  }

  /** What SecretStorage answers. @throws an error if it takes too long; a late answer makes windows read keys again */
  async #answer<T>(request: () => Thenable<T>): Promise<T> {
    const noAnswer = () => new Error(vscode.l10n.t('no response within {0} s', SECRETS_MS / 1000));
    if (this.#overdue > 0) throw noAnswer();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isOverdue = false;
    const cancel = this.#clock.after(SECRETS_MS, () => {
      isOverdue = true;
      this.#overdue++;
      reject(noAnswer());
    });
    const end = () => {
      cancel();
      if (!isOverdue) return;
      this.#overdue--;
      this.#noteChange();
    };
    request().then(
      (answer) => {
        end();
        resolve(answer);
      },
      (error) => {
        end();
        reject(error);
      },
    );
    return promise;
  }

  async #readStored(slot: string): Promise<string | undefined> {
    try {
      const key = await this.#answer(() => this.#secrets.get(slot));
      this.#known.add(key ?? '');
      return key;
    } catch (error) {
      if (!this.#isUnreadableReported) this.#unreadable.fire(error);
      this.#isUnreadableReported = true;
      return undefined;
    }
  }
}

function slotOf({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify(['accessKey', name, baseUrl.origin]);
}

/** The slots of a dataset, for any origin. */
function slotsOf(name: string, slots: Iterable<string>): string[] {
  const prefix = `${JSON.stringify(['accessKey', name]).slice(0, -1)},`;
  return [...slots].filter((slot) => slot.startsWith(prefix));
}
