import { retryDelayMs } from './backoff';
import type { Clock } from './clock';

/** A pause before the next try. What the service asked for by Retry-After is kept apart from our own back-off. */
export class RetryPause {
  readonly #clock: Clock;
  #untilMs = 0;
  #retryAfterUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds that are left; 0 where there is no pause. */
  get remainingMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonicMs());
  }

  /** When it ends or has ended, by the clock's `monotonicMs`. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /** Begins a pause, or makes the present one longer; never shorter. */
  extend(backoffMs: number, retryAfterMs: number | undefined): void {
    const nowMs = this.#clock.monotonicMs();
    this.#untilMs = Math.max(this.#untilMs, nowMs + retryDelayMs(retryAfterMs, backoffMs));
    if (retryAfterMs === undefined) return;
    this.#retryAfterUntilMs = Math.max(this.#retryAfterUntilMs, nowMs + retryDelayMs(retryAfterMs, 0));
  }

  /** Ends our own back-off, as the cause may be mended; what the service asked for still holds. */
  endBackoff(): void {
    this.#untilMs = this.#retryAfterUntilMs;
  }

  /** Ends the pause, whoever asked for it. */
  end(): void {
    this.#untilMs = 0;
    this.#retryAfterUntilMs = 0;
  }
}
