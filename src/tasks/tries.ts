import type { Outcome } from '../service/outcome';
import { couldNotConnect } from './retrying';

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
  #changingUntilMs: number | undefined;

  /** Counts one that ended so; gives whether another may follow. */
  mayFollow(outcome: Outcome<unknown>): boolean {
    if (outcome.kind === 'rejected' && outcome.tryLater) return ++this.#busy < BUSY_TRIES;
    return mayPass(outcome) && ++this.#unsent < UNSENT_TRIES;
  }

  /** Until when to wait for a file that changed before anything of it left; `now` where it has for too long already. */
  changingUntilMs(now: number): number {
    this.#changingUntilMs ??= now + CHANGING_MS;
    return Math.max(now, this.#changingUntilMs);
  }
}

/** Nothing has left: no connection came about, or it did not last until then. */
function mayPass(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && (outcome.cause.name === 'ConnectionLostError' || couldNotConnect(outcome));
}
