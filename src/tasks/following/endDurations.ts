/** How many ends are needed before they tell anything. */
const MIN_ENDS = 20;
/** The ends that count: the latest ones. */
const MAX_ENDS = 200;

/** How long the tasks of a destination take, as far as their ends were seen. */
export class EndDurations {
  readonly #latest: number[] = [];
  #count = 0;
  #tenth: number | undefined;

  /** A task that had not ended after `unfinishedMs` had after `endedMs`: it counts as ended half-way between. */
  add(unfinishedMs: number, endedMs: number): void {
    this.#latest[this.#count % MAX_ENDS] = (unfinishedMs + endedMs) / 2;
    this.#count += 1;
    this.#tenth = undefined;
  }

  /** The time after which a tenth of the tasks have ended; undefined while too few have. */
  get tenthPercentileMs(): number | undefined {
    if (this.#count < MIN_ENDS) return undefined;
    this.#tenth ??= this.#latest.toSorted((one, other) => one - other)[Math.floor(this.#latest.length / 10)];
    return this.#tenth;
  }
}
