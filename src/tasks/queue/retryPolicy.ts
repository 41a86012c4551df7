import type { Outcome } from '../../service/response/outcome';
import { couldNotConnect } from '../timing/retrying';

/** Max tries of an import of which nothing was sent, for a passing cause. */
const MAX_UNSENT_TRIES = 3;
/** Max tries of an import that the service rejected as it was busy. */
const MAX_BUSY_TRIES = 10;
/** How long an import waits for a file that keeps changing. */
const CHANGING_MS = 60_000;

/**
 * Whether an import is tried again by itself: only where the service has certainly not received it, for a passing cause,
 * and a limited number of times. One for each import, as it counts the tries.
 */
export class RetryPolicy {
  #unsentTries = 0;
  #busyTries = 0;
  #changingUntilMs: number | undefined;

  /** Until when to wait for its file, by the clock's `monotonicMs`. */
  get changingUntilMs(): number {
    return this.#changingUntilMs ?? 0;
  }

  /** What follows a try that ended at `nowMs`: another one, another once its file no longer changes, or none. */
  after(outcome: Outcome<unknown>, nowMs: number): 'retry' | 'retryWhenUnchanged' | 'none' {
    if (isChanging(outcome)) {
      this.#changingUntilMs ??= nowMs + CHANGING_MS;
      return nowMs < this.#changingUntilMs ? 'retryWhenUnchanged' : 'none';
    }
    if (outcome.kind === 'rejected' && outcome.tryLater) return ++this.#busyTries < MAX_BUSY_TRIES ? 'retry' : 'none';
    return isPassing(outcome) && ++this.#unsentTries < MAX_UNSENT_TRIES ? 'retry' : 'none';
  }
}

/** Nothing was sent, as the file was written after it was opened. */
function isChanging(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && outcome.cause.name === 'SourceError' && outcome.cause.reason === 'changing';
}

/** Nothing was sent, as there was no connection or it was lost before. */
function isPassing(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && (outcome.cause.name === 'ConnectionLostError' || couldNotConnect(outcome));
}
