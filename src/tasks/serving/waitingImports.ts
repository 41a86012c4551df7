import { untilUnchanged } from '../sending/untilUnchanged';
import type { Clock } from '../timing/clock';
import type { Source } from '../trackedTask';
import { newQueueEntry, type QueueEntry } from './queueEntry';

/**
 * The imports of a queue that are not under way, in the order in which they were added. Adding, taking and removing one
 * costs the same however many there are.
 */
export class WaitingImports {
  /** By key, in their order. */
  readonly #untried = new Map<number, Source>();
  /** Those that were under way and are put back, in their order: all of them come before the others, and they are few. */
  #tried: QueueEntry[] = [];
  /** Those whose file is being changed: they wait beside the others. */
  readonly #changing = new Set<QueueEntry>();
  #lastOrder = 0;

  get keys(): readonly number[] {
    return [...[...this.#changing, ...this.#tried].map(({ key }) => key), ...this.#untried.keys()];
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
    const next = this.#tried.slice(0, count).map(({ key, source }) => [key, source] as const);
    for (const untried of this.#untried) {
      if (next.length >= count) break;
      next.push(untried);
    }
    return next;
  }

  /** Takes out the next ones. */
  take(count: number): readonly QueueEntry[] {
    const tried = this.#tried.splice(0, count);
    const untried = this.next(count - tried.length);
    for (const [key] of untried) this.#untried.delete(key);
    return [...tried, ...untried.map(([key, source]) => newQueueEntry(key, ++this.#lastOrder, source))];
  }

  /** Puts back one that {@link take} returned, to its place in the order. */
  putBack(entry: QueueEntry): void {
    this.#tried = [...this.#tried, entry].sort((one, other) => one.order - other.order);
  }

  /** Puts one back once its file no longer changes; returns whether that was done, and it was not removed meanwhile. */
  async putBackWhenUnchanged(entry: QueueEntry, clock: Clock): Promise<boolean> {
    this.#changing.add(entry);
    await untilUnchanged(entry.source.path, entry.changingUntilMs ?? 0, clock, entry.stop.signal).catch(() => {});
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
