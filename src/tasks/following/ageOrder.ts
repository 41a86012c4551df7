/** What an {@link AgeOrder} holds; its neighbors are the order's own. */
export interface Aged<Entry> {
  /** When it began, in milliseconds. */
  readonly bornMs: number;
  neighbors: Record<Toward, Entry | undefined>;
  isRemoved: boolean;
}

export type Toward = 'older' | 'newer';

/** A list ordered by age. Whoever holds an entry that was removed still finds its neighbors from it. */
export class AgeOrder<Entry extends Aged<Entry>> {
  #oldest: Entry | undefined;
  #newest: Entry | undefined;

  get oldest(): Entry | undefined {
    return this.#oldest;
  }

  get newest(): Entry | undefined {
    return this.#newest;
  }

  /** Adds an entry; at once where it is the newest or the oldest, as entries are nearly always. */
  add(entry: Entry): void {
    let older = this.#newest;
    if (this.#oldest !== undefined && entry.bornMs < this.#oldest.bornMs) older = undefined;
    while (older !== undefined && older.bornMs > entry.bornMs) older = older.neighbors.older;
    this.#join(entry, older === undefined ? this.#oldest : older.neighbors.newer);
    this.#join(older, entry);
  }

  remove(entry: Entry): void {
    const { older, newer } = entry.neighbors;
    entry.isRemoved = true;
    this.#join(older, newer);
  }

  /** The nearest entry that is still there, from this one on; itself where it is. */
  static present<Entry extends Aged<Entry>>(from: Entry | undefined, toward: Toward): Entry | undefined {
    let entry = from;
    while (entry?.isRemoved) entry = entry.neighbors[toward];
    return entry;
  }

  #join(older: Entry | undefined, newer: Entry | undefined): void {
    if (older === undefined) this.#oldest = newer;
    else older.neighbors.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.neighbors.older = older;
  }
}
