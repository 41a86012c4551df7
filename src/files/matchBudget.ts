import { setImmediate as nextTurn } from 'node:timers/promises';

/** A step compares a pattern's piece with a character or a name, and takes about ten nanoseconds. */
const MAX_STEPS = {
  /** One pattern with one path: what people write takes some hundred. */
  ofPattern: 500_000,
  /** Between two turns of the event loop. */
  atAStretch: 200_000,
  /** All patterns with all paths, besides what each path adds. */
  inAll: 200_000_000,
} as const;

/** What each path adds: it takes about so many to find that none of 500 patterns fits. */
const STEPS_FOR_PATH = 10_000;

/** Trying a pattern takes about so long before its first step. */
const STEPS_TO_BEGIN = 10;

/** Patterns ask for more than an import may spend on comparing. `source` names the setting or ignore file they are in. */
export class PatternsTooComplexError extends Error {
  override readonly name = 'PatternsTooComplexError';
  readonly source: string;

  constructor(source: string) {
    super(`The patterns in ${source} are too complex`);
    this.source = source;
  }
}

/** How much one import may compare paths with patterns, counted in steps: a slow machine has the same bounds. */
export class MatchBudget {
  #source = '';
  #ofPattern = 0;
  #atAStretch = 0;
  #left: number = MAX_STEPS.inAll;

  /** Whether it is time to `pause`. */
  get isPauseDue(): boolean {
    return this.#atAStretch + this.#ofPattern > MAX_STEPS.atAStretch;
  }

  /** Lets the event loop turn. */
  async pause(): Promise<void> {
    this.#settle();
    this.#atAStretch = 0;
    await nextTurn();
  }

  /** Adds what one more path may take, and counts that it is looked at, which takes time though no pattern is tried. */
  async addPath(path: string): Promise<void> {
    this.#left += STEPS_FOR_PATH;
    this.#atAStretch += path.length;
    if (this.isPauseDue) await this.pause();
  }

  /** Begins with a pattern of this source. @throws PatternsTooComplexError where all is spent */
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
    this.#atAStretch += this.#ofPattern;
    this.#ofPattern = 0;
  }
}
