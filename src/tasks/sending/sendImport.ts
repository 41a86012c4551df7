import { type HashingBody, hashing } from '../../service/content/hashing';
import { CanceledError, type ServiceError, SourceError, UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import type { BegunTask } from '../../service/response/taskReport';
import { StoreError } from '../store/storeError';
import type { TaskList } from '../store/taskList';
import type { TaskChange } from '../store/taskStore';
import type { Clock } from '../timing/clock';
import { type Attempt, phaseAfter, type Source, type TrackedTask } from '../trackedTask';
import { orCanceled } from './orCanceled';
import type { Sources } from './sources';
import { stoppableBody } from './stoppableBody';
import type { Turn } from './turn';

/** What sending takes. */
export interface SendDeps {
  readonly service: ImportService;
  readonly list: TaskList;
  readonly sources: Sources;
  readonly clock: Clock;
}

/** How one try is watched and stopped. */
export interface SendWatch {
  readonly signal: AbortSignal;
  /** It is written down that it is being sent: from now on its bytes may leave. */
  readonly onBegun: () => void;
  readonly onSent: (sentBytes: number) => void;
}

/** What became of one try. */
export type Sent =
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome<BegunTask>;
      /** How long its turn took. */
      readonly tookMs: number;
      readonly change: TaskChange;
      /** Where nothing can have left: whether it is, or will be, marked as being sent all the same. */
      readonly recording: Promise<boolean> | undefined;
    }
  /** Another window has it now: nothing was sent from here. */
  | { readonly kind: 'notOurs' }
  /** It could not be written down that its bytes are about to leave, so none did. */
  | { readonly kind: 'unrecorded'; readonly error: unknown }
  /** Its turn was put off, or it had no connection that lasted until then: nothing was sent. */
  | { readonly kind: 'notYet'; readonly isLost: boolean };

/** One that ended, well or not. */
export type Ended = Sent & { readonly kind: 'ended' };

/**
 * Tries once to send a queued import. All that can be done before its turn is done at once: the file is opened and the
 * connection made. That it is under way is in the store before the first byte of it leaves; how it ended is left to the
 * caller to store. Once `signal` aborts it waits for nothing: no file, no hash, no store.
 */
export function sendImport(
  deps: SendDeps,
  task: TrackedTask,
  source: Source,
  target: Target,
  turn: Turn,
  watch: SendWatch,
): Promise<Sent> {
  return new OneTry(deps, task, source, turn, watch).send(target);
}

/** One try to send an import, and what is known of it meanwhile. */
class OneTry {
  readonly #deps: SendDeps;
  readonly #task: TrackedTask;
  readonly #source: Source;
  readonly #turn: Turn;
  readonly #watch: SendWatch;
  #beganMs: number;
  /** By the clock's `monotonicMs`. */
  #turnBeganMs: number;
  #body: HashingBody | undefined;
  #sent = { sentBytes: 0, totalBytes: 0 };
  /** Marks it in the store as being sent; resolves with whether that is so. */
  #marking: Promise<boolean> | undefined;
  #isMarked: boolean | undefined;
  #storeError: StoreError | undefined;
  #unexpected: UnexpectedError | undefined;
  #mayHaveLeft = false;
  #isOver = false;

  constructor(deps: SendDeps, task: TrackedTask, source: Source, turn: Turn, watch: SendWatch) {
    this.#deps = deps;
    this.#task = task;
    this.#source = source;
    this.#turn = turn;
    this.#watch = watch;
    this.#beganMs = deps.clock.now();
    this.#turnBeganMs = deps.clock.monotonicMs();
  }

  async send(target: Target): Promise<Sent> {
    const { signal } = this.#watch;
    const source = { relativePath: this.#source.relativePath, open: () => this.#open() };
    const onSent = (sentBytes: number, totalBytes: number) => this.#onSent(sentBytes, totalBytes);
    const watch = { signal, onSent, beforeBody: () => this.#beforeBody() };
    const ended = await this.#deps.service
      .fileTask(target, source, watch)
      .catch((cause: unknown) => notSent(new UnexpectedError({ cause })));
    this.#isOver = true;
    // Where its connection died meanwhile, it may still be on its way into the store: its end must come after that.
    if (this.#marking !== undefined) await orCanceled(this.#marking, signal).catch(() => {});
    if (this.#isMarked === false && this.#unexpected === undefined && !signal.aborted) {
      return this.#storeError === undefined ? { kind: 'notOurs' } : { kind: 'unrecorded', error: this.#storeError };
    }
    return this.#ended(this.#truly(ended));
  }

  async #open(): Promise<HashingBody> {
    const { signal } = this.#watch;
    const opening = this.#deps.sources.open(this.#task.key, this.#source);
    this.#body = stoppableBody(hashing(await orCanceled(opening, signal, (late) => late.close())), signal);
    return this.#body;
  }

  async #beforeBody(): Promise<void> {
    const { clock, list } = this.#deps;
    if (!(await this.#turn.comes()) || this.#isOver) throw new CanceledError();
    this.#beganMs = clock.now();
    this.#turnBeganMs = clock.monotonicMs();
    this.#marking = list.begin(this.#task.key).catch((error: unknown) => {
      if (error instanceof StoreError) this.#storeError = error;
      else this.#unexpected = new UnexpectedError({ cause: error });
      return false;
    });
    void this.#marking.then((isMarked) => {
      this.#isMarked = isMarked;
    });
    if (!(await orCanceled(this.#marking, this.#watch.signal))) throw new CanceledError();
    this.#mayHaveLeft = true;
    this.#watch.onBegun();
  }

  #onSent(sentBytes: number, totalBytes: number): void {
    this.#sent = { sentBytes, totalBytes };
    try {
      this.#deps.list.setProgress(this.#task.key, this.#sent);
      this.#watch.onSent(sentBytes);
    } catch (cause) {
      // It ends the connection; what is known here says more of it than that.
      this.#unexpected = new UnexpectedError({ cause });
      throw cause;
    }
  }

  /** An outcome, told apart by what may have left and by what had ended it. */
  #truly(outcome: Outcome<BegunTask>): Outcome<BegunTask> {
    if (!('cause' in outcome)) return outcome;
    const cause = this.#unexpected ?? outcome.cause;
    if (cause.name === 'UnexpectedError' && this.#mayHaveLeft) return { kind: 'unconfirmed', cause, ...this.#sent };
    if (outcome.kind !== 'notSent') return outcome;
    if (this.#watch.signal.aborted) return notSent(new CanceledError());
    const isChanging = cause.name === 'SourceError' && cause.reason === 'changed';
    return notSent(isChanging ? new SourceError('changing', cause.fileName) : cause);
  }

  #ended(outcome: Outcome<BegunTask>): Sent {
    const cause = 'cause' in outcome ? outcome.cause.name : undefined;
    // What befell a connection beyond those that are used need not befall it in its turn; what else went wrong does.
    const isOwn = outcome.kind === 'notSent' && (cause === 'SourceError' || cause === 'UnexpectedError');
    if (!this.#turn.hasCome && !isOwn) return { kind: 'notYet', isLost: cause !== 'CanceledError' };
    const tookMs = this.#deps.clock.monotonicMs() - this.#turnBeganMs;
    const times = { beganMs: this.#beganMs, endedMs: this.#beganMs + Math.round(tookMs) };
    const attempt: Attempt = { ...times, ...this.#sent, end: phaseAfter(outcome) };
    const sha256 = this.#body?.sha256();
    return {
      kind: 'ended',
      outcome,
      tookMs,
      recording: this.#mayHaveLeft ? undefined : this.#marking,
      change: {
        attempts: [...this.#task.attempts, attempt],
        // The file may have been written since it was looked at.
        ...(this.#body === undefined || sha256 === undefined
          ? {}
          : { source: { ...this.#source, sizeBytes: this.#body.sizeBytes, sha256 } }),
      },
    };
  }
}

function notSent(cause: ServiceError): Outcome<never> {
  return { kind: 'notSent', cause };
}
