import type { Trouble } from './trouble';

/** By the path of an operation: what its first request meets, its second, and so on; after the last, from the first on. */
export type TroublesByPath = Readonly<Partial<Record<string, readonly Trouble[]>>>;

/** Deals out troubles in their order, by nothing but the count of the requests of an operation. */
export class Troubles {
  readonly #byPath: TroublesByPath;
  readonly #counts = new Map<string, number>();

  constructor(byPath: TroublesByPath) {
    this.#byPath = byPath;
  }

  /** The trouble of the next request for this path. */
  next(path: string): Trouble {
    const troubles = this.#byPath[path] ?? [];
    const count = this.#counts.get(path) ?? 0;
    this.#counts.set(path, count + 1);
    return troubles[count % troubles.length] ?? { kind: 'none' };
  }
}
