import { type HashedBody, hashed } from '../../service/content/hashing';
import { BadResponseError, CanceledError, type ServiceError, SourceError, UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { Target } from '../../service/request/requests';
import { keptResponse } from '../../service/response/keptResponse';
import type { Outcome } from '../../service/response/outcome';
import type { BegunTask } from '../../service/response/taskReport';
import { StoreError } from '../database/storeError';
import type { TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import type { Clock } from '../timing/clock';
import { type Attempt, phaseAfter, type Source, type TrackedTask } from '../trackedTask';
import type { AcceptedTaskIds } from './acceptedTaskIds';
import { asRead } from './checkedSource';
import { orCanceled } from './orCanceled';
import type { PreparedAhead } from './preparedAhead';
import { stoppableBody } from './stoppableBody';

/** How many attempts of an import are kept, of as many as a service that is busy for days takes. */
const KEPT_ATTEMPTS = 20;

/** What sending takes. */
export interface SendDeps {
  readonly service: ImportService;
  readonly list: TaskList;
  readonly sources: Pick<PreparedAhead, 'open'>;
  readonly clock: Clock;
}

/** How one try is named, watched and stopped. */
export interface SendWatch {
  /** Names the attempt in the store, where its outcome is written to it alone. */
  readonly attemptId: string;
  readonly signal: AbortSignal;
  /** Asked once it is stored that it is being sent: whether its bytes may leave, given how long ago that was begun. */
  readonly mayBytesLeave: (markedForMs: number) => boolean;
  readonly onSent: (sentBytes: number) => void;
  /** Of the destination. */
  readonly taskIds: AcceptedTaskIds;
}

/** What became of one try. */
export type Sent =
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome<BegunTask>;
      readonly change: TaskChange;
      /** Where nothing can have left: resolves with whether it was marked as being sent nevertheless. */
      readonly recording: Promise<boolean> | undefined;
    }
  /** It is not this window's to send, or not queued any more: nothing was sent from here. */
  | { readonly kind: 'notOurs' }
  /** It could not be stored that it is being sent, so nothing was sent. */
  | { readonly kind: 'unrecorded'; readonly error: unknown };

/** One that ended, well or not. */
export type Ended = Sent & { readonly kind: 'ended' };

/**
 * Tries once to send a queued import. Opens the file and the connection, then marks the import in the store as being sent,
 * with a kept connection while the file opens; only then its first byte leaves. The caller stores how it ended. Once
 * `signal` aborts, it waits for nothing: no file, no hash, no store.
 */
export function sendImport(
  deps: SendDeps,
  task: TrackedTask,
  source: Source,
  target: Target,
  watch: SendWatch,
): Promise<Sent> {
  return new OneTry(deps, task, source, watch).send(target);
}

class OneTry {
  readonly #deps: SendDeps;
  readonly #task: TrackedTask;
  readonly #source: Source;
  readonly #watch: SendWatch;
  #beganMs: number;
  /** By the clock's `monotonicMs`. */
  #sendingFromMs: number;
  #body: HashedBody | undefined;
  #sent = { sentBytes: 0, totalBytes: 0 };
  /** Marks it in the store as being sent; resolves with whether that was done. */
  #marking: Promise<boolean> | undefined;
  #isMarked: boolean | undefined;
  /** When marking began, by the clock's `monotonicMs`. */
  #markedFromMs = 0;
  #storeError: StoreError | undefined;
  #unexpected: UnexpectedError | undefined;
  #mayHaveSentBytes = false;
  /** The response with the task ID of another file: the user may map the right one later. */
  #distrusted: string | undefined;
  #isOver = false;

  constructor(deps: SendDeps, task: TrackedTask, source: Source, watch: SendWatch) {
    this.#deps = deps;
    this.#task = task;
    this.#source = source;
    this.#watch = watch;
    this.#beganMs = deps.clock.now();
    this.#sendingFromMs = deps.clock.monotonicMs();
  }

  async send(target: Target): Promise<Sent> {
    const { signal } = this.#watch;
    const source = { relativePath: this.#source.relativePath, open: () => this.#open() };
    const onSent = (sentBytes: number, totalBytes: number) => this.#onSent(sentBytes, totalBytes);
    const watch = { signal, onSent, beforeBody: () => this.#beforeBody(), atFirstByte: () => this.#atFirstByte() };
    // Shares the commit that stores the end of the import before, and takes no time of its own while the file is opened.
    if (this.#deps.service.isConnected(target)) void this.#mark();
    const ended = await this.#deps.service
      .fileTask(target, source, watch)
      .catch((cause: unknown) => notSent(new UnexpectedError({ cause })));
    this.#isOver = true;
    // The connection may have died while it is being marked: its end must be stored after that.
    if (this.#marking !== undefined) await orCanceled(this.#marking, signal).catch(() => {});
    if (this.#isMarked === false && this.#unexpected === undefined && !signal.aborted) {
      return this.#storeError === undefined ? { kind: 'notOurs' } : { kind: 'unrecorded', error: this.#storeError };
    }
    return this.#ended(this.#trusted(this.#corrected(ended), target));
  }

  async #open(): Promise<HashedBody> {
    const { signal } = this.#watch;
    const opening = this.#deps.sources.open(this.#source, this.#task.key);
    this.#body = stoppableBody(hashed(await orCanceled(opening, signal, (late) => late.close())), signal);
    return this.#body;
  }

  async #beforeBody(): Promise<void> {
    const { clock } = this.#deps;
    if (this.#isOver) throw new CanceledError();
    this.#beganMs = clock.now();
    this.#sendingFromMs = clock.monotonicMs();
    if (!(await orCanceled(this.#mark(), this.#watch.signal))) throw new CanceledError();
  }

  #atFirstByte(): void {
    const markedForMs = this.#deps.clock.monotonicMs() - this.#markedFromMs;
    if (this.#isOver || !this.#watch.mayBytesLeave(markedForMs)) throw new CanceledError();
    this.#mayHaveSentBytes = true;
  }

  #mark(): Promise<boolean> {
    const { key, origin } = this.#task;
    if (this.#marking !== undefined) return this.#marking;
    this.#markedFromMs = this.#deps.clock.monotonicMs();
    this.#marking = this.#deps.list
      .begin(key, this.#watch.attemptId, origin)
      .catch((error: unknown) => {
        if (error instanceof StoreError) this.#storeError = error;
        else this.#unexpected = new UnexpectedError({ cause: error });
        return false;
      })
      .then((isMarked) => {
        this.#isMarked = isMarked;
        return isMarked;
      });
    return this.#marking;
  }

  #onSent(sentBytes: number, totalBytes: number): void {
    this.#sent = { sentBytes, totalBytes };
    try {
      this.#deps.list.setProgress(this.#task.key, this.#sent);
      this.#watch.onSent(sentBytes);
    } catch (cause) {
      // Thrown on, it ends the connection, and would be reported as a lost connection.
      this.#unexpected = new UnexpectedError({ cause });
      throw cause;
    }
  }

  /** The outcome by what is known here: whether bytes may have left, and what ended it. */
  #corrected(outcome: Outcome<BegunTask>): Outcome<BegunTask> {
    if (!('cause' in outcome)) return outcome;
    const cause = this.#unexpected ?? outcome.cause;
    if (cause.name === 'UnexpectedError' && this.#mayHaveSentBytes)
      return { kind: 'unconfirmed', cause, ...this.#sent };
    if (outcome.kind !== 'notSent') return outcome;
    if (this.#watch.signal.aborted) return notSent(new CanceledError());
    // Nothing was sent, so that it can be tried again once the file is quiet.
    const hasChanged = cause.name === 'SourceError' && cause.reason === 'changed';
    return notSent(hasChanged ? new SourceError('changing', cause.fileName) : cause);
  }

  /** The outcome, unless the response has the task ID of a file with other content: then it is probably that file's response. */
  #trusted(outcome: Outcome<BegunTask>, target: Target): Outcome<BegunTask> {
    const sha256 = this.#body?.sha256();
    if (outcome.kind !== 'accepted' || sha256 === undefined) return outcome;
    const { taskId, ids = taskId === undefined ? [] : [taskId] } = outcome.value;
    const other = this.#watch.taskIds.record(ids, { name: this.#source.name, sha256 });
    if (other === undefined) return outcome;
    this.#deps.service.distrustConnections(target);
    this.#distrusted = keptResponse(outcome);
    return { kind: 'unconfirmed', cause: new BadResponseError('repeatedId', 200, other), ...this.#sent };
  }

  #ended(outcome: Outcome<BegunTask>): Sent {
    const tookMs = Math.round(this.#deps.clock.monotonicMs() - this.#sendingFromMs);
    const times = { beganMs: this.#beganMs, endedMs: this.#beganMs + tookMs };
    const attempt: Attempt = { ...times, ...this.#sent, end: phaseAfter(outcome) };
    const sha256 = this.#body?.sha256();
    return {
      kind: 'ended',
      outcome,
      recording: this.#mayHaveSentBytes ? undefined : this.#marking,
      change: {
        attempts: [...this.#task.attempts, attempt].slice(-KEPT_ATTEMPTS),
        // The file may have been written since it was looked at.
        ...(this.#body !== undefined && { source: asRead(this.#source, this.#body, sha256) }),
        ...(this.#distrusted !== undefined && { importResponse: this.#distrusted, lastResponse: this.#distrusted }),
      },
    };
  }
}

function notSent(cause: ServiceError): Outcome<never> {
  return { kind: 'notSent', cause };
}
