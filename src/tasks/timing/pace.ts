/** How long ago the oldest count lies at most that the pace is taken from, in counts. */
const MAX_COUNTS = 20;
/** Min time between two counts that are kept. */
const COUNT_MS = 1000;
/** The remaining time is estimated from so many counts on, over so long a time. */
const MIN_COUNTS = 3;
const MIN_MS = 5000;

/** How fast something gets done, by how much of it was done at which times. */
export class Pace {
  #counts: { readonly atMs: number; readonly done: number }[] = [];

  /** Notes how much is done by now. Where it is less than before, something else has begun. `nowMs` is monotonic time. */
  note(done: number, nowMs: number): void {
    const last = this.#counts.at(-1);
    if (last !== undefined && done < last.done) this.#counts = [];
    else if (last !== undefined && (done === last.done || nowMs - last.atMs < COUNT_MS)) return;
    this.#counts = [...this.#counts.slice(1 - MAX_COUNTS), { atMs: nowMs, done }];
  }

  /** The time that as much takes as is still to be done, in milliseconds; undefined while too little is known. */
  timeLeftMs(toDo: number, nowMs: number): number | undefined {
    const [first] = this.#counts;
    const last = this.#counts.at(-1);
    if (first === undefined || last === undefined || this.#counts.length < MIN_COUNTS) return undefined;
    const elapsedMs = nowMs - first.atMs;
    return elapsedMs < MIN_MS ? undefined : (toDo * elapsedMs) / (last.done - first.done);
  }
}
