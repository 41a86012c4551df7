/** Runs operations one at a time, in the order of the calls. If an operation fails, later operations still run. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#last.then(operation);
    this.#last = result.catch(() => {});
    return result;
  }
}
