import type { Outcome } from '../../service/response/outcome';
import { askedPauseMs } from '../timing/askedPause';
import type { Clock } from '../timing/clock';

/** How many queries of a destination are under way at once. */
const AT_ONCE = 4;

/** How long a destination is left in peace by our own back-off: the first time, and at most. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_OWN_PAUSE_MS = 60_000;

/** A query that was not sent, as its destination is left in peace for so long. */
export interface Paused {
  readonly kind: 'paused';
  readonly pauseMs: number;
}

/**
 * The queries of one destination, in turn. Where the service has too much to do, minds the key or cannot be reached,
 * all of them pause; after that a single one tries whether it is mended, before the others follow.
 */
export class DestinationQueries {
  readonly #clock: Clock;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #consecutiveFailures = 0;
  /** How many pauses there were. */
  #pauses = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** The part of the pause that the service has asked for. */
  #askedUntilMs = Number.NEGATIVE_INFINITY;
  #isProbeWanted = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long nothing is asked by itself; 0 where something may be. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#clock.monotonicMs());
  }

  /** Ends a pause unless the service has asked for it: what stood in the way may be mended. */
  endPause(): void {
    this.#pausedUntilMs = this.#askedUntilMs;
  }

  /** The next urgent query ends any pause, one that begins before its turn too, as a person wants to know now. */
  probeNow(): void {
    this.#isProbeWanted = true;
  }

  /** Asks in its turn, what is urgent first; does not ask where there is a pause by then. */
  async run<Taken>(
    ask: () => Promise<Outcome<Taken> | undefined>,
    isUrgent: boolean,
  ): Promise<Outcome<Taken> | Paused | undefined> {
    await this.#turn(isUrgent);
    try {
      if (isUrgent && this.#isProbeWanted) this.#endAnyPause();
      const { pauseMs } = this;
      if (pauseMs > 0) return { kind: 'paused', pauseMs };
      const pauses = this.#pauses;
      const outcome = await ask();
      if (outcome !== undefined) this.#note(outcome, pauses === this.#pauses);
      return outcome;
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  #endAnyPause(): void {
    this.#isProbeWanted = false;
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
    this.#askedUntilMs = Number.NEGATIVE_INFINITY;
  }

  #turn(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => {
      (isUrgent ? this.#urgent : this.#waiting).push(resolve);
      this.#next();
    });
  }

  #next(): void {
    while (this.#underWay < (this.#consecutiveFailures > 0 ? 1 : AT_ONCE)) {
      const begin = this.#urgent.shift() ?? this.#waiting.shift();
      if (begin === undefined) return;
      this.#underWay += 1;
      begin();
    }
  }

  /** What was under way when a pause began is no news of its own, but may ask for a longer one. */
  #note(outcome: Outcome<unknown>, isNews: boolean): void {
    if (isCanceled(outcome)) return;
    const askedMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
    if (askedMs === undefined && !isDestinationFault(outcome)) {
      if (isNews) this.#consecutiveFailures = 0;
      return;
    }
    if (isNews) {
      this.#consecutiveFailures += 1;
      this.#pauses += 1;
    }
    const ownMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#consecutiveFailures - 1), LONGEST_OWN_PAUSE_MS);
    const pauseMs = askedPauseMs(askedMs, ownMs);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.monotonicMs() + pauseMs);
    if (askedMs !== undefined) this.#askedUntilMs = this.#pausedUntilMs;
  }
}

/** Whether a query was stopped by whoever asked. */
export function isCanceled(outcome: Outcome<unknown>): boolean {
  return 'cause' in outcome && outcome.cause.name === 'CanceledError';
}

/** Whether an outcome tells of the whole destination, and not of the one task that was asked about. */
function isDestinationFault(outcome: Outcome<unknown>): boolean {
  switch (outcome.kind) {
    case 'accepted':
      return false;
    case 'rejected':
      return outcome.tryLater || outcome.badKey;
    case 'notSent':
    case 'unconfirmed':
      return outcome.cause.name !== 'UnexpectedError';
  }
}
