import type { Clock } from '../timing/clock';
import { wait } from '../timing/wait';
import type { Source } from '../trackedTask';

/** How long a file is left alone that was being written; twice as long each further time. */
const CHANGING_PAUSE_MS = 1000;

/** An import that is being sent, or was and is to be sent again. */
export interface QueueEntry {
  readonly key: number;
  readonly source: Source;
  readonly stop: AbortController;
  /** Resolves once it is out of the queue and its end is stored. */
  readonly stored: PromiseWithResolvers<void>;
  /** Names its attempts in this window; empty before the first. */
  attemptId: string;
  /** Whether a byte of it may have left since then. */
  mayHaveSentBytes: boolean;
  /** How often its file was being written when it was tried. */
  changes: number;
  /** How often it was put back for the service's answer to it, and how many imports had been accepted before the first time. */
  answers: number;
  acceptedBefore: number | undefined;
}

/**
 * The imports of a queue that are not under way, in the order in which they were added. Adding, taking and removing one
 * costs the same however many there are.
 */
export class WaitingImports {
  /** By key, in their order. */
  readonly #untried = new Map<number, Source>();
  /** Those that were put back. They come after the others, so that what is tried next is another file if there is one. */
  #tried: QueueEntry[] = [];
  /** Those whose file was being written: they wait beside the others. */
  readonly #changing = new Set<QueueEntry>();

  get keys(): readonly number[] {
    return [...this.#untried.keys(), ...[...this.#tried, ...this.#changing].map(({ key }) => key)];
  }

  add(key: number, source: Source): void {
    this.#untried.set(key, source);
  }

  get isEmpty(): boolean {
    return this.#untried.size === 0 && this.#tried.length === 0 && this.#changing.size === 0;
  }

  has(key: number): boolean {
    return this.#untried.has(key) || [...this.#tried, ...this.#changing].some((entry) => entry.key === key);
  }

  /** The next ones that {@link take} would take out. */
  next(count: number): readonly (readonly [key: number, source: Source])[] {
    const next: (readonly [number, Source])[] = [];
    for (const untried of this.#untried) {
      if (next.length >= count) return next;
      next.push(untried);
    }
    const tried = this.#tried.slice(0, count - next.length);
    return [...next, ...tried.map(({ key, source }) => [key, source] as const)];
  }

  /** Takes out the next ones. */
  take(count: number): readonly QueueEntry[] {
    const untried: QueueEntry[] = [];
    for (const [key, source] of this.#untried) {
      if (untried.length >= count) break;
      untried.push(newQueueEntry(key, source));
    }
    for (const { key } of untried) this.#untried.delete(key);
    return [...untried, ...this.#tried.splice(0, count - untried.length)];
  }

  /** Puts back one that {@link take} returned, behind all others. */
  putBack(entry: QueueEntry): void {
    this.#tried.push(entry);
  }

  /** Puts one back after a moment, as its file was being written; returns whether it was not removed meanwhile. */
  async putBackSoon(entry: QueueEntry, clock: Clock): Promise<boolean> {
    this.#changing.add(entry);
    await wait(clock, CHANGING_PAUSE_MS * 2 ** entry.changes++, entry.stop.signal);
    const isStillHere = this.#changing.delete(entry);
    if (isStillHere) this.putBack(entry);
    return isStillHere;
  }

  /** Removes those with these keys, and stops what they wait for; returns the keys of the removed ones. */
  remove(keys: ReadonlySet<number>): readonly number[] {
    const tried = [...this.#tried, ...this.#changing].filter(({ key }) => keys.has(key));
    for (const entry of tried) {
      this.#changing.delete(entry);
      entry.stop.abort();
      entry.stored.resolve();
    }
    this.#tried = this.#tried.filter((entry) => !tried.includes(entry));
    return [...tried.map(({ key }) => key), ...[...keys].filter((key) => this.#untried.delete(key))];
  }
}

function newQueueEntry(key: number, source: Source): QueueEntry {
  const own = { stop: new AbortController(), stored: Promise.withResolvers<void>() };
  const counts = { changes: 0, answers: 0, acceptedBefore: undefined };
  return { key, source, ...own, ...counts, attemptId: '', mayHaveSentBytes: false };
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
