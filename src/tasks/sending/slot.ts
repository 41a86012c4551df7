/** One import's permission to be sent. The import may be prepared before: its file opened, its connection made. */
export class Slot {
  readonly #decided = Promise.withResolvers<boolean>();
  readonly #onPrepared: () => void;
  #state: 'pending' | 'granted' | 'revoked' = 'pending';

  /** `onPrepared` is called where the import is prepared before the slot is granted. */
  constructor(onPrepared: () => void = () => {}) {
    this.#onPrepared = onPrepared;
  }

  get isGranted(): boolean {
    return this.#state === 'granted';
  }

  /** Waits, once the import is prepared, for the slot; resolves with whether it was granted. */
  wait(): Promise<boolean> {
    if (this.#state === 'pending') this.#onPrepared();
    return this.#decided.promise;
  }

  /** Lets the import be sent, unless the slot was revoked. */
  grant(): void {
    this.#decide('granted');
  }

  /** Takes back a slot that was not granted yet: the import goes back into the queue. */
  revoke(): void {
    this.#decide('revoked');
  }

  #decide(state: 'granted' | 'revoked'): void {
    if (this.#state !== 'pending') return;
    this.#state = state;
    this.#decided.resolve(this.isGranted);
  }
}
