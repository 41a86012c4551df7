import { UnexpectedError } from '../../service/errors';
import { keptResponse } from '../../service/response/keptResponse';
import type { Outcome } from '../../service/response/outcome';
import type { BegunTask } from '../../service/response/taskReport';
import type { Destination } from '../destination';
import { begunTaskNow, type ContractOf } from '../responseNow';
import type { SendDeps } from '../sending/sendImport';
import type { Sources } from '../sending/sources';
import { acceptedAs } from '../severalTasks';
import type { TaskChange } from '../store/ownership';
import type { TaskUpdate } from '../store/unsavedUpdates';
import { type EndedPhase, type Failure, phaseAfter } from '../trackedTask';
import type { QueueEntry } from './queueEntry';

/** What storing ends takes. */
export interface EndDeps extends Pick<SendDeps, 'list' | 'clock'> {
  readonly sources: Sources;
  readonly contractOf?: ContractOf;
  readonly onChange: () => void;
  readonly onUnrecorded: (error: unknown) => void;
}

/** Stores how imports ended, and reports it to their runs. Whatever fails here, every import gets an end. */
export class ImportEnds {
  readonly #deps: EndDeps;

  constructor(deps: EndDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the outcome of a tried import. `recording` resolves with whether it was marked as being sent, where that is not
   * certain yet.
   */
  async record(
    entry: QueueEntry,
    outcome: Outcome<BegunTask>,
    change: TaskChange,
    recording?: Promise<boolean>,
  ): Promise<void> {
    const { list, clock, sources } = this.#deps;
    const whole = { ...change, ...this.#changeAfter(outcome), checkedMs: clock.now() };
    const end: TaskUpdate = (task) => (list.isOurs(task) ? { ...whole, ...this.#idAfter(outcome, task) } : undefined);
    const store = () => list.update(entry.key, end).catch((error: unknown) => this.#tell(error));
    // A mark that is stored after the end would stay: the end is stored again.
    void recording?.then((begun) => (begun ? store() : undefined));
    const isOurs = await store();
    const isStored = list.get(entry.key)?.phase.kind === 'accepted' && !list.isUnsaved(entry.key);
    if (isStored) await sources.delete([entry.source]);
    this.#end(entry, isOurs ? whole.phase : undefined);
    this.#deps.onChange();
  }

  /** Ends an import by an unexpected error. */
  fail(entry: QueueEntry, error: unknown): Promise<void> {
    const cause = new UnexpectedError({ cause: error });
    const unconfirmed = { kind: 'unconfirmed', cause, sentBytes: 0, totalBytes: 0 } as const;
    return this.record(entry, entry.mayHaveSentBytes ? unconfirmed : { kind: 'notSent', cause }, {});
  }

  /** Ends imports that were not tried, or not to the end, as not sent. */
  async endUntried(entries: readonly QueueEntry[], failure: Failure): Promise<void> {
    const { list, onChange } = this.#deps;
    const phase = { kind: 'notSent', failure } as const;
    const end: TaskUpdate = (task) => (list.isOurs(task) ? { phase } : undefined);
    const all = entries.map(({ key }) => key);
    const ended = await list.updateAll(all.map((key) => [key, end])).catch((error: unknown) => {
      this.#tell(error);
      return new Set(all);
    });
    for (const entry of entries) this.#end(entry, ended.has(entry.key) ? phase : undefined);
    onChange();
  }

  /** Stores that an import is queued again; returns whether it was stored. */
  async putBack(entry: QueueEntry, change: TaskChange): Promise<boolean> {
    entry.mayHaveSentBytes = false;
    try {
      return await this.#deps.list.changeOurs(entry.key, { ...change, phase: { kind: 'queued' } });
    } catch (error) {
      this.#tell(error);
      return false;
    }
  }

  /** Ends an import here that another window owns by now. */
  drop(entry: QueueEntry): void {
    this.#end(entry, undefined);
  }

  /** `end` is undefined where another window owns the import by now, and reports its end. */
  #end({ key, run, stored }: QueueEntry, end: EndedPhase | undefined): void {
    if (end === undefined) run.forget(key);
    else run.ended(key, end);
    stored.resolve();
  }

  /** Reports an unexpected error; the list itself handles a store that cannot be written. */
  #tell(error: unknown): true {
    this.#deps.onUnrecorded(error);
    return true;
  }

  /** Where the response's text cannot be kept, the outcome that was read from it still is. */
  #changeAfter(outcome: Outcome<BegunTask>): TaskChange & { readonly phase: EndedPhase } {
    const phase = phaseAfter(outcome);
    let lastResponse: string | undefined;
    try {
      lastResponse = keptResponse(outcome);
    } catch (error) {
      this.#deps.onUnrecorded(error);
    }
    const kept = lastResponse === undefined ? {} : { lastResponse };
    if (outcome.kind !== 'accepted') return { phase, ...kept };
    return { phase, importResponse: lastResponse, ...kept };
  }

  #idAfter(outcome: Outcome<BegunTask>, destination: Destination): TaskChange {
    if (outcome.kind !== 'accepted') return {};
    return acceptedAs(begunTaskNow(outcome, this.#deps.contractOf?.(destination)));
  }
}
