import type { Target } from '../../service/request/requests';

/** Undefined where the dataset is not known or has no key. */
export type FoundTarget = Target | undefined | { readonly error: unknown };

/** Where a queue sends to: asked once for many imports, as the key may have to come from afar. */
export class TargetFinder {
  readonly #ask: () => Promise<Target | undefined>;
  readonly #mark: () => string | undefined;
  #found: Promise<FoundTarget> | undefined;
  #foundAt: string | undefined;
  /** The origin of the service that was sent to last. */
  #origin: string | undefined;

  /** `mark` changes whenever the target may have, in any window. */
  constructor(ask: () => Promise<Target | undefined>, mark: () => string | undefined = () => undefined) {
    this.#ask = ask;
    this.#mark = mark;
  }

  /** Whether what was found is no longer to be relied on. */
  get mayHaveChanged(): boolean {
    return this.#found !== undefined && this.#mark() !== this.#foundAt;
  }

  /** Asks, unless that was done since it was forgotten and nothing has changed. */
  find(): Promise<FoundTarget> {
    if (this.mayHaveChanged) this.forget();
    this.#foundAt = this.#mark();
    this.#found ??= (async () => this.#ask())().catch((error: unknown) => ({ error }));
    return this.#found;
  }

  /** It may have changed. */
  forget(): void {
    this.#found = undefined;
  }

  /** Something is sent there. */
  use({ baseUrl }: Target): void {
    this.#origin = baseUrl.origin;
  }

  /** Whether it is another service by now than the one that was sent to last. */
  async isElsewhere(): Promise<boolean> {
    const target = await this.find();
    return target !== undefined && 'baseUrl' in target && target.baseUrl.origin !== this.#origin;
  }
}
