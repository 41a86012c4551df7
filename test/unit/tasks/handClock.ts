import type { Clock } from '../../../src/tasks/timing/clock';

export const NOON = Date.UTC(2026, 0, 31, 12);

/** A clock that stands still until a test advances it. */
export class HandClock implements Clock {
  #nowMs = NOON;
  /** How far the wall clock was set forward; negative if it was set back. */
  #jumpMs = 0;
  #alarms: { readonly atMs: number; readonly call: () => void }[] = [];

  constructor(readonly random: () => number = () => 0.5) {}

  readonly now = () => this.#nowMs + this.#jumpMs;

  readonly monotonicMs = () => this.#nowMs - NOON;

  after(ms: number, call: () => void): () => void {
    const alarm = { atMs: this.#nowMs + ms, call };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Sets the wall clock forward, or back if `ms` is negative. The monotonic clock doesn't change. */
  jump(ms: number): void {
    this.#jumpMs += ms;
  }

  /** The number of pending timers. */
  get alarms(): number {
    return this.#alarms.length;
  }

  /** Advances the time, and fires each timer when it is due. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#alarms.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.call();
    }
    this.#nowMs = endMs;
  }
}
