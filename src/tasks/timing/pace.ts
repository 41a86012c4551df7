/** How many counts the pace is computed from. */
const MAX_COUNTS = 20;
/** Min time between two of these counts. */
const COUNT_MS = 1000;
/** The remaining time is estimated only from this many counts, over this much time. */
const MIN_COUNTS = 3;
const MIN_MS = 5000;

/** How fast something gets done. */
export class Pace {
  #counts: { readonly atMs: number; readonly done: number }[] = [];

  /** Notes how much is done. If it is less than before, something else has started. `nowMs` is monotonic time. */
  note(done: number, nowMs: number): void {
    const last = this.#counts.at(-1);
    if (last !== undefined && done < last.done) this.#counts = [];
    else if (last !== undefined && (done === last.done || nowMs - last.atMs < COUNT_MS)) return;
    this.#counts = [...this.#counts.slice(1 - MAX_COUNTS), { atMs: nowMs, done }];
  }

  /** The estimated time for the rest, in milliseconds; undefined while too little is known. */
  timeLeftMs(toDo: number, nowMs: number): number | undefined {
    const [first] = this.#counts;
    const last = this.#counts.at(-1);
    if (first === undefined || last === undefined || this.#counts.length < MIN_COUNTS) return undefined;
    const elapsedMs = nowMs - first.atMs;
    return elapsedMs < MIN_MS ? undefined : (toDo * elapsedMs) / (last.done - first.done);
  }
}
