import { type Clock, systemClock } from './clock';
import { wait } from './wait';

/** Runs `turn` repeatedly, with a pause after each run. */
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

  /** Runs a turn right away, or once a stopped turn has ended. Has no effect if polling has already started. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#turns = this.#turns.then(() => this.#run(stop.signal));
  }

  /** Starts no more turns, and aborts the signal of a turn in progress. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  /** Resolves once a stopped turn has ended. */
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
