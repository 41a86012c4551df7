import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { KnownKeys } from '../../service/masking/knownKeys';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import { UserError } from '../platform/userError';
import { KeyMarks } from './keyMarks';

/** The dataset and the origin for which a key was entered; it is sent nowhere else. */
export type KeyOwner = Pick<Dataset, 'name' | 'baseUrl'>;

/** How often, and after how long each time, a key is read again that another window may just be replacing. */
const READS = 5;
const READ_AGAIN_MS = 100;

/** A key that is in memory alone, and what its mark was then: one that was set or cleared since takes its place. */
interface SessionKey {
  readonly key: string;
  readonly mark: string;
}

/** The one owner of access keys: in SecretStorage, or in memory where that fails or the key is the sandbox's own. */
export class AccessKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #known: KnownKeys;
  readonly #marks: KeyMarks;
  readonly #mayLag: boolean;
  readonly #sessionKeys = new Map<string, SessionKey>();
  /** The slots that held no key when they were last read. */
  readonly #lacking = new Set<string>();
  /** The slots of which this window reads a key that is no longer the present one, with its mark. */
  readonly #outdated = new Map<string, string>();
  readonly #learned = new vscode.EventEmitter<void>();
  readonly #foundOutdated = new vscode.EventEmitter<string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unreadable = new vscode.EventEmitter<unknown>();
  readonly #subscription: vscode.Disposable;
  #isUnreadableTold = false;
  /** Told when a key is set or cleared, in any window. */
  readonly onDidChange = this.#changed.event;
  /** Told with the cause when SecretStorage cannot be read, the first time only. */
  readonly onDidFindUnreadable = this.#unreadable.event;
  /** Told when it turns out that a dataset has a key or lacks one. */
  readonly onDidLearn = this.#learned.event;
  /** Told with the dataset's name when its key was replaced by another window and only the old one can be read here. */
  readonly onDidFindOutdated = this.#foundOutdated.event;

  /**
   * Every key that is read, set or replaced goes into `known`, to be masked. `marks` are what windows tell each other by;
   * `mayLag` says that the storage of this window may not see what another one has stored, as in a browser.
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
    this.#subscription = secrets.onDidChange(() => this.#changed.fire());
  }

  /** The key for this dataset at its present origin; undefined where none was entered for it, or it cannot be read. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const slot = slotOf(owner);
    const session = this.#sessionKeys.get(slot);
    const key = session?.mark === this.#marks.current(slot) ? session.key : await this.#readPresent(slot, owner.name);
    this.#learn(slot, key !== undefined);
    return key;
  }

  /** Whether this dataset had no key when it was last looked for; without looking now. */
  lacks(owner: KeyOwner): boolean {
    return this.#lacking.has(slotOf(owner));
  }

  /** Changes whenever a key of this dataset is replaced or cleared, in any window. */
  mark(owner: KeyOwner): string {
    return this.#marks.current(slotOf(owner));
  }

  /** Has everyone look again, as another window may have changed a key. */
  noteChange(): void {
    this.#changed.fire();
  }

  /** Keeps a key where it can be read again. @throws what SecretStorage throws */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const slot = slotOf(owner);
    this.#known.add(key);
    // A service may repeat the key that is replaced.
    this.#known.add((await this.#secrets.get(slot)) ?? '');
    await this.#secrets.store(slot, key);
    await this.#secrets.get(slot);
    this.#marks.noteSet(slot, key);
    this.#sessionKeys.delete(slot);
    this.#learn(slot, true);
    this.#changed.fire();
  }

  /** Keeps a key in memory until the window closes. */
  setForSession(owner: KeyOwner, key: string): void {
    const slot = slotOf(owner);
    this.#known.add(key);
    this.#sessionKeys.set(slot, { key, mark: this.#marks.current(slot) });
    this.#learn(slot, true);
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
    for (const slot of slotsOf(name, this.#sessionKeys.keys())) this.#forget(slot);
    try {
      for (const slot of slotsOf(name, await this.#secrets.keys())) {
        await this.#secrets.delete(slot);
        this.#forget(slot);
      }
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
    const emitters = [this.#changed, this.#unreadable, this.#learned, this.#foundOutdated];
    vscode.Disposable.from(this.#subscription, ...emitters).dispose();
  }

  #forget(slot: string): void {
    this.#sessionKeys.delete(slot);
    this.#marks.noteCleared(slot);
    this.#learn(slot, false);
  }

  #learn(slot: string, hasKey: boolean): void {
    if (this.#lacking.has(slot) !== hasKey) return;
    if (hasKey) this.#lacking.delete(slot);
    else this.#lacking.add(slot);
    this.#learned.fire();
  }

  /** Waits a moment where the storage and the mark differ: another window may be between the one and the other. */
  async #readPresent(slot: string, name: string): Promise<string | undefined> {
    for (let reads = 1; ; reads++) {
      const key = await this.#read(slot);
      if (key === undefined || !this.#mayLag) return key;
      if (this.#marks.isCleared(slot)) return undefined;
      if (this.#marks.isPresent(slot, key)) {
        this.#outdated.delete(slot);
        return key;
      }
      const mark = this.#marks.current(slot);
      if (this.#outdated.get(slot) === mark) return undefined;
      if (reads === READS) {
        this.#outdated.set(slot, mark);
        this.#foundOutdated.fire(name);
        return undefined;
      }
      await delay(READ_AGAIN_MS);
    }
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
