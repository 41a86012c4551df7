/**
 * How many imports a destination is sent at once: additive increase, multiplicative decrease (AIMD). The limit is halved
 * when a pause begins, and grows by one after as many successes as it allows imports.
 */
export class ConcurrencyLimiter {
  #limit = Number.POSITIVE_INFINITY;
  #successes = 0;

  /** How many may be under way now, of as many as the user allows. */
  limit(allowed: number): number {
    return Math.max(1, Math.min(allowed, this.#limit));
  }

  succeeded(allowed: number): void {
    this.#successes += 1;
    if (this.#successes < this.limit(allowed)) return;
    this.#successes = 0;
    this.#limit = Math.min(allowed, this.limit(allowed) + 1);
  }

  /** The service is busy or fails, with so many imports under way. */
  throttled(running: number): void {
    this.#successes = 0;
    this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, Math.max(running, 1)) / 2));
  }

  /** Starts anew, for another service. */
  reset(): void {
    this.#limit = Number.POSITIVE_INFINITY;
    this.#successes = 0;
  }
}
