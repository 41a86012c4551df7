/** Runs tasks one at a time, in the order of the calls; one that fails does not stop those after it. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(what: () => Promise<T>): Promise<T> {
    const result = this.#last.then(what);
    this.#last = result.catch(() => {});
    return result;
  }
}
