import { setImmediate as nextTurn } from 'node:timers/promises';

/** Max steps. A step compares a piece of a pattern with a character or a name, in about 10 ns. */
const MAX_STEPS = {
  /** Of one pattern with one path; usual patterns take some hundred. */
  ofPattern: 500_000,
  /** Between two turns of the event loop. */
  withoutPause: 200_000,
  /** Of all patterns with all paths, in addition to `STEPS_FOR_PATH`. */
  inAll: 200_000_000,
} as const;

/** Steps that each path adds: about as many as 500 patterns take that do not match. */
const STEPS_FOR_PATH = 10_000;

/** Steps that trying a pattern costs at least. */
const STEPS_TO_BEGIN = 10;

/** Patterns take more steps than an import may spend. `source` names the setting or ignore file that they are in. */
export class PatternsTooComplexError extends Error {
  override readonly name = 'PatternsTooComplexError';
  readonly source: string;

  constructor(source: string) {
    super(`The patterns in ${source} are too complex`);
    this.source = source;
  }
}

/** Limits how much one import compares paths with patterns, in steps, so that a slow machine has the same limits. */
export class MatchBudget {
  #source = '';
  #ofPattern = 0;
  #sincePause = 0;
  #left: number = MAX_STEPS.inAll;

  /** Whether it is time to `pause`. */
  get isPauseDue(): boolean {
    return this.#sincePause + this.#ofPattern > MAX_STEPS.withoutPause;
  }

  /** Lets the event loop run. */
  async pause(): Promise<void> {
    this.#settle();
    this.#sincePause = 0;
    await nextTurn();
  }

  /** Adds the steps of one more path, and counts what looking at it takes though no pattern is tried. */
  async addPath(path: string): Promise<void> {
    this.#left += STEPS_FOR_PATH;
    this.#sincePause += path.length;
    if (this.isPauseDue) await this.pause();
  }

  /** Begins to match a pattern of this source. @throws PatternsTooComplexError where no steps are left */
  begin(source: string): void {
    this.#settle();
    this.#source = source;
    this.#ofPattern = STEPS_TO_BEGIN;
    if (this.#left <= 0) throw new PatternsTooComplexError(source);
  }

  /** Counts steps. @throws PatternsTooComplexError where the pattern has taken too many */
  step(count = 1): void {
    this.#ofPattern += count;
    if (this.#ofPattern > MAX_STEPS.ofPattern) throw new PatternsTooComplexError(this.#source);
  }

  #settle(): void {
    this.#left -= this.#ofPattern;
    this.#sincePause += this.#ofPattern;
    this.#ofPattern = 0;
  }
}
