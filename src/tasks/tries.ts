import type { Outcome } from '../service/outcome';
import { couldNotConnect } from './retrying';

/** How often one import is tried of which nothing could leave, for a cause that may pass. */
const UNSENT_TRIES = 3;
/** And where the service has said that it did not take it because it had too much to do. */
const BUSY_TRIES = 10;

/** The tries of one import. Only what the service has certainly not taken, and what may pass, is sent again by itself. */
export class Tries {
  #unsent = 0;
  #busy = 0;

  /** Counts one that ended so; gives whether another may follow. */
  mayFollow(outcome: Outcome<unknown>): boolean {
    if (outcome.kind === 'rejected' && outcome.tryLater) return ++this.#busy < BUSY_TRIES;
    return mayPass(outcome) && ++this.#unsent < UNSENT_TRIES;
  }
}

/** Nothing has left: no connection came about or lasted until then, or the file was saved after it was opened. */
function mayPass(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'notSent') return false;
  const { cause } = outcome;
  const wasSaved = cause.name === 'SourceError' && cause.reason === 'changed';
  return wasSaved || cause.name === 'ConnectionLostError' || couldNotConnect(outcome);
}
