/** Max queries a second. */
const MAX_RATE = 10;
/** The rate does not fall below this, so that it can come back. */
const MIN_RATE = 0.5;
/** Queries that the user wants at once go out together up to this many, so that one click never waits. */
const MAX_BURST = 10;
/** What each response adds to the rate: at 10 queries a second, one a second. */
const RATE_STEP = 0.1;

/** How many queries a second a destination is sent: fewer where it pushes back, then more again one after another. */
export class QueryBudget {
  #rate = MAX_RATE;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** How many queries that the user wants may be sent at once; negative where some wait. */
  #burst = MAX_BURST;
  #burstMs = 0;

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

  /** Takes the place of a query that the user wants now, and gives the milliseconds until it may be sent. */
  reserve(nowMs: number): number {
    const regained = ((nowMs - this.#burstMs) * this.#rate) / 1000;
    this.#burst = Math.min(MAX_BURST, this.#burst + regained) - 1;
    this.#burstMs = nowMs;
    const waitMs = Math.max(0, (-this.#burst * 1000) / this.#rate);
    this.spend(nowMs + waitMs);
    return waitMs;
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
