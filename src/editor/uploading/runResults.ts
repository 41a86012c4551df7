import type { ImportStore } from '../../tasks/importStore/importStore';
import type { Announcement } from '../../tasks/importStore/model';

export type EndedRun = Announcement['runs'][number];

/** Gives the callers in this window the results of their runs, and everyone else the rest. */
export class RunResults {
  readonly #waiting = new Map<string, (run: EndedRun) => void>();
  readonly #store: Pick<ImportStore, 'announce'>;

  constructor(store: Pick<ImportStore, 'announce'>) {
    this.#store = store;
  }

  /** The result of a run that this window starts, once all its files have been sent or not. Call this before queuing it. */
  of(run: string): Promise<EndedRun> {
    return new Promise((resolve) => this.#waiting.set(run, resolve));
  }

  /** The run wasn't queued. */
  forget(run: string): void {
    this.#waiting.delete(run);
  }

  /**
   * Claims what has ended, for the destinations that this window serves. Returns what no caller waits for: runs that other
   * windows started, and batches that have ended at the service.
   */
  async claim(served: readonly number[]): Promise<Announcement> {
    const { runs, batches } = await this.#store.announce(served);
    const others = runs.filter((run) => {
      const resolve = this.#waiting.get(run.id);
      this.#waiting.delete(run.id);
      resolve?.(run);
      return resolve === undefined;
    });
    return { runs: others, batches };
  }
}
