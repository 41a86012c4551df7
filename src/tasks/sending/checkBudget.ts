import type { Clock } from '../timing/clock';

/** Max checks a second. */
const MAX_RATE = 10;
/** The rate doesn't fall below this, so that it can recover. */
const MIN_RATE = 0.5;
/** What each response adds to the rate: at 10 checks a second, one a second. */
const RATE_STEP = 0.1;

/** How many status checks a second a destination gets: fewer if it pushes back, then gradually more again. */
export class CheckBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #rate = MAX_RATE;
  /** When the next automatic check may be sent. */
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Milliseconds from one check to the next. */
  get intervalMs(): number {
    return 1000 / this.#rate;
  }

  /** Milliseconds until the next automatic check may be sent. */
  get waitMs(): number {
    return Math.max(0, this.#nextMs - this.#clock.monotonicMs());
  }

  /** A check is being sent. */
  spend(): void {
    this.#nextMs = Math.max(this.#nextMs, this.#clock.monotonicMs()) + this.intervalMs;
  }

  /** The service responded as it should. */
  raise(): void {
    this.#rate = Math.min(MAX_RATE, this.#rate + RATE_STEP);
  }

  /** The service is overloaded. */
  halve(): void {
    this.#rate = Math.max(MIN_RATE, this.#rate / 2);
  }
}
