/** Runs something a while after it was asked for, once for all that is asked for until then. */
export class Delayed {
  readonly #run: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onError` gets what `run` rejects with. */
  constructor(run: () => Promise<void>, onError: (error: unknown) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  /** Has no effect where it is to run already. */
  runIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#run().catch(this.#onError);
    }, ms);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
