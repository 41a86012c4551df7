import { CanceledError, UnexpectedError } from '../../service/errors';
import { keptResponse } from '../../service/response/keptResponse';
import type { Outcome } from '../../service/response/outcome';
import type { BegunTask } from '../../service/response/taskReport';
import type { Destination } from '../destination';
import { begunTaskNow, type ContractOf } from '../responseNow';
import type { SendDeps } from '../sending/sendImport';
import type { Sources } from '../sending/sources';
import { acceptedAs } from '../severalTasks';
import type { TaskChange } from '../store/taskChange';
import type { TaskUpdate } from '../store/unsavedUpdates';
import { type EndedPhase, isOfAttempt, phaseAfter, type TrackedTask } from '../trackedTask';
import type { QueueEntry } from './waitingImports';

/** What storing ends takes. */
export interface EndDeps extends Pick<SendDeps, 'list' | 'clock'> {
  readonly sources: Pick<Sources, 'delete'>;
  /** Gives the contract by which the id of an accepted import is read as it is stored; without it, that of its request. */
  readonly contractOf?: ContractOf;
  /** It could not be stored how an import ended, for an unexpected reason. */
  readonly onUnstored: (key: number, end: EndedPhase) => void;
  /** Something has changed: an import began, moved or ended. */
  readonly onChange: () => void;
  /** Something could not be stored, so that it waits or is kept in memory alone. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** The end of an import that was canceled before anything of it was sent. */
export const CANCELED: EndedPhase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } };

/** Cancels an import that this window is not sending: the one that does so is asked to. */
export const cancelation: TaskUpdate = ({ phase }) => {
  if (phase.kind === 'queued') return { phase: CANCELED };
  return phase.kind === 'sending' && !phase.isCanceled ? { phase: { ...phase, isCanceled: true } } : undefined;
};

/** Stores how imports ended, whoever serves their destination by then. Every import gets an end, whatever fails here. */
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
    const { key, attemptId, mayHaveSentBytes } = entry;
    const whole = { ...change, ...this.#changeAfter(outcome), checkedMs: clock.now() };
    // Once bytes may have left, only an acceptance ends a row that was queued anew meanwhile.
    const endsQueued = outcome.kind === 'accepted' || !mayHaveSentBytes;
    const isOfThis = ({ phase }: TrackedTask) =>
      isOfAttempt(phase, attemptId) || (phase.kind === 'queued' && endsQueued);
    const end: TaskUpdate = (task) => (isOfThis(task) ? { ...whole, ...this.#idAfter(outcome, task) } : undefined);
    const store = () =>
      list.update(key, end).catch((error: unknown) => {
        this.#deps.onUnrecorded(error);
        this.#deps.onUnstored(key, whole.phase);
        return false;
      });
    // A mark that is stored after the end would stay: the end is stored again.
    void recording?.then((begun) => (begun ? store() : undefined));
    await store();
    const isStored = list.get(key)?.phase.kind === 'accepted' && !list.isUnsaved(key);
    if (isStored) await sources.delete([entry.source]);
    entry.stored.resolve();
    this.#deps.onChange();
  }

  /** Ends an import by an unexpected error. */
  fail(entry: QueueEntry, error: unknown): Promise<void> {
    const cause = new UnexpectedError({ cause: error });
    const unconfirmed = { kind: 'unconfirmed', cause, sentBytes: 0, totalBytes: 0 } as const;
    return this.record(entry, entry.mayHaveSentBytes ? unconfirmed : { kind: 'notSent', cause }, {});
  }

  /** Ends an import that was canceled before its next try. */
  cancel(entry: QueueEntry): Promise<void> {
    return this.record(entry, { kind: 'notSent', cause: new CanceledError() }, {});
  }

  /** Stores that an import is queued again; returns whether it was stored. */
  async putBack(entry: QueueEntry, change: TaskChange): Promise<boolean> {
    const { key, attemptId } = entry;
    try {
      const isPutBack = await this.#deps.list.update(key, ({ phase }) => {
        if (!isOfAttempt(phase, attemptId)) return undefined;
        // Another window has canceled it meanwhile.
        const isCanceled = phase.kind === 'sending' && phase.isCanceled;
        return { ...change, phase: isCanceled ? CANCELED : { kind: 'queued' } };
      });
      if (isPutBack) entry.mayHaveSentBytes = false;
      return isPutBack;
    } catch (error) {
      this.#deps.onUnrecorded(error);
      return false;
    }
  }

  #changeAfter(outcome: Outcome<BegunTask>): TaskChange & { readonly phase: EndedPhase } {
    const phase = phaseAfter(outcome);
    const lastResponse = keptResponse(outcome);
    const kept = lastResponse === undefined ? {} : { lastResponse };
    if (outcome.kind !== 'accepted') return { phase, ...kept };
    return { phase, importResponse: lastResponse, ...kept };
  }

  #idAfter(outcome: Outcome<BegunTask>, destination: Destination): TaskChange {
    if (outcome.kind !== 'accepted') return {};
    return acceptedAs(begunTaskNow(outcome, this.#deps.contractOf?.(destination)));
  }
}
