import { type Disposable, EventEmitter, l10n, type SecretStorage } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { KnownKeys } from '../../service/masking/mask';
import { type Clock, systemClock } from '../../tasks/timing/clock';
import { UserError } from '../platform/actions';
import { errorText } from '../platform/formatFailures';

/** The dataset that an access key belongs to. The key is sent only to the origin it was entered for. */
export type KeyOwner = Pick<Dataset, 'name' | 'baseUrl'>;

/** How long to wait for SecretStorage. On Linux, it may be waiting for the user to unlock a keyring. */
const SECRETS_MS = 5000;

/**
 * Keeps one access key per dataset in SecretStorage. The sandbox's key is kept in memory only, and so are keys that
 * SecretStorage can't store.
 */
export class AccessKeys implements Disposable {
  readonly #sessionKeys = new Map<string, string>();
  /** We cache keys because SecretStorage may stop responding before the extension host exits. */
  #cache = new Map<string, string>();
  /** The datasets that had no key when we last looked. */
  readonly #lacking = new Set<string>();
  readonly #changed = new EventEmitter<void>();
  readonly #unreadable = new EventEmitter<unknown>();
  readonly #subscription: Disposable;
  #isUnreadableReported = false;
  /** Fires when a key is set or cleared, when another window changes a key, and when the result of `lacks` changes. */
  readonly onDidChange = this.#changed.event;
  /** Fires with the error the first time that SecretStorage can't be read. */
  readonly onDidFindUnreadable = this.#unreadable.event;

  /** Every key that is read, set or replaced is added to `known`, so that it gets masked. */
  constructor(
    private readonly secrets: SecretStorage,
    private readonly known: KnownKeys = new KnownKeys(),
    private readonly clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#subscription = secrets.onDidChange(() => this.#noteChange());
  }

  /** Returns undefined if the dataset has no key for its current origin or if SecretStorage fails. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const id = idOf(owner);
    // If a key changes during this read, the result goes into the old cache, which is no longer used, and isn't learned.
    const cache = this.#cache;
    let key = this.#sessionKeys.get(id) ?? cache.get(id);
    if (key === undefined) {
      key = await this.#stored(owner).catch((error: unknown) => this.#noteUnreadable(error));
      if (key !== undefined) cache.set(id, key);
    }
    if (cache === this.#cache) this.#learn(id, key !== undefined);
    return key;
  }

  /** Masks every key that was used in this session. */
  mask(text: string): string {
    return this.known.mask(text);
  }

  /** Whether the dataset had no key when we last looked. */
  lacks(owner: KeyOwner): boolean {
    return this.#lacking.has(idOf(owner));
  }

  /** Drops the cached keys. Call this after the service rejects a key, because another window may have replaced it. */
  readAgain(): void {
    this.#cache = new Map();
  }

  /** Stores a key in place of the dataset's previous one. @throws if SecretStorage fails or doesn't respond */
  async set(owner: KeyOwner, key: string): Promise<void> {
    this.known.add(key);
    // A response may still contain the previous key, so load that key first to keep it masked.
    await this.#stored(owner);
    await this.#inTime(() => this.secrets.store(slotOf(owner), JSON.stringify([owner.baseUrl.origin, key])));
    this.#sessionKeys.delete(idOf(owner));
    this.#noteChange();
  }

  /** Keeps a key in memory only. */
  setForSession(owner: KeyOwner, key: string): void {
    this.known.add(key);
    this.#sessionKeys.set(idOf(owner), key);
    this.#learn(idOf(owner), true);
    this.#changed.fire();
  }

  clearForSession(owner: KeyOwner): void {
    this.#sessionKeys.delete(idOf(owner));
    this.#changed.fire();
  }

  /** Deletes a dataset's key. @throws UserError if SecretStorage fails */
  async clear(owner: KeyOwner): Promise<void> {
    this.#sessionKeys.delete(idOf(owner));
    try {
      await this.#inTime(() => this.secrets.delete(slotOf(owner)));
    } catch (cause) {
      const message = l10n.t(
        "The secret storage of VS Code could not delete the access key of '{0}': {1}",
        owner.name,
        errorText(cause),
      );
      throw new UserError(message, [], { cause });
    } finally {
      this.#noteChange();
    }
  }

  dispose(): void {
    for (const part of [this.#subscription, this.#changed, this.#unreadable]) part.dispose();
  }

  #noteChange(): void {
    this.readAgain();
    this.#lacking.clear();
    this.#changed.fire();
  }

  #learn(id: string, hasKey: boolean): void {
    if (this.#lacking.has(id) !== hasKey) return;
    if (hasKey) this.#lacking.delete(id);
    else this.#lacking.add(id);
    this.#changed.fire();
  }

  #noteUnreadable(error: unknown): undefined {
    if (!this.#isUnreadableReported) this.#unreadable.fire(error);
    this.#isUnreadableReported = true;
  }

  async #stored(owner: KeyOwner): Promise<string | undefined> {
    const stored = await this.#inTime(() => this.secrets.get(slotOf(owner)));
    if (stored === undefined) return undefined;
    const [origin, key] = parsed(stored);
    if (typeof key !== 'string') return undefined;
    this.known.add(key);
    return origin === owner.baseUrl.origin ? key : undefined;
  }

  /** @throws an error if SecretStorage takes too long. If it returns a key later, the keys are read again. */
  async #inTime<T>(request: () => Thenable<T>): Promise<T> {
    let isLate = false;
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const cancel = this.clock.after(SECRETS_MS, () => {
      isLate = true;
      reject(new Error(l10n.t('no response within {0} s', SECRETS_MS / 1000)));
    });
    const response = Promise.resolve(request()).then((key) => {
      // Without a key, reading again could show the keyring's dialog again and again.
      if (isLate && key !== undefined) this.#noteChange();
      return key;
    });
    return Promise.race([response.finally(cancel), timedOut]);
  }
}

/**
 * Parses a stored origin and key. If they are corrupted, returns an empty list, because the parser's error would quote
 * the beginning of the key.
 */
function parsed(stored: string): readonly unknown[] {
  try {
    const entry: unknown = JSON.parse(stored);
    return Array.isArray(entry) ? entry : [];
  } catch {
    return [];
  }
}

function slotOf({ name }: KeyOwner): string {
  return JSON.stringify(['accessKey', name]);
}

function idOf({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify([name, baseUrl.origin]);
}
