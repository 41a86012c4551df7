import type { Source } from '../trackedTask';

/** An import that is being sent, or was and is to be sent again. */
export interface QueueEntry {
  readonly key: number;
  /** Its place among the others. */
  readonly order: number;
  readonly source: Source;
  readonly stop: AbortController;
  /** Resolves once it is out of the queue and its end is stored. */
  readonly stored: PromiseWithResolvers<void>;
  /** Names its attempts in this window; empty before the first. */
  attemptId: string;
  /** The round of the gate in which it began last. */
  round: number;
  /** Whether a byte of it may have left since then. */
  mayHaveSentBytes: boolean;
  /** Until when it waits for its file, which was being written, by the clock's `monotonicMs`. */
  changingUntilMs: number | undefined;
}

export function newQueueEntry(key: number, order: number, source: Source): QueueEntry {
  const own = { stop: new AbortController(), stored: Promise.withResolvers<void>() };
  return { key, order, source, ...own, attemptId: '', round: 0, mayHaveSentBytes: false, changingUntilMs: undefined };
}

/** Stops an import of which nothing has left, so that it stays queued. */
export function releaseEntry({ stop }: QueueEntry): void {
  stop.abort(RELEASED);
}

/** Whether an import was released, and not canceled. */
export function isReleased({ stop: { signal } }: QueueEntry): boolean {
  return signal.aborted && signal.reason === RELEASED;
}

const RELEASED = 'released, to be sent by another window';
