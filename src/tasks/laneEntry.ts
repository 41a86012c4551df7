import type { ImportRun } from './importRun';
import { Tries } from './tries';

/** An import that is still to be sent. */
export interface Entry {
  readonly key: number;
  /** Its place among the others. */
  readonly order: number;
  readonly run: ImportRun;
  readonly stop: AbortController;
  readonly tries: Tries;
  /** Resolves once it is out of the lane and that is stored. */
  readonly stored: PromiseWithResolvers<void>;
  /** The round of the circuit breaker in which it began last. */
  round: number;
  /** Whether a byte of it may have left since then. */
  mayHaveLeft: boolean;
}

export function newEntry(key: number, order: number, run: ImportRun): Entry {
  const own = { stop: new AbortController(), tries: new Tries(), stored: Promise.withResolvers<void>() };
  return { key, order, run, ...own, round: 0, mayHaveLeft: false };
}

/** Lets go of an import of which nothing has left, for another window or lane to go on with. */
export function leave({ stop }: Entry): void {
  stop.abort(LEFT);
}

/** Whether another window or lane is to go on with it. */
export function isLeft({ stop: { signal } }: Entry): boolean {
  return signal.aborted && signal.reason === LEFT;
}

const LEFT = 'left to another window or lane';
