import { systemClock } from './clock';
import { wait } from './wait';

/** Something done again and again while it is wanted, each turn a pause after the last one ended. */
export class Polling {
  readonly #turn: (signal: AbortSignal) => Promise<void>;
  readonly #pauseMs: number;
  #stop: AbortController | undefined;
  #turns: Promise<void> = Promise.resolve();

  /** `turn` handles its own errors. */
  constructor(turn: (signal: AbortSignal) => Promise<void>, pauseMs: number) {
    this.#turn = turn;
    this.#pauseMs = pauseMs;
  }

  /** Begins with a turn, as soon as one that was stopped under way has ended; nothing where it already runs. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#turns = this.#turns.then(() => this.#run(stop.signal));
  }

  /** Ends it, a turn under way too. */
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
