import type { Clock } from '../timing/clock';

/** Max queries a second. */
const MAX_RATE = 10;
/** The rate does not fall below this, so that it can come back. */
const MIN_RATE = 0.5;
/** Queries that the user wants at once go out together up to this many, so that one click never waits. */
const MAX_BURST = 10;
/** What each response adds to the rate: at 10 queries a second, one a second. */
const RATE_STEP = 0.1;

/** How many queries a second a destination is sent: fewer if it pushes back, then gradually more again. */
export class QueryBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #rate = MAX_RATE;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** How many queries that the user wants may be sent at once; negative where some wait. */
  #burst = MAX_BURST;
  #burstMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Milliseconds from one query to the next. */
  get intervalMs(): number {
    return 1000 / this.#rate;
  }

  /** Milliseconds until the next query may be sent; 0 if it may be sent now. */
  get waitMs(): number {
    return Math.max(0, this.#lastMs + this.intervalMs - this.#clock.monotonicMs());
  }

  /** A query is being sent. */
  spend(): void {
    this.#lastMs = this.#clock.monotonicMs();
  }

  /** Takes the place of a query that the user wants now, and returns the milliseconds until it may be sent. */
  reserve(): number {
    const nowMs = this.#clock.monotonicMs();
    const regained = ((nowMs - this.#burstMs) * this.#rate) / 1000;
    this.#burst = Math.min(MAX_BURST, this.#burst + regained) - 1;
    this.#burstMs = nowMs;
    const waitMs = Math.max(0, (-this.#burst * 1000) / this.#rate);
    this.#lastMs = nowMs + waitMs;
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
