/** Max queries a second. */
const MAX_RATE = 10;
/** The rate does not fall below this, so that it can come back. */
const MIN_RATE = 0.5;
/** What each response adds to the rate: at 10 queries a second, one a second. */
const RATE_STEP = 0.1;

/** How many queries a second a destination is sent: fewer where it pushes back, then more again one after another. */
export class QueryBudget {
  #rate = MAX_RATE;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Queries a second. */
  get rate(): number {
    return this.#rate;
  }

  /** Milliseconds until the next query may be sent; 0 where it may be now. Everything is `slowdown` times slower. */
  waitMs(nowMs: number, slowdown: number): number {
    return Math.max(0, this.#lastMs + (1000 * slowdown) / this.#rate - nowMs);
  }

  /** A query is being sent. */
  spend(nowMs: number): void {
    this.#lastMs = nowMs;
  }

  /** The service has responded as it should. */
  raise(): void {
    this.#rate = Math.min(MAX_RATE, this.#rate + RATE_STEP);
  }

  /** The service has too much to do. */
  halve(): void {
    this.#rate = Math.max(MIN_RATE, this.#rate / 2);
  }
}
