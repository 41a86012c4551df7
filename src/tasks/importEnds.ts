import { UnexpectedError } from '../service/errors';
import type { Outcome } from '../service/outcome';
import type { BegunTask } from '../service/taskReport';
import { keptAnswer } from './keptAnswer';
import type { Entry } from './laneEntry';
import { orCancelled } from './orCancelled';
import type { SendDeps } from './sendImport';
import type { TaskChange } from './taskStore';
import { type Failure, phaseAfter } from './trackedTask';

/** What storing ends takes. */
export interface EndDeps extends Pick<SendDeps, 'list' | 'sources' | 'clock'> {
  readonly onChange: () => void;
  readonly onUnrecorded: (error: unknown) => void;
}

/** Stores how imports ended, and tells their runs. Whatever fails here, no import is left without an end. */
export class ImportEnds {
  readonly #deps: EndDeps;

  constructor(deps: EndDeps) {
    this.#deps = deps;
  }

  /**
   * One that was tried has ended once that is stored; one that is cancelled waits for nothing. `recording` resolves with
   * whether it was marked as being sent, where that is not certain yet.
   */
  async record(
    entry: Entry,
    outcome: Outcome<BegunTask>,
    change: TaskChange,
    recording?: Promise<boolean>,
  ): Promise<void> {
    const { list, clock, sources, onChange } = this.#deps;
    const whole = { ...change, ...this.#changeAfter(outcome), checkedMs: clock.now() };
    const store = () => this.#stored(async () => list.change(entry.key, whole));
    // What is marked as being sent only after its end was stored must not stay so.
    void recording?.then((begun) => (begun ? store() : undefined));
    const stored = store();
    await orCancelled(stored, entry.stop.signal).catch(() => {});
    if (outcome.kind === 'accepted') sources.release(entry.key);
    entry.run.ended(entry.key, outcome);
    onChange();
    await stored;
    entry.stored.resolve();
  }

  /** Whatever goes wrong ends the one import that it befalls. */
  fail(entry: Entry, error: unknown): Promise<void> {
    const cause = new UnexpectedError({ cause: error });
    const unconfirmed = { kind: 'unconfirmed', cause, sentBytes: 0, totalBytes: 0 } as const;
    return this.record(entry, entry.mayHaveLeft ? unconfirmed : { kind: 'notSent', cause }, {});
  }

  /** Those that were not tried, or not to their end, are not sent. */
  async endUntried(entries: readonly Entry[], failure: Failure): Promise<void> {
    const { list, onChange } = this.#deps;
    const changes = entries.map(({ key }) => [key, { phase: { kind: 'notSent', failure } }] as const);
    const stored = this.#stored(async () => list.changeAll(changes));
    if (failure.name !== 'CancelledError') await stored;
    for (const { key, run } of entries) run.ended(key, { kind: 'notTried', failure });
    onChange();
    await stored;
    for (const entry of entries) entry.stored.resolve();
  }

  /** Stores that one is queued again; gives whether that is so. */
  async putBack(entry: Entry, change: TaskChange): Promise<boolean> {
    let isQueued = true;
    entry.mayHaveLeft = false;
    const store = async () => this.#deps.list.change(entry.key, { ...change, phase: { kind: 'queued' } });
    await this.#stored(store, () => {
      isQueued = false;
    });
    return isQueued;
  }

  /** One is no longer this window's to send. */
  drop({ key, run, stored }: Entry): 'over' {
    run.forget(key);
    stored.resolve();
    return 'over';
  }

  /** The list itself keeps and tells what the store does not take: anything else is told here. */
  async #stored(storing: () => Promise<void>, onFailure: () => void = () => {}): Promise<void> {
    try {
      await storing();
    } catch (error) {
      onFailure();
      this.#deps.onUnrecorded(error);
    }
  }

  /** An answer that cannot be kept costs its text, never what it says. */
  #changeAfter(outcome: Outcome<BegunTask>): TaskChange {
    const phase = phaseAfter(outcome);
    let lastAnswer: string | undefined;
    try {
      lastAnswer = keptAnswer(outcome);
    } catch (error) {
      this.#deps.onUnrecorded(error);
    }
    const kept = lastAnswer === undefined ? {} : { lastAnswer };
    if (outcome.kind !== 'accepted') return { phase, ...kept };
    const { taskId, from } = outcome.taken;
    return { phase, taskId, taskIdFrom: from, importAnswer: lastAnswer, ...kept };
  }
}
