/** Something done again and again while it is wanted, each turn a pause after the last one ended. */
export class Polling {
  readonly #turn: (signal: AbortSignal) => Promise<void>;
  readonly #pauseMs: number;
  #stop: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `turn` handles its own errors. */
  constructor(turn: (signal: AbortSignal) => Promise<void>, pauseMs: number) {
    this.#turn = turn;
    this.#pauseMs = pauseMs;
  }

  /** Begins with a turn at once; nothing where it already runs. */
  start(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  /** Ends it, a turn under way too. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    clearTimeout(this.#timer);
  }

  async #run(signal: AbortSignal): Promise<void> {
    await this.#turn(signal);
    if (!signal.aborted) this.#timer = setTimeout(() => void this.#run(signal), this.#pauseMs);
  }
}
