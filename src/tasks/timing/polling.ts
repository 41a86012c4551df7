import { type Clock, systemClock } from './clock';
import { wait } from './wait';

/** Runs a task again and again, with a pause after the end of each run. */
export class Polling {
  readonly #turn: (signal: AbortSignal) => Promise<void>;
  readonly #pauseMs: number;
  readonly #clock: Clock;
  #stop: AbortController | undefined;
  #turns: Promise<void> = Promise.resolve();

  /** `turn` must not throw. */
  constructor(turn: (signal: AbortSignal) => Promise<void>, pauseMs: number, clock: Clock = systemClock) {
    this.#turn = turn;
    this.#pauseMs = pauseMs;
    this.#clock = clock;
  }

  /** Begins with a turn at once, or once the last one has ended where that was stopped. No effect where it runs. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#turns = this.#turns.then(() => this.#run(stop.signal));
  }

  /** Ends it, and aborts the signal of a turn under way. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  /** Resolves once the turn that was under way when it was stopped has ended. */
  get ended(): Promise<void> {
    return this.#turns;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#turn(signal);
      await wait(this.#clock, this.#pauseMs, signal);
    }
  }
}
