import type { BatchSummary } from '../../tasks/history/batchSummary';
import { Pace } from '../../tasks/timing/pace';
import { type BatchProgress, progressOf } from '../rows/batchItem';

/** How long the batches that are shown still take, by the pace at which this window saw each of them get on. */
export class BatchPaces {
  readonly #paces = new Map<string, { readonly step: BatchProgress['step']; readonly pace: Pace }>();

  /** The time left for what a batch is at, in milliseconds; undefined where it is done, or too little is known. */
  timeLeftMs({ batch, counts }: BatchSummary): number | undefined {
    const progress = progressOf(counts);
    if (progress === undefined) {
      this.#paces.delete(batch.id);
      return undefined;
    }
    const { step, done, total } = progress;
    const known = this.#paces.get(batch.id);
    const pace = known?.step === step ? known.pace : new Pace();
    if (known?.pace !== pace) this.#paces.set(batch.id, { step, pace });
    const nowMs = performance.now();
    pace.note(done, nowMs);
    return pace.timeLeftMs(total - done, nowMs);
  }
}
