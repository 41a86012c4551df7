import type { Clock } from '../../../src/tasks/timing/clock';
import { NOON } from '../tasks/handClock';

/** A clock that records each pause and ends it immediately. */
export class HastyClock implements Clock {
  nowMs = NOON;
  readonly pausesMs: number[] = [];
  readonly #during: () => unknown;

  /** `during` is called during each pause. */
  constructor(during: () => unknown = () => {}) {
    this.#during = during;
  }

  readonly now = () => this.nowMs;

  readonly monotonicMs = () => this.nowMs;

  readonly random = () => 0.5;

  after(ms: number, call: () => void): () => void {
    this.pausesMs.push(ms);
    let isWanted = true;
    void Promise.resolve(this.#during()).then(() => {
      if (!isWanted) return;
      this.nowMs += ms;
      call();
    });
    return () => {
      isWanted = false;
    };
  }
}
