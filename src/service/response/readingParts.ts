/** A response of so many bytes is read in parts. */
const LONG_BYTES = 64 * 1024;

/** Turns of the event loop for whoever has long work: one part of it in each turn, so that other work runs between them. */
export class LoopTurns {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}

/** The reading of the responses to one request, in parts that leave the event loop free between them, and are measured. */
export class ReadingParts {
  readonly #turns: LoopTurns;
  readonly #monotonicMs: () => number;
  #isLong = false;
  #tookMs = 0;

  /** `monotonicMs` is a clock that only goes forward, in milliseconds. */
  constructor(turns: LoopTurns, monotonicMs: () => number) {
    this.#turns = turns;
    this.#monotonicMs = monotonicMs;
  }

  /** How long the parts have kept the event loop from other work, in milliseconds. */
  get tookMs(): number {
    return this.#tookMs;
  }

  /** A response begins that has so many bytes. */
  begin(bytes: number): void {
    this.#isLong = bytes >= LONG_BYTES;
  }

  /** Runs the next part: of a short response at once. */
  async run<Value>(part: () => Value): Promise<Value> {
    if (this.#isLong) await this.#turns.next();
    const begunMs = this.#monotonicMs();
    try {
      return part();
    } finally {
      this.#tookMs += this.#monotonicMs() - begunMs;
    }
  }
}
