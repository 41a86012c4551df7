import type { Pace } from '../../../src/tasks/retrying';

/** Pauses that are written down and over at once. */
export class RecordedPace implements Pace {
  readonly pausesMs: number[] = [];
  readonly #during: (signal: AbortSignal) => unknown;

  /** `during` is what happens in a pause. */
  constructor(during: (signal: AbortSignal) => unknown = () => {}) {
    this.#during = during;
  }

  readonly random = Math.random;

  readonly wait = async (ms: number, signal: AbortSignal) => {
    this.pausesMs.push(ms);
    await this.#during(signal);
  };
}
