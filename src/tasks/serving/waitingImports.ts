import { untilUnchanged } from '../sending/untilUnchanged';
import type { Clock } from '../timing/clock';
import type { Source } from '../trackedTask';
import { newQueueEntry, type QueueEntry } from './queueEntry';

/** The imports of a queue that are not under way, in the order in which they were added. */
export class WaitingImports {
  #waiting: QueueEntry[] = [];
  /** Those whose file is being changed: they wait beside the others. */
  readonly #changing = new Set<QueueEntry>();
  #added = 0;

  get entries(): readonly QueueEntry[] {
    return [...this.#changing, ...this.#waiting];
  }

  add(key: number, source: Source): QueueEntry {
    const entry = newQueueEntry(key, this.#added++, source);
    this.#waiting.push(entry);
    return entry;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#changing.size === 0;
  }

  /** The next ones that {@link take} would take out. */
  next(count: number): readonly QueueEntry[] {
    return this.#waiting.slice(0, count);
  }

  /** Takes out the next ones. */
  take(count: number): QueueEntry[] {
    return this.#waiting.splice(0, count);
  }

  /** Puts one back to its place in the order. */
  putBack(entry: QueueEntry): void {
    const next = this.#waiting.findIndex(({ order }) => order > entry.order);
    this.#waiting.splice(next === -1 ? this.#waiting.length : next, 0, entry);
  }

  /** Puts one back once its file no longer changes; returns whether that was done, and it was not removed meanwhile. */
  async putBackWhenUnchanged(entry: QueueEntry, clock: Clock): Promise<boolean> {
    this.#changing.add(entry);
    await untilUnchanged(entry.source.path, entry.changingUntilMs ?? 0, clock, entry.stop.signal).catch(() => {});
    const isStillHere = this.#changing.delete(entry);
    if (isStillHere) this.putBack(entry);
    return isStillHere;
  }

  /** Removes those with these keys; returns them. */
  remove(isMeant: (key: number) => boolean): QueueEntry[] {
    const removed = [...this.#waiting, ...this.#changing].filter(({ key }) => isMeant(key));
    this.#waiting = this.#waiting.filter(({ key }) => !isMeant(key));
    for (const entry of removed) this.#changing.delete(entry);
    return removed;
  }
}
