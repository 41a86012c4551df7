import type { Fault } from './fault';

/** By the path of an operation: what its first request meets, its second, and so on; after the last, from the first on. */
export type FaultsByPath = Readonly<Partial<Record<string, readonly Fault[]>>>;

/** Deals out faults in their order, by nothing but the count of the requests of an operation. */
export class FaultSequence {
  readonly #byPath: FaultsByPath;
  readonly #counts = new Map<string, number>();

  constructor(byPath: FaultsByPath) {
    this.#byPath = byPath;
  }

  /** The fault of the next request for this path. */
  next(path: string): Fault {
    const faults = this.#byPath[path] ?? [];
    const count = this.#counts.get(path) ?? 0;
    this.#counts.set(path, count + 1);
    return faults[count % faults.length] ?? { kind: 'none' };
  }
}
