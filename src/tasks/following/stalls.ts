import type { History } from '../history/walk';
import type { TaskChange } from '../store/taskChange';
import type { Clock } from '../timing/clock';
import type { TrackedTask } from '../trackedTask';
import { QUIET_AFTER_MS } from './schedule';

/** How long nothing new came of a stalled task: at least so long, and so many times the median of its batch. */
const LEAST_MS = 60 * 60_000;
const TIMES_MEDIAN = 10;
/** How long the median of a batch is not read again. */
const MEDIAN_KEPT_MS = 60_000;

/** Tells which tasks are stalled: those of which nothing new came for far longer than others of their batch took. */
export class Stalls {
  readonly #history: Pick<History, 'batchMedianMs'>;
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  /** By the id of the batch. */
  readonly #medians = new Map<string, { readonly readMs: number; readonly median: Promise<number | undefined> }>();

  constructor(history: Pick<History, 'batchMedianMs'>, clock: Pick<Clock, 'now' | 'monotonicMs'>) {
    this.#history = history;
    this.#clock = clock;
  }

  /** Whether a running task is stalled, of which the service just reported nothing new. */
  async isStalled(task: TrackedTask): Promise<boolean> {
    const nowMs = this.#clock.now();
    const quietMs = nowMs - (task.checkedMs ?? nowMs);
    if (quietMs < LEAST_MS) return false;
    const medianMs = task.batch && (await this.#medianOf(task.batch.id));
    return quietMs >= (medianMs === undefined ? QUIET_AFTER_MS : TIMES_MEDIAN * medianMs);
  }

  /** Where the store cannot be read, none is known. */
  #medianOf(batchId: string): Promise<number | undefined> {
    const nowMs = this.#clock.monotonicMs();
    for (const [id, { readMs }] of this.#medians) if (nowMs - readMs >= MEDIAN_KEPT_MS) this.#medians.delete(id);
    const known = this.#medians.get(batchId);
    if (known !== undefined) return known.median;
    const median = this.#history.batchMedianMs(batchId).catch(() => undefined);
    this.#medians.set(batchId, { readMs: nowMs, median });
    return median;
  }
}

/** Whether a task is marked as stalled. */
export function isMarkedStalled({ phase }: TrackedTask): boolean {
  return phase.kind === 'accepted' && phase.isStalled === true;
}

/** A change of a task with the mark of a stalled one, or without. */
export function withStalledMark(change: TaskChange, isStalled: boolean): TaskChange {
  if (change.phase?.kind !== 'accepted') return change;
  const { isStalled: _, ...phase } = change.phase;
  return { ...change, phase: isStalled ? { ...phase, isStalled } : phase };
}
