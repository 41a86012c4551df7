/** How much of a file has been handed to the network. */
export interface SendingProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** How far the sending of tasks is, by their keys. Kept in memory only. */
export class SendingProgresses {
  readonly #byKey = new Map<number, SendingProgress>();

  get(key: number): SendingProgress | undefined {
    return this.#byKey.get(key);
  }

  /** Returns whether it is another whole percent than before. */
  set(key: number, progress: SendingProgress): boolean {
    const before = this.#byKey.get(key);
    this.#byKey.set(key, progress);
    return before === undefined || percent(before) !== percent(progress);
  }

  delete(key: number): void {
    this.#byKey.delete(key);
  }
}

function percent({ sentBytes, totalBytes }: SendingProgress): number {
  return Math.floor((100 * sentBytes) / totalBytes);
}
