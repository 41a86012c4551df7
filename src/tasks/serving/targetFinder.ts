import { isDeepStrictEqual } from 'node:util';
import { causeText } from '../../service/errors';
import type { Target } from '../../service/request/requests';
import type { Destination, OriginOf } from '../destination';

/** What finding targets takes. */
export interface TargetDeps {
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
  /** Where a dataset is now, whether or not it has an access key there. */
  readonly originOf?: OriginOf;
}

/** What the user changed of a target. */
export type TargetChange = 'key' | 'request';

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
  /** The last one that was found. */
  #last: Target | undefined;

  constructor(destination: Destination, deps: TargetDeps) {
    this.#destination = destination;
    this.#deps = deps;
  }

  async find(): Promise<FoundTarget> {
    this.#found ??= this.#ask();
    const { target, error } = await this.#found;
    this.#last = target;
    if (this.#hasMoved(target)) return { kind: 'moved' };
    if (target === undefined) return { kind: 'missing', detail: error === undefined ? '' : causeText(error) };
    return { kind: 'found', target };
  }

  /** Asks again the next time. */
  forget(): void {
    this.#found = undefined;
  }

  /** What differs from the target that was found last: the access key, or the request; undefined if nothing does. */
  async change(): Promise<TargetChange | undefined> {
    const before = this.#last;
    this.forget();
    await this.find();
    if (isDeepStrictEqual(before, this.#last)) return undefined;
    return before?.accessKey === this.#last?.accessKey ? 'request' : 'key';
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
