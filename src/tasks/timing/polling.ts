import { systemClock } from './clock';
import { wait } from './wait';

/** Runs a task again and again, with a pause after the end of each run. */
export class Polling {
  readonly #turn: (signal: AbortSignal) => Promise<void>;
  readonly #pauseMs: number;
  #stop: AbortController | undefined;
  #turns: Promise<void> = Promise.resolve();

  /** `turn` must not throw. */
  constructor(turn: (signal: AbortSignal) => Promise<void>, pauseMs: number) {
    this.#turn = turn;
    this.#pauseMs = pauseMs;
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

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#turn(signal);
      await wait(systemClock, this.#pauseMs, signal);
    }
  }
}
