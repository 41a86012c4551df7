import type { Clock } from '../../../src/tasks/clock';
import { NOON } from '../tasks/temporaryStore';

/** Time that passes only where a test lets it. */
export class OwnedClock implements Clock {
  #nowMs = NOON;
  readonly #timers = new Set<{ readonly atMs: number; readonly call: () => void }>();

  readonly now = () => this.#nowMs;

  readonly random = () => 0.5;

  readonly after = (ms: number, call: () => void) => {
    const timer = { atMs: this.#nowMs + ms, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Lets so much time pass; what falls due meanwhile is called at its time. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let next = this.#nextBy(endMs); next !== undefined; next = this.#nextBy(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#timers.delete(next);
      next.call();
    }
    this.#nowMs = endMs;
  }

  #nextBy(endMs: number) {
    return [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
  }
}
