import type { ImportStore } from '../../tasks/store/importStore';
import type { Announcement } from '../../tasks/store/model';

export type EndedRun = Announcement['runs'][number];

/** Gives callers in this window the results of the runs that they started. */
export class RunResults {
  readonly #waiting = new Map<string, (run: EndedRun) => void>();
  readonly #store: Pick<ImportStore, 'announce'>;

  constructor(store: Pick<ImportStore, 'announce'>) {
    this.#store = store;
  }

  /** The result of a run, once its message is due in this window. Call this before queuing it. */
  of(run: string): Promise<EndedRun> {
    return new Promise((resolve) => this.#waiting.set(run, resolve));
  }

  /** The run wasn't queued. */
  forget(run: string): void {
    this.#waiting.delete(run);
  }

  /** Claims the messages that are due in this window, as the store's `announce` does. Runs of this window are among them. */
  async announce(served: readonly number[]): Promise<Announcement> {
    const announcement = await this.#store.announce(served);
    for (const run of announcement.runs) {
      this.#waiting.get(run.id)?.(run);
      this.#waiting.delete(run.id);
    }
    return announcement;
  }
}
