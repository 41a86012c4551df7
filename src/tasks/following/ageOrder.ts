/** What an {@link AgeOrder} holds; its neighbors are the order's own. */
export interface Aged<Entry> {
  /** When it began, in milliseconds. */
  readonly bornMs: number;
  older: Entry | undefined;
  newer: Entry | undefined;
}

/** A list ordered by age. */
export class AgeOrder<Entry extends Aged<Entry>> {
  #oldest: Entry | undefined;
  #newest: Entry | undefined;

  get oldest(): Entry | undefined {
    return this.#oldest;
  }

  /** Adds an entry; at once where it is the newest or the oldest, as entries are nearly always. */
  add(entry: Entry): void {
    let older = this.#newest;
    if (this.#oldest !== undefined && entry.bornMs < this.#oldest.bornMs) older = undefined;
    while (older !== undefined && older.bornMs > entry.bornMs) older = older.older;
    this.#join(entry, older === undefined ? this.#oldest : older.newer);
    this.#join(older, entry);
  }

  remove({ older, newer }: Entry): void {
    this.#join(older, newer);
  }

  #join(older: Entry | undefined, newer: Entry | undefined): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
