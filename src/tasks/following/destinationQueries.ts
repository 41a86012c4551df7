import type { Outcome } from '../../service/response/outcome';
import type { Clock } from '../timing/clock';
import type { RetryPause } from '../timing/retryPause';
import { wait } from '../timing/wait';
import { QueryBudget } from './queryBudget';

/** Max queries of a destination at once. */
export const MAX_CONCURRENT = 4;

/** Different tasks in a row whose query fails, after which that is the destination's matter. */
const MAX_FAILED_TASKS = 3;

/** Our own back-off: the first pause, doubled with each further failure, up to the longest. */
const FIRST_BACKOFF_MS = 5000;
const MAX_BACKOFF_MS = 60_000;

/** A query that was not sent, as its destination is paused for so long. */
export interface Paused {
  readonly kind: 'paused';
  readonly pauseMs: number;
}

/**
 * The queries of one destination, a few at a time, within a budget. Where the service is busy, rejects the key, cannot be
 * reached or fails for several tasks in a row, all of them pause; then a single query is sent, before the others follow.
 */
export class DestinationQueries {
  readonly #clock: Clock;
  readonly #pause: RetryPause;
  readonly #budget = new QueryBudget();
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #consecutiveFailures = 0;
  /** The tasks whose query failed since one succeeded. */
  readonly #failedTasks = new Set<number | undefined>();
  /** Counts the pauses, so that a failure of a query from before the last one is known as such. */
  #round = 0;
  #isProbeWanted = false;

  /** `pause` is the one of the destination's imports too. */
  constructor(clock: Clock, pause: RetryPause) {
    this.#clock = clock;
    this.#pause = pause;
  }

  /** How long no query is sent automatically, in milliseconds; 0 where there is no pause. */
  get pauseMs(): number {
    return this.#pause.remainingMs;
  }

  /** Milliseconds from one automatic query to the next, where queries are sent `slowdown` times slower. */
  intervalMs(slowdown: number): number {
    return this.#budget.intervalMs(slowdown);
  }

  /** Whether that is more than the service asks for, as reading its responses takes long. */
  isSlowedByReading(slowdown: number): boolean {
    return this.#budget.isSlowedByReading(slowdown);
  }

  /** Milliseconds until the next automatic query may be sent, where queries are sent `slowdown` times slower. */
  waitMs(slowdown: number): number {
    return Math.max(this.pauseMs, this.#budget.waitMs(this.#clock.monotonicMs(), slowdown));
  }

  /** Ends our own back-off, as the cause may be mended; what the service asked for is kept. */
  endBackoff(): void {
    this.#pause.endBackoff();
  }

  /** Lets the next urgent query end any pause, also one that begins before its turn: the user wants to know now. */
  probeNow(): void {
    this.#isProbeWanted = true;
  }

  /**
   * Sends a query once it is its turn, urgent ones first; not where there is a pause by then. Who sends automatic ones
   * keeps to the budget; urgent ones are held to it here. `key` is that of the task, where it is tracked.
   */
  async run<Value>(
    key: number | undefined,
    ask: () => Promise<Outcome<Value> | undefined>,
    signal: AbortSignal,
    isUrgent: boolean,
  ): Promise<Outcome<Value> | Paused | undefined> {
    if (!isUrgent) this.spend();
    await this.#turn(isUrgent);
    try {
      if (isUrgent && this.#isProbeWanted) {
        this.#isProbeWanted = false;
        this.#pause.end();
      }
      if (isUrgent && this.pauseMs === 0) await this.#keepToBudget(signal);
      const { pauseMs } = this;
      if (pauseMs > 0) return { kind: 'paused', pauseMs };
      const round = this.#round;
      const outcome = await ask();
      if (outcome !== undefined) this.#record(key, outcome, round === this.#round);
      return outcome;
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  /** Counts a query that is sent again. */
  spend(): void {
    this.#budget.spend(this.#clock.monotonicMs());
  }

  /** Counts the milliseconds for which reading a response has kept the host busy, so that it can rest. */
  hasRead(tookMs: number): void {
    this.#budget.hasRead(this.#clock.monotonicMs(), tookMs);
  }

  async #keepToBudget(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const waitMs = this.#budget.reserve(this.#clock.monotonicMs());
    if (waitMs > 0) await wait(this.#clock, waitMs, signal);
  }

  #turn(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => {
      (isUrgent ? this.#urgent : this.#waiting).push(resolve);
      this.#next();
    });
  }

  #next(): void {
    while (this.#underWay < (this.#consecutiveFailures > 0 ? 1 : MAX_CONCURRENT)) {
      const begin = this.#urgent.shift() ?? this.#waiting.shift();
      if (begin === undefined) return;
      this.#underWay += 1;
      begin();
    }
  }

  /** The outcome of a query that was sent before the last pause began is not counted, but may ask for a longer pause. */
  #record(key: number | undefined, outcome: Outcome<unknown>, counts: boolean): void {
    if (isCanceled(outcome)) return;
    const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
    const fault = retryAfterMs === undefined ? faultOf(outcome) : 'destination';
    if (fault === 'task') this.#failedTasks.add(key);
    if (fault === 'task' && this.#failedTasks.size < MAX_FAILED_TASKS) return;
    this.#failedTasks.clear();
    if (fault === undefined) {
      if (counts) this.#consecutiveFailures = 0;
      this.#budget.raise();
      return;
    }
    if (counts) {
      this.#consecutiveFailures += 1;
      this.#round += 1;
      this.#budget.halve();
    }
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (this.#consecutiveFailures - 1), MAX_BACKOFF_MS);
    this.#pause.extend(backoffMs, retryAfterMs);
  }
}

/** Whether a query was stopped by whoever asked. */
export function isCanceled(outcome: Outcome<unknown>): boolean {
  return 'cause' in outcome && outcome.cause.name === 'CanceledError';
}

/** Whether an outcome speaks against the whole destination or at first against the queried task; undefined for neither. */
function faultOf(outcome: Outcome<unknown>): 'destination' | 'task' | undefined {
  switch (outcome.kind) {
    case 'accepted':
      return undefined;
    case 'rejected':
      return outcome.tryLater || outcome.badKey ? 'destination' : undefined;
    case 'notSent':
      return outcome.cause.name === 'ConnectError' ? 'destination' : 'task';
    case 'unconfirmed':
      return 'task';
  }
}
