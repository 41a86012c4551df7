import type { Outcome } from '../../service/response/outcome';
import type { Destination } from '../destination';
import { LEASE_MS } from '../leases/windowLease';
import { AcceptedTaskIds } from '../sending/acceptedTaskIds';
import type { Gate, Gates, Pause } from '../sending/gate';
import { orCanceled } from '../sending/orCanceled';
import { PreparedAhead } from '../sending/preparedAhead';
import { type Ended, type SendDeps, type SendWatch, sendImport } from '../sending/sendImport';
import type { Sources } from '../sending/sources';
import { type KeptRefusal, keptRefusal, type TrackedTask } from '../trackedTask';
import { type EndDeps, ImportEnds } from './importEnds';
import { type ImportPause, importPause } from './importPause';
import type { ServingWindow } from './servingWindow';
import { type TargetChange, type TargetDeps, TargetFinder } from './targetFinder';
import { isReleased, type QueueEntry, releaseEntry, WaitingImports } from './waitingImports';

/** Max files that are read ahead. */
const PREPARED_AT_ONCE = 16;
/** How often an import is tried again whose file is in use or being written: for a minute. */
const MAX_CHANGES = 6;
/** How often an import is put back for the service's answer to it, although others are accepted. */
const MAX_ANSWERS = 5;
/** The longest pause of which no message says why. */
const SHORT_PAUSE_MS = 10_000;

/**
 * One of the added imports is tried at once in a pause too, unless the service asked to wait, as a person begins something;
 * or they are more of what a person began before.
 */
export type HowAdded = 'tryOne' | 'besideOthers';

/** What a queue takes. */
export interface DestinationQueueDeps extends Omit<SendDeps, 'sources'>, TargetDeps, EndDeps {
  readonly sources: Sources;
  readonly gates: Gates;
  readonly serving: Pick<ServingWindow, 'isServing' | 'newAttemptId'>;
  /** An import was not to be sent from here, as it turned out. */
  readonly onRefused: () => void;
  /** So many bytes of an import were sent in this attempt. */
  readonly onSent: (key: number, sentBytes: number) => void;
  /** These imports are no longer in the queue. */
  readonly onRemoved: (keys: readonly number[]) => void;
  /** A pause has begun or ended, or is another one. */
  readonly onPauseChanged: (destination: Destination) => void;
  /** It was stored that an import is about to be sent. */
  readonly onRecorded: () => void;
  /** The destination pauses for longer than a moment, or until a person acts. Once, until imports go on. */
  readonly onPaused: (destination: Destination, pause: ImportPause) => void;
  /** The imports paused because this refusal repeated, and the user has changed the access key or the request since. */
  readonly onRejectionsOver: (destination: Destination, refusal: KeptRefusal, change: TargetChange) => void;
  /** The dataset has moved to another origin, so that what is left waits for the user's decision. */
  readonly onMoved: (destination: Destination) => void;
}

/** What becomes of an import after a try: `notHere` is one that is not to be sent from here. */
type Next = 'ended' | 'notHere' | 'retry' | 'retrySoon';

/**
 * The imports of one destination: sent in the order in which they were added, a few at a time, as the gate allows.
 */
export class DestinationQueue {
  readonly destination: Destination;
  readonly #deps: DestinationQueueDeps;
  readonly #ends: ImportEnds;
  readonly #targets: TargetFinder;
  readonly #gate: Gate;
  readonly #waiting = new WaitingImports();
  readonly #taskIds = new AcceptedTaskIds();
  readonly #underWay = new Set<QueueEntry>();
  readonly #ahead: PreparedAhead;
  #isMoved = false;
  #isPauseReported = false;
  #lastPause: Pause | undefined;
  /** How many imports were accepted. */
  #accepted = 0;
  #cancelTimer: () => void = () => {};
  #isClosed = false;

  constructor(destination: Destination, deps: DestinationQueueDeps) {
    this.destination = destination;
    this.#deps = deps;
    this.#ends = new ImportEnds(deps);
    this.#targets = new TargetFinder(destination, deps);
    this.#gate = deps.gates.of(destination);
    this.#ahead = new PreparedAhead(deps.sources, deps.clock);
  }

  get isEmpty(): boolean {
    return this.#underWay.size === 0 && this.#waiting.isEmpty;
  }

  /** Whether what is left waits, as the dataset is at another origin now. */
  get isMoved(): boolean {
    return this.#isMoved && !this.isEmpty;
  }

  /** The keys of the imports that have not ended. */
  get keys(): readonly number[] {
    return [...[...this.#underWay].map(({ key }) => key), ...this.#waiting.keys];
  }

  /** Whether an import is in the queue of which no byte may have left. */
  isUnsent(key: number): boolean {
    return this.#waiting.has(key) || [...this.#underWay].some((entry) => entry.key === key && !entry.mayHaveSentBytes);
  }

  get #isServing(): boolean {
    return this.#deps.serving.isServing(this.destination);
  }

  /** Why imports wait, or go one at a time; undefined while they need not, or there are none. */
  get pause(): ImportPause | undefined {
    return this.isEmpty ? undefined : importPause(this.#gate.pause);
  }

  /** Queues imports. */
  add(tasks: readonly TrackedTask[], how: HowAdded): void {
    for (const { key, source } of tasks) if (source !== undefined) this.#waiting.add(key, source);
    if (how === 'tryOne') {
      this.#gate.tryOne();
      this.#isPauseReported = false;
    }
    this.#next();
  }

  /** Starts anew where the dataset has another base URL, access key or request now. */
  async targetChanged(): Promise<void> {
    this.#isMoved = false;
    const change = await this.#targets.change();
    const { kind } = await this.#targets.find();
    if (change !== undefined) {
      const reason = this.#gate.pause?.reason;
      this.#gate.reset();
      if (kind === 'found' && reason?.kind === 'rejections' && reason.outcome?.kind === 'rejected')
        this.#deps.onRejectionsOver(this.destination, keptRefusal(reason.outcome.refusal), change);
    }
    if (!this.isEmpty && kind === 'moved') this.#onMoved();
    this.#next();
  }

  /** Tries one import now, whatever the pause, and the others once that succeeds. */
  tryNow(): void {
    this.#isMoved = false;
    this.#targets.forget();
    this.#gate.tryNow();
    this.#isPauseReported = false;
    this.#next();
  }

  /**
   * Begins what may be sent, as this window has just found that it serves the destination, and says what queries have changed
   * of its pause.
   */
  resume(): void {
    if (!this.#waiting.isEmpty) this.#pump();
    this.#notePause();
  }

  /** Cancels imports, waiting ones and those under way; returns the latter. */
  cancel(keys: ReadonlySet<number>): readonly QueueEntry[] {
    const underWay = [...this.#underWay].filter((entry) => keys.has(entry.key) && !isReleased(entry));
    // Before they are dropped, so that they count as canceled, not as released.
    for (const { stop } of underWay) stop.abort();
    this.#ahead.clear();
    this.drop(keys);
    return underWay;
  }

  /** Takes out imports of which nothing has left, as they are not to be sent from here. */
  drop(keys: ReadonlySet<number>): void {
    for (const entry of this.#underWay) if (keys.has(entry.key) && !entry.mayHaveSentBytes) releaseEntry(entry);
    const dropped = this.#waiting.remove(keys);
    if (dropped.length === 0) return;
    this.#deps.onRemoved(dropped);
    this.#next();
  }

  /** Stops an import under way, as another window wants. */
  cancelAttempt(key: number, attemptId: string): void {
    for (const entry of this.#underWay) if (entry.key === key && entry.attemptId === attemptId) entry.stop.abort();
  }

  /** Begins nothing any more. What is being sent may end; everything else stays queued for another window. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#ahead.clear();
    this.drop(new Set(this.keys));
    // They take no slot once this window serves the destination again.
    for (const entry of this.#underWay) this.#gate.drop(entry);
  }

  /** Resolves once everything under way has ended or was left, and that is stored. */
  async settled(): Promise<void> {
    await Promise.all([...this.#underWay].map(({ stored }) => stored.promise));
  }

  /** After any change: begins what may be sent. */
  #next(): void {
    if (this.#isClosed) return;
    if (this.isEmpty) this.#targets.forget();
    else this.#reportPause();
    this.#pump();
    this.#notePause();
    this.#deps.onChange();
  }

  #notePause(): void {
    const pause = this.isEmpty ? undefined : this.#gate.pause;
    const before = this.#lastPause;
    if (pause?.reason === before?.reason && pause?.untilMs === before?.untilMs) return;
    this.#lastPause = pause;
    this.#deps.onPauseChanged(this.destination);
  }

  /** Begins as many imports as may be under way now. */
  #pump(): void {
    this.#cancelTimer();
    if (this.#isClosed || this.#isMoved || !this.#isServing) return;
    const { waitMs } = this.#gate;
    if (waitMs > 0) {
      if (!this.isEmpty && Number.isFinite(waitMs))
        this.#cancelTimer = this.#deps.clock.after(waitMs, () => this.#pump());
      return;
    }
    for (const entry of this.#waiting.take(this.#gate.room(false))) void this.#begin(entry);
  }

  /** Reads the files of the imports that begin as soon as those under way end. */
  #prepareNext(): void {
    if (this.#isClosed || this.#gate.state !== 'open') return;
    this.#ahead.prepare(this.#waiting.next(PREPARED_AT_ONCE));
  }

  async #begin(entry: QueueEntry): Promise<void> {
    this.#gate.begin(entry);
    if (entry.attemptId === '') entry.attemptId = this.#deps.serving.newAttemptId();
    this.#underWay.add(entry);
    const next = await this.#send(entry).catch((error: unknown) => {
      void this.#ends.fail(entry, error);
      return 'ended' as const;
    });
    this.#underWay.delete(entry);
    // If it ended otherwise, the gate knows already.
    this.#gate.drop(entry);
    this.#proceed(entry, next);
    this.#next();
  }

  #proceed(entry: QueueEntry, next: Next): void {
    const isRetried = next === 'retry' || next === 'retrySoon';
    const isStopped = entry.stop.signal.aborted;
    if (isRetried && !isStopped && !this.#isClosed) {
      this.#putBack(entry, next);
      return;
    }
    if (isRetried && isStopped && !isReleased(entry)) void this.#ends.cancel(entry);
    else if (next !== 'ended') entry.stored.resolve();
    void entry.stored.promise.then(() => this.#deps.onRemoved([entry.key]));
  }

  async #send(entry: QueueEntry): Promise<Next> {
    const found = await orCanceled(this.#targets.find(), entry.stop.signal).catch(() => undefined);
    if (found === undefined || this.#isClosed) return 'retry';
    const task = this.#deps.list.get(entry.key);
    const source = task && isNext(task, entry) ? task.source : undefined;
    if (task === undefined || source === undefined) return 'notHere';
    switch (found.kind) {
      case 'moved':
        this.#onMoved();
        return 'retry';
      case 'missing':
        this.#targets.forget();
        this.#gate.targetMissing(found.detail, entry);
        return 'retry';
      case 'found':
        break;
    }
    const deps = { ...this.#deps, sources: this.#ahead };
    const sent = await sendImport(deps, task, source, found.target, this.#watch(entry));
    switch (sent.kind) {
      case 'notOurs':
        this.#deps.onRefused();
        return 'notHere';
      case 'unrecorded':
        this.#gate.storeFailed(entry);
        this.#deps.onUnrecorded(sent.error);
        return 'retry';
      case 'ended':
        return this.#settle(entry, sent, this.#record(entry, sent.outcome));
    }
  }

  /** Records an outcome; returns whether the import is queued again. */
  #record(entry: QueueEntry, outcome: Outcome<unknown>): boolean {
    if (outcome.kind === 'accepted') this.#accepted += 1;
    if (outcome.kind === 'rejected' && outcome.tryLater) {
      entry.acceptedBefore ??= this.#accepted;
      entry.answers += 1;
      // The service accepts other files, so this answer is about this one.
      if (entry.answers > MAX_ANSWERS && this.#accepted > entry.acceptedBefore) return false;
    }
    const hasOther = !this.#waiting.isEmpty || this.#underWay.size > 1;
    return this.#gate.end(entry, outcome, hasOther) === 'putBack';
  }

  #onMoved(): void {
    this.#targets.forget();
    if (this.#isMoved) return;
    this.#isMoved = true;
    this.#deps.onMoved(this.destination);
  }

  /** Tells a person of a pause that they would wonder about. */
  #reportPause(): void {
    const pause = importPause(this.#gate.pause);
    if (pause === undefined) this.#isPauseReported = false;
    if (pause === undefined || this.#gate.waitMs <= SHORT_PAUSE_MS || this.#isPauseReported) return;
    this.#isPauseReported = true;
    this.#deps.onPaused(this.destination, pause);
  }

  async #settle(entry: QueueEntry, { outcome, change, recording }: Ended, isQueuedAgain: boolean): Promise<Next> {
    if (isReleased(entry) && outcome.kind === 'notSent') {
      // Whoever sends it next must find it queued, though it was just being marked as being sent.
      if (await recording) await this.#ends.putBack(entry, {});
      return 'notHere';
    }
    const next = this.#nextOf(entry, outcome, isQueuedAgain);
    if (next !== 'ended') {
      const isMarked = entry.mayHaveSentBytes || (await recording);
      if (!isMarked || (await this.#ends.putBack(entry, change))) return next;
    }
    // The next import need not wait for the disk: where this cannot be stored, the next one cannot begin either.
    void this.#ends.record(entry, outcome, change, recording);
    return 'ended';
  }

  #nextOf(entry: QueueEntry, outcome: Outcome<unknown>, isQueuedAgain: boolean): Next {
    if (entry.stop.signal.aborted) return 'ended';
    if (!isPassing(outcome)) return isQueuedAgain ? 'retry' : 'ended';
    return entry.changes < MAX_CHANGES ? 'retrySoon' : 'ended';
  }

  #watch(entry: QueueEntry): SendWatch {
    const { key, attemptId, stop } = entry;
    const { onRecorded } = this.#deps;
    const mayBytesLeave = (markedForMs: number) => {
      onRecorded();
      // This window may have been stopped for so long that the others took it for gone.
      entry.mayHaveSentBytes = markedForMs < LEASE_MS && this.#isServing;
      if (entry.mayHaveSentBytes) this.#prepareNext();
      else {
        releaseEntry(entry);
        this.#deps.onRefused();
      }
      return entry.mayHaveSentBytes;
    };
    const onSent = (sentBytes: number) => {
      if (this.#gate.sending(entry)) this.#pump();
      this.#deps.onSent(key, sentBytes);
    };
    return { attemptId, signal: stop.signal, mayBytesLeave, onSent, taskIds: this.#taskIds };
  }

  /** Puts an import back for its next try. */
  #putBack(entry: QueueEntry, next: 'retry' | 'retrySoon'): void {
    this.#deps.onSent(entry.key, 0);
    if (next === 'retry') this.#waiting.putBack(entry);
    else void this.#waiting.putBackSoon(entry, this.#deps.clock).then((isBack) => isBack && this.#next());
  }
}

/** Whether an import is still to be sent; it may be marked already, where that was not known to have been stored. */
function isNext({ phase }: TrackedTask, { attemptId }: QueueEntry): boolean {
  return phase.kind === 'queued' || (phase.kind === 'sending' && phase.attemptId === attemptId);
}

/** Whether nothing was sent because the file is in use or being written. */
function isPassing({ kind, ...outcome }: Outcome<unknown>): boolean {
  const reason =
    kind === 'notSent' && 'cause' in outcome && outcome.cause.name === 'SourceError' ? outcome.cause.reason : undefined;
  return reason === 'changing' || reason === 'busy';
}
