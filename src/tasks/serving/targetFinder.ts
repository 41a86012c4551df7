import { causeText } from '../../service/errors';
import type { Target } from '../../service/request/requests';
import type { Destination, OriginOf } from '../destination';
import type { Clock } from '../timing/clock';

/** What finding targets takes. */
export interface TargetDeps {
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
  /** Where a dataset is now, whether or not it has an access key there. */
  readonly originOf?: OriginOf;
  /** Changes whenever the target of a dataset may have, in any window. It may read a file. */
  readonly targetMark?: (dataset: string) => string;
  readonly clock: Clock;
}

/** How long the target mark is not asked for again: many imports begin in a second. */
const MARK_KEPT_MS = 100;

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
  /** The target mark when it was found. */
  #mark: string | undefined;
  #markedMs = Number.NEGATIVE_INFINITY;
  /** The last one that was found. */
  #last: string | undefined;

  constructor(destination: Destination, deps: TargetDeps) {
    this.#destination = destination;
    this.#deps = deps;
  }

  async find(): Promise<FoundTarget> {
    const { target, error } = await this.#ask();
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

  #ask(): Promise<{ readonly target?: Target | undefined; readonly error?: unknown }> {
    const { findTarget, targetMark, clock } = this.#deps;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#markedMs >= MARK_KEPT_MS) {
      const mark = targetMark?.(this.#destination.dataset);
      // In any window, the dataset or its access key may have changed.
      if (mark !== this.#mark) this.forget();
      this.#mark = mark;
      this.#markedMs = nowMs;
    }
    this.#found ??= (async () => ({ target: await findTarget(this.#destination.dataset) }))().catch(
      (error: unknown) => ({ error }),
    );
    return this.#found;
  }

  /** Where the dataset is now, there may be no access key yet, and so no target. */
  #hasMoved(target: Target | undefined): boolean {
    const { dataset, origin } = this.#destination;
    const origins = [target?.baseUrl.origin, this.#deps.originOf?.(dataset)];
    return origin !== undefined && origins.some((now) => now !== undefined && now !== origin);
  }
}
