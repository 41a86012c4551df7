/** Lets only one thing be done at a time: each waits for those that were asked for before it, however they end. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does it in its turn. */
  run<T>(what: () => Promise<T>): Promise<T> {
    const result = this.#last.then(what);
    this.#last = result.catch(() => {});
    return result;
  }
}
