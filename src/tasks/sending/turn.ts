/** One import's turn to be sent. It may be prepared before; its turn comes once there is room for it, or not this time. */
export class Turn {
  readonly #comes = Promise.withResolvers<boolean>();
  readonly #onReady: () => void;
  #state: 'ahead' | 'come' | 'putOff' = 'ahead';

  /** `onReady` is called where all is prepared before it has come. */
  constructor(onReady: () => void = () => {}) {
    this.#onReady = onReady;
  }

  /** Waits for it, now that all is prepared; resolves with whether it has come. */
  comes(): Promise<boolean> {
    if (this.#state === 'ahead') this.#onReady();
    return this.#comes.promise;
  }

  get hasCome(): boolean {
    return this.#state === 'come';
  }

  /** Lets it come, unless it was put off. */
  give(): void {
    this.#end('come');
  }

  /** Not this time, unless it has come. */
  putOff(): void {
    this.#end('putOff');
  }

  #end(state: 'come' | 'putOff'): void {
    if (this.#state !== 'ahead') return;
    this.#state = state;
    this.#comes.resolve(this.hasCome);
  }
}
