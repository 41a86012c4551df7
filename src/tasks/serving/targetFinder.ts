import { causeText } from '../../service/errors';
import type { Target } from '../../service/request/requests';
import type { Destination, OriginOf } from '../destination';

/** What finding targets takes. */
export interface TargetDeps {
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
  /** Where a dataset is now, whether or not it has an access key there. */
  readonly originOf?: OriginOf;
}

/** Where to send a destination's imports. */
export type FoundTarget =
  | { readonly kind: 'found'; readonly target: Target }
  /** The dataset is at another origin now. */
  | { readonly kind: 'moved' }
  /** The dataset is not known, or has no access key that could be read. */
  | { readonly kind: 'missing'; readonly detail: string };

/** Finds the target of a destination, once for many imports: reading the access key may be slow. */
export class TargetFinder {
  readonly #destination: Destination;
  readonly #deps: TargetDeps;
  #found: Promise<{ readonly target?: Target | undefined; readonly error?: unknown }> | undefined;
  /** The last one that was found, as text. */
  #last: string | undefined;

  constructor(destination: Destination, deps: TargetDeps) {
    this.#destination = destination;
    this.#deps = deps;
  }

  async find(): Promise<FoundTarget> {
    this.#found ??= this.#ask();
    const { target, error } = await this.#found;
    this.#last = target && JSON.stringify(target);
    if (this.#hasMoved(target)) return { kind: 'moved' };
    if (target === undefined) return { kind: 'missing', detail: error === undefined ? '' : causeText(error) };
    return { kind: 'found', target };
  }

  /** Asks again the next time. */
  forget(): void {
    this.#found = undefined;
  }

  /** Whether the target is another one than was found last: another base URL, access key or contract. */
  async hasChanged(): Promise<boolean> {
    const before = this.#last;
    this.forget();
    await this.find();
    return this.#last !== before;
  }

  async #ask(): Promise<{ readonly target?: Target | undefined; readonly error?: unknown }> {
    try {
      return { target: await this.#deps.findTarget(this.#destination.dataset) };
    } catch (error) {
      return { error };
    }
  }

  /** Where the dataset is now, there may be no access key yet, and so no target. */
  #hasMoved(target: Target | undefined): boolean {
    const { dataset, origin } = this.#destination;
    const origins = [target?.baseUrl.origin, this.#deps.originOf?.(dataset)];
    return origin !== undefined && origins.some((now) => now !== undefined && now !== origin);
  }
}
