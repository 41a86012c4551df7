import type { Outcome } from '../service/outcome';
import { backoffMs } from './backoff';
import type { Clock } from './clock';

/** How long an answer may ask us to wait; more than this is taken for a mistake. */
export const LONGEST_PAUSE_MS = 60 * 60_000;

/**
 * How many imports a service is given at once. It is left in peace where it asks for that or cannot be reached, gets
 * half as many then, and one more with each round that goes well.
 */
export class Pace {
  readonly #clock: Clock;
  #limit = Number.POSITIVE_INFINITY;
  #wellInARow = 0;
  #pausesInARow = 0;
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
    return Math.max(0, this.#pausedUntilMs - this.#clock.now());
  }

  /** Until when nothing new begins; milliseconds since 1970. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** Something went well. */
  wentWell(allowed: number): void {
    this.#pausesInARow = 0;
    this.#wellInARow += 1;
    if (this.#wellInARow < this.limit(allowed)) return;
    this.#wellInARow = 0;
    this.#limit = Math.min(allowed, this.limit(allowed) + 1);
  }

  /**
   * Something that began at `beganMs` met a service that is busy or away. What began before the pause that is already
   * on tells nothing new, but may ask for a longer one.
   */
  pushedBack(beganMs: number, running: number, askedMs: number | undefined): void {
    const now = this.#clock.now();
    const isNews = beganMs >= this.#pausedUntilMs;
    if (isNews) {
      this.#pausesInARow += 1;
      this.#wellInARow = 0;
      this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, Math.max(running, 1)) / 2));
    }
    if (!isNews && askedMs === undefined) return;
    const pauseMs = askedMs ?? backoffMs(this.#pausesInARow, this.#clock.random);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, now + Math.min(pauseMs, LONGEST_PAUSE_MS));
    if (askedMs !== undefined) this.#askedUntilMs = this.#pausedUntilMs;
  }

  /** Ends a pause that nobody has asked for: a person wants to try, or what stood in the way may have been mended. */
  hurry(): void {
    this.#pausedUntilMs = this.#askedUntilMs;
  }

  /** Forgets all there was: it is another service now. */
  beginAnew(): void {
    this.#limit = Number.POSITIVE_INFINITY;
    this.#wellInARow = 0;
    this.#pausesInARow = 0;
    this.#pausedUntilMs = 0;
    this.#askedUntilMs = 0;
  }
}

/** Whether an outcome says that the service, or the way to it, has too much to do or is away at present. */
export function isPushBack(outcome: Outcome<unknown>): boolean {
  switch (outcome.kind) {
    case 'accepted':
      return false;
    case 'rejected':
      return outcome.tryLater;
    case 'notSent':
      return outcome.cause.name === 'ConnectError' || outcome.cause.name === 'ConnectionLostError';
    case 'unconfirmed':
      return outcome.cause.name !== 'CancelledError' && outcome.cause.name !== 'SourceError';
  }
}
