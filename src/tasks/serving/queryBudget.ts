import type { Clock } from '../timing/clock';

/** Max queries a second. */
const MAX_RATE = 10;
/** The rate does not fall below this, so that it can come back. */
const MIN_RATE = 0.5;
/** Queries that the user wants at once go out together up to this many, so that one click never waits. */
const MAX_BURST = 10;
/** What each response adds to the rate: at 10 queries a second, one a second. */
const RATE_STEP = 0.1;
/** After reading a response, no query is sent for so many times as long: a destination uses a tenth of the host's time. */
const REST_FACTOR = 9;

/**
 * How many queries a second a destination is sent: fewer where it pushes back, then more again one after another, and no
 * more than leave the host nine tenths of its time, where reading the responses takes long.
 */
export class QueryBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #rate = MAX_RATE;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** How long the host is to rest from reading the last response, and until when from all so far. */
  #restMs = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  /** How many queries that the user wants may be sent at once; negative where some wait. */
  #burst = MAX_BURST;
  #burstMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Milliseconds from one query to the next. Everything is `slowdown` times slower. */
  intervalMs(slowdown: number): number {
    return Math.max(this.#restMs, (1000 * slowdown) / this.#rate);
  }

  /** Whether queries are sent more slowly than the service allows, as reading the responses takes long. */
  isSlowedByReading(slowdown: number): boolean {
    return this.#restMs > (1000 * slowdown) / this.#rate;
  }

  /** Milliseconds until the next query may be sent; 0 where it may be now. Everything is `slowdown` times slower. */
  waitMs(slowdown: number): number {
    const nowMs = this.#clock.monotonicMs();
    return Math.max(0, this.#restUntilMs - nowMs, this.#lastMs + (1000 * slowdown) / this.#rate - nowMs);
  }

  /** Reading a response has kept the host busy for so many milliseconds. */
  hasRead(tookMs: number): void {
    this.#restMs = REST_FACTOR * tookMs;
    this.#restUntilMs = Math.max(this.#clock.monotonicMs(), this.#restUntilMs) + this.#restMs;
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
