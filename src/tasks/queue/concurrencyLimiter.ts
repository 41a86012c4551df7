import { askedPauseMs } from '../timing/askedPause';
import { backoffMs } from '../timing/backoff';
import type { Clock } from '../timing/clock';

/** How long to pause after so many failures in a row: what the service asks for, but never less than our own back-off. */
export function pauseMsAfter(consecutiveFailures: number, askedMs: number | undefined, random: () => number): number {
  return askedPauseMs(askedMs, backoffMs(Math.max(1, consecutiveFailures), random));
}

/**
 * How many imports a service is given at once. It is left in peace where it asks for that or cannot be reached, gets
 * half as many then, and one more with each round that goes well.
 */
export class ConcurrencyLimiter {
  readonly #clock: Clock;
  #limit = Number.POSITIVE_INFINITY;
  #wellInARow = 0;
  #pausedUntilMs = 0;
  /** The part of it that the service has asked for. */
  #askedUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many may be under way at present, of as many as the user allows. */
  limit(allowed: number): number {
    return Math.max(1, Math.min(allowed, this.#limit));
  }

  /** How long to begin nothing new; 0 where something may begin. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#clock.monotonicMs());
  }

  /** Until when nothing new begins, by the clock's `monotonicMs`. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** Something went well. */
  succeeded(allowed: number): void {
    this.#wellInARow += 1;
    if (this.#wellInARow < this.limit(allowed)) return;
    this.#wellInARow = 0;
    this.#limit = Math.min(allowed, this.limit(allowed) + 1);
  }

  /** A service is busy or away, for the so many-th time in a row, with so many imports under way. */
  throttled(consecutiveFailures: number, running: number, askedMs: number | undefined): void {
    this.#wellInARow = 0;
    this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, Math.max(running, 1)) / 2));
    this.#pause(consecutiveFailures, askedMs);
  }

  /** What met it together with another one may ask for a longer pause, and tells nothing else that is new. */
  extendPause(consecutiveFailures: number, askedMs: number): void {
    this.#pause(consecutiveFailures, askedMs);
  }

  /** Ends a pause that nobody has asked for: a person wants to try, or what stood in the way may have been mended. */
  clearBackoff(): void {
    this.#pausedUntilMs = this.#askedUntilMs;
  }

  /** Forgets all there was: it is another service now. */
  reset(): void {
    this.#limit = Number.POSITIVE_INFINITY;
    this.#wellInARow = 0;
    this.#pausedUntilMs = 0;
    this.#askedUntilMs = 0;
  }

  #pause(consecutiveFailures: number, askedMs: number | undefined): void {
    const now = this.#clock.monotonicMs();
    const pauseMs = pauseMsAfter(consecutiveFailures, askedMs, this.#clock.random);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, now + pauseMs);
    if (askedMs === undefined) return;
    this.#askedUntilMs = Math.max(this.#askedUntilMs, now + askedPauseMs(askedMs, 0));
  }
}
