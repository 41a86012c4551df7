import type { Outcome } from '../../service/response/outcome';
import { couldNotConnect } from '../timing/retrying';

/** How often one import is tried of which nothing could leave, for a cause that may pass. */
const UNSENT_TRIES = 3;
/** And where the service has said that it did not take it because it had too much to do. */
const BUSY_TRIES = 10;
/** For so long an import waits for a file that keeps changing. */
const CHANGING_MS = 60_000;

/** The tries of one import. Only what the service has certainly not taken, and what may pass, is sent again by itself. */
export class Tries {
  #unsent = 0;
  #busy = 0;
  #restUntilMs: number | undefined;

  /** Until when to wait for its file, by the clock's `monotonicMs`. */
  get restUntilMs(): number {
    return this.#restUntilMs ?? 0;
  }

  /** Counts one that ended so at `now`; gives whether another may follow, or one once its file is at rest. */
  follows(outcome: Outcome<unknown>, now: number): 'again' | 'atRest' | 'none' {
    if (isChanging(outcome)) {
      this.#restUntilMs ??= now + CHANGING_MS;
      return now < this.#restUntilMs ? 'atRest' : 'none';
    }
    const isBusy = outcome.kind === 'rejected' && outcome.tryLater;
    const mayFollow = isBusy ? ++this.#busy < BUSY_TRIES : mayPass(outcome) && ++this.#unsent < UNSENT_TRIES;
    return mayFollow ? 'again' : 'none';
  }
}

/** Nothing has left, as its file was written after it was opened. */
function isChanging(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && outcome.cause.name === 'SourceError' && outcome.cause.reason === 'changing';
}

/** Nothing has left: no connection came about, or it did not last until then. */
function mayPass(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && (outcome.cause.name === 'ConnectionLostError' || couldNotConnect(outcome));
}
