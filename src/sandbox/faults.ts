import type { SandboxResponse } from './http/response';

/** What goes wrong with a request: on its way, at the service, or on the way of its response. */
export type Fault =
  | { readonly kind: 'none' }
  /** The connection is reset once this share of the body is read; of a body of unknown length nothing is read. */
  | { readonly kind: 'reset'; readonly afterShare: number }
  /** The request is read to its end and not carried out. */
  | { readonly kind: 'turnedAway'; readonly response: SandboxResponse }
  /** The request is carried out; its response does not arrive, or only half of it. */
  | { readonly kind: 'responseLost' | 'responseCutShort' };

/** By the path of an operation: the faults of its first request, its second, and so on, starting over after the last. */
export type FaultsByPath = Readonly<Partial<Record<string, readonly Fault[]>>>;

/** Gives faults in their order, by the count of an operation's requests alone. */
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
