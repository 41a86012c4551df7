import type { ImportRun } from './importRun';
import { Tries } from './tries';

/** An import that is still to be sent. */
export interface QueueEntry {
  readonly key: number;
  /** Its place among the others. */
  readonly order: number;
  readonly run: ImportRun;
  readonly stop: AbortController;
  readonly tries: Tries;
  /** Resolves once it is out of the queue and that is stored. */
  readonly stored: PromiseWithResolvers<void>;
  /** The round of the circuit breaker in which it began last. */
  round: number;
  /** Whether a byte of it may have left since then. */
  mayHaveLeft: boolean;
}

export function newQueueEntry(key: number, order: number, run: ImportRun): QueueEntry {
  const own = { stop: new AbortController(), tries: new Tries(), stored: Promise.withResolvers<void>() };
  return { key, order, run, ...own, round: 0, mayHaveLeft: false };
}

/** Lets go of an import of which nothing has left, for another window or queue to go on with. */
export function leave({ stop }: QueueEntry): void {
  stop.abort(LEFT);
}

/** Whether another window or queue is to go on with it. */
export function isLeft({ stop: { signal } }: QueueEntry): boolean {
  return signal.aborted && signal.reason === LEFT;
}

const LEFT = 'left to another window or lane';
