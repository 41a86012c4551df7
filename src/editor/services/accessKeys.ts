import { createHash, randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { KnownKeys } from '../../service/masking/mask';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import { errorText } from '../platform/formatError';
import { UserError } from '../platform/userError';

/** The dataset, and by its base URL the origin, that a key belongs to. A key is sent to no other origin. */
export type KeyOwner = Pick<Dataset, 'name' | 'baseUrl'>;

/** A key in memory. It is valid while its mark is current: a key that is set or cleared later replaces it. */
interface KeyInMemory {
  readonly key: string;
  readonly mark: string;
}

/** Keeps access keys in SecretStorage; in memory where that fails, and for the sandbox. */
export class AccessKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #known: KnownKeys;
  readonly #marks: KeyMarks;
  readonly #mayLag: boolean;
  readonly #sessionKeys = new Map<string, KeyInMemory>();
  /** What was read from SecretStorage, which takes a window that may be gone before its extension host is. */
  #read = new Map<string, KeyInMemory>();
  /** The slots that had no key when they were last read. */
  readonly #lacking = new Set<string>();
  readonly #learned = new vscode.EventEmitter<void>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unreadable = new vscode.EventEmitter<unknown>();
  readonly #subscription: vscode.Disposable;
  #isUnreadableReported = false;
  /** Fires when a key is set or cleared in any window. */
  readonly onDidChange = this.#changed.event;
  /** Fires once, with the cause, when SecretStorage cannot be read. */
  readonly onDidFindUnreadable = this.#unreadable.event;
  /** Fires when the result of `lacks` changes for a dataset. */
  readonly onDidLearn = this.#learned.event;

  /**
   * Every key that is read, set or replaced is added to `known`, to be masked. `marks` are shared by all windows.
   * `mayLag`: this window may read outdated secrets after another one changed them, as in a browser.
   */
  constructor(
    secrets: vscode.SecretStorage,
    known: KnownKeys = new KnownKeys(),
    marks?: SharedMarks,
    mayLag: boolean = vscode.env.uiKind === vscode.UIKind.Web,
  ) {
    this.#secrets = secrets;
    this.#known = known;
    this.#mayLag = mayLag;
    this.#marks = new KeyMarks(marks);
    this.#subscription = secrets.onDidChange(() => this.noteChange());
  }

  /** The key for this dataset at its current origin; undefined where there is none or it cannot be read. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const slot = slotOf(owner);
    const mark = this.#marks.current(slot);
    // One that is read while keys change goes into the map of before.
    const read = this.#read;
    const known = [this.#sessionKeys.get(slot), read.get(slot)].find((one) => one?.mark === mark);
    const key = known?.key ?? (await this.#readCurrent(slot));
    if (known === undefined && key !== undefined) read.set(slot, { key, mark });
    this.#learn(slot, key !== undefined);
    return key;
  }

  /** Whether this dataset had no key when its key was last read. */
  lacks(owner: KeyOwner): boolean {
    return this.#lacking.has(slotOf(owner));
  }

  /** Fires `onDidChange`, as another window may have changed a key. */
  noteChange(): void {
    this.#read = new Map();
    this.#changed.fire();
  }

  /** Stores a key. @throws what SecretStorage throws */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const slot = slotOf(owner);
    this.#known.add(key);
    // A response may still contain the replaced key, so it stays masked.
    this.#known.add((await this.#secrets.get(slot)) ?? '');
    await this.#secrets.store(slot, key);
    await this.#secrets.get(slot);
    this.#marks.noteSet(slot, key);
    this.#sessionKeys.delete(slot);
    this.#learn(slot, true);
    this.noteChange();
  }

  /** Keeps a key in memory until the window closes. */
  setForSession(owner: KeyOwner, key: string): void {
    const slot = slotOf(owner);
    this.#known.add(key);
    this.#sessionKeys.set(slot, { key, mark: this.#marks.current(slot) });
    this.#learn(slot, true);
    this.#changed.fire();
  }

  /** Deletes a key from memory. */
  clearForSession(owner: KeyOwner): void {
    this.#sessionKeys.delete(slotOf(owner));
    this.#changed.fire();
  }

  /** Deletes every key of a dataset, those for its former origins too. @throws UserError where SecretStorage fails */
  async clear({ name }: Pick<KeyOwner, 'name'>): Promise<void> {
    for (const slot of slotsOf(name, this.#sessionKeys.keys())) this.#forget(slot);
    try {
      for (const slot of slotsOf(name, await this.#secrets.keys())) {
        await this.#secrets.delete(slot);
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

  /** The owners of all keys, whether or not their datasets exist; only those in memory where SecretStorage fails. */
  async owners(): Promise<{ name: string; origin: string }[]> {
    const stored = await this.#secrets.keys().then(
      (slots) => slots,
      () => [],
    );
    return [...new Set([...this.#sessionKeys.keys(), ...stored])].flatMap(ownerOf);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed, this.#unreadable, this.#learned).dispose();
  }

  #forget(slot: string): void {
    this.#sessionKeys.delete(slot);
    this.#read = new Map();
    this.#marks.noteCleared(slot);
    this.#learn(slot, false);
  }

  #learn(slot: string, hasKey: boolean): void {
    if (this.#lacking.has(slot) !== hasKey) return;
    if (hasKey) this.#lacking.delete(slot);
    else this.#lacking.add(slot);
    this.#learned.fire();
  }

  /** None where this window can read only one that another window has replaced: it must be set here too. */
  async #readCurrent(slot: string): Promise<string | undefined> {
    const key = await this.#readStored(slot);
    return key === undefined || !this.#mayLag || this.#marks.isCurrent(slot, key) ? key : undefined;
  }

  async #readStored(slot: string): Promise<string | undefined> {
    try {
      const key = await this.#secrets.get(slot);
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

function ownerOf(slot: string): { name: string; origin: string }[] {
  if (!slot.startsWith('["accessKey",')) return [];
  const [, name, origin] = JSON.parse(slot) as [string, string, string];
  return [{ name, origin }];
}

/** The slots of a dataset, for any origin. */
function slotsOf(name: string, slots: Iterable<string>): string[] {
  const prefix = `${JSON.stringify(['accessKey', name]).slice(0, -1)},`;
  return [...slots].filter((slot) => slot.startsWith(prefix));
}

/**
 * Marks shared by all windows that show whether a key from SecretStorage is outdated: in a browser, a window may keep
 * reading a key that another one replaced or cleared. A mark is 16 bits of a salted hash, too few to guess the key.
 */
class KeyMarks {
  readonly #marks: SharedMarks | undefined;

  /** Without marks, every key counts as current. */
  constructor(marks: SharedMarks | undefined) {
    this.#marks = marks;
  }

  /** Changes whenever the key of this slot is replaced or cleared, in any window. */
  current(slot: string): string {
    return this.#marks?.read(slot) ?? '';
  }

  /** Whether a key from this slot is the one that was set last, in any window. */
  isCurrent(slot: string, key: string): boolean {
    const mark = this.current(slot);
    const [salt = '', digest] = mark.split(' ');
    return mark === '' || digestOf(salt, key) === digest;
  }

  noteSet(slot: string, key: string): void {
    if (this.current(slot) !== '' && this.isCurrent(slot, key)) return;
    const salt = randomBytes(16).toString('hex');
    this.#write(slot, `${salt} ${digestOf(salt, key)}`);
  }

  noteCleared(slot: string): void {
    this.#write(slot, `cleared ${randomBytes(16).toString('hex')}`);
  }

  #write(slot: string, mark: string): void {
    try {
      this.#marks?.write(slot, mark);
    } catch {
      // The user can replace a key even where the disk is full; other windows may then read the old one.
    }
  }
}

function digestOf(salt: string, key: string): string {
  return createHash('sha256').update(`${salt} ${key}`).digest('hex').slice(0, 4);
}
