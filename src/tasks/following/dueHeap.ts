/** What a {@link DueHeap} orders; `heapIndex` is the heap's own. */
export interface Due {
  dueMs: number;
  heapIndex: number;
}

/** A binary heap of what is due, the earliest first: adding, moving and removing one takes a few steps however many there are. */
export class DueHeap<Entry extends Due> {
  readonly #entries: Entry[] = [];

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  add(entry: Entry): void {
    entry.heapIndex = this.#entries.length;
    this.#entries.push(entry);
    this.#rise(entry);
  }

  /** Changes when an entry is due. */
  move(entry: Entry, dueMs: number): void {
    entry.dueMs = dueMs;
    this.#rise(entry);
    this.#sink(entry);
  }

  remove(entry: Entry): void {
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#put(last, entry.heapIndex);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(entry: Entry): void {
    for (;;) {
      const parent = entry.heapIndex === 0 ? undefined : this.#entries[(entry.heapIndex - 1) >> 1];
      if (parent === undefined || parent.dueMs <= entry.dueMs) return;
      this.#swap(parent, entry);
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#entries[2 * entry.heapIndex + 1];
      const right = this.#entries[2 * entry.heapIndex + 2];
      const earlier = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (earlier === undefined || earlier.dueMs >= entry.dueMs) return;
      this.#swap(entry, earlier);
    }
  }

  #swap(above: Entry, below: Entry): void {
    const { heapIndex } = above;
    this.#put(above, below.heapIndex);
    this.#put(below, heapIndex);
  }

  #put(entry: Entry, index: number): void {
    entry.heapIndex = index;
    this.#entries[index] = entry;
  }
}
