import type { Outcome } from '../../service/response/outcome';
import type { Destination } from '../destination';
import type { ContractOf } from '../responseNow';
import { OpenedAhead } from '../sending/openedAhead';
import { orCanceled } from '../sending/orCanceled';
import { type Ended, type SendDeps, type SendWatch, sendImport } from '../sending/sendImport';
import type { Sources } from '../sending/sources';
import type { Failure, TrackedTask } from '../trackedTask';
import { Gate, type Pause } from './gate';
import { ImportEnds } from './importEnds';
import type { ImportRun } from './importRun';
import { isReleased, type QueueEntry, releaseEntry } from './queueEntry';
import { type TargetDeps, TargetFinder } from './targetFinder';
import { WaitingImports } from './waitingImports';

/** How long a probe must have been sending before others begin beside it. */
const PROBING_MS = 5000;
/** How long an import waits for a file that keeps changing. */
const CHANGING_MS = 60_000;
/** The longest pause of which no message says why. */
const SHORT_PAUSE_MS = 10_000;

/** What a queue takes. */
export interface DestinationQueueDeps extends SendDeps, TargetDeps {
  readonly sources: Sources;
  /** Gives the contract by which the id of an accepted import is read as it is stored; without it, that of its request. */
  readonly contractOf?: ContractOf;
  /** How many imports may be under way at once. */
  readonly allowed: () => number;
  /** Something has changed: an import began, moved or ended. */
  readonly onChange: () => void;
  /** It was stored that an import is about to be sent. */
  readonly onRecorded: () => void;
  /** The destination pauses for longer than a moment, or until a person acts. Once, until imports go on. */
  readonly onPaused: (destination: Destination, pause: Pause) => void;
  /** The dataset has moved to another origin, so that what is left waits for the user's decision. */
  readonly onMoved: (destination: Destination) => void;
  /** Something could not be stored, so that it waits or is kept in memory alone. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** What becomes of an import after a try. */
type Next = 'done' | 'retry' | 'retryWhenUnchanged';

const CANCELED: Failure = { name: 'CanceledError', detail: '' };

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
  readonly #underWay = new Set<QueueEntry>();
  readonly #ahead: OpenedAhead;
  #isMoved = false;
  #isPauseReported = false;
  #endPause: () => void = () => {};
  #isDisposed = false;

  constructor(destination: Destination, deps: DestinationQueueDeps) {
    this.destination = destination;
    this.#deps = deps;
    this.#ends = new ImportEnds(deps);
    this.#targets = new TargetFinder(destination, deps);
    this.#gate = new Gate(deps.clock, deps.allowed);
    this.#ahead = new OpenedAhead(deps.sources, deps.clock);
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
    return this.#entries.map(({ key }) => key);
  }

  /** Why imports wait, or go one at a time; undefined while they need not. */
  get pause(): Pause | undefined {
    return this.#gate.pause;
  }

  /** Queues imports, one of which is tried at once: a person wants that, unless the service asked to wait. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source, phase } of tasks) {
      if (source === undefined || phase.kind !== 'queued') continue;
      run.expect(key, source);
      this.#waiting.add(key, source, run);
    }
    this.#gate.retry();
    this.#isPauseReported = false;
    this.#pump();
  }

  /** Starts anew where the dataset has another base URL, access key or request by now. */
  async targetChanged(): Promise<void> {
    this.#isMoved = false;
    if (await this.#targets.hasChanged()) this.#gate.reset();
    if (!this.isEmpty && (await this.#targets.find()).kind === 'moved') this.#onMoved();
    this.#next();
  }

  /** Tries one import now, whatever the pause, and the others once that succeeds. */
  tryNow(): void {
    this.#targets.forget();
    this.#gate.tryNow();
    this.#isPauseReported = false;
    this.#next();
  }

  /** Removes the imports with these keys of which nothing has left, for another queue; returns them. */
  release(keys: { has(key: number): boolean }): Pick<QueueEntry, 'key' | 'run'>[] {
    const underWay = [...this.#underWay].filter(({ key, mayHaveSentBytes }) => keys.has(key) && !mayHaveSentBytes);
    for (const entry of underWay) releaseEntry(entry);
    return [...underWay, ...this.#waiting.remove((key) => keys.has(key))];
  }

  /** Cancels imports, waiting ones and those under way; resolves once that is stored. */
  async cancel(isMeant: (key: number) => boolean): Promise<void> {
    const underWay = [...this.#underWay].filter(({ key }) => isMeant(key));
    const untried = this.#waiting.remove(isMeant);
    for (const { stop } of [...underWay, ...untried]) stop.abort();
    this.#ahead.close();
    void this.#ends.endUntried(untried, CANCELED);
    this.#next();
    await Promise.all([...underWay, ...untried].map(({ stored }) => stored.promise));
  }

  /** Drops waiting imports that another window owns by now. Those under way notice when their end is stored. */
  drop(isLost: (key: number) => boolean): void {
    const lost = this.#waiting.remove(isLost);
    for (const entry of lost) this.#ends.drop(entry);
    if (lost.length > 0) this.#next();
  }

  /** Begins nothing any more. What is being sent may end; everything else stays queued for another window. */
  dispose(): void {
    this.#isDisposed = true;
    this.#endPause();
    this.#ahead.close();
    for (const entry of this.#entries) if (!entry.mayHaveSentBytes) releaseEntry(entry);
    this.#waiting.remove(() => true);
  }

  /** Resolves once everything under way has ended or was left, and that is stored. */
  async settled(): Promise<void> {
    await Promise.all([...this.#underWay].map(({ stored }) => stored.promise));
  }

  get #entries(): readonly QueueEntry[] {
    return [...this.#underWay, ...this.#waiting.entries];
  }

  /** After any change: begins what may be sent. */
  #next(): void {
    if (this.#isDisposed) return;
    if (this.isEmpty) this.#targets.forget();
    else this.#reportPause();
    this.#pump();
    this.#deps.onChange();
  }

  /** Begins as many imports as may be under way now. */
  #pump(): void {
    this.#endPause();
    if (this.#isDisposed || this.#isMoved) return;
    const { pauseMs } = this.#gate;
    if (pauseMs > 0) {
      if (!this.isEmpty && pauseMs < Number.POSITIVE_INFINITY)
        this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    for (const entry of this.#waiting.take(this.#gate.room([...this.#underWay]))) void this.#begin(entry);
  }

  /** Opens the files of the imports that begin as soon as those under way end. */
  #prepareNext(): void {
    if (this.#isDisposed || this.#gate.isProbing) return;
    for (const { key, source } of this.#waiting.next(this.#underWay.size)) this.#ahead.prepare(key, source);
  }

  async #begin(entry: QueueEntry): Promise<void> {
    entry.round = this.#gate.round;
    entry.mayHaveSentBytes = false;
    this.#underWay.add(entry);
    const next = await this.#send(entry).catch((error: unknown) => {
      void this.#ends.fail(entry, error);
      return 'done' as const;
    });
    this.#underWay.delete(entry);
    // Another window or queue sends it next.
    if (isReleased(entry) || (this.#isDisposed && next !== 'done')) entry.stored.resolve();
    else if (next !== 'done') this.#requeue(entry, next);
    this.#next();
  }

  async #send(entry: QueueEntry): Promise<Next> {
    const found = await orCanceled(this.#targets.find(), entry.stop.signal).catch(() => undefined);
    if (found === undefined || this.#isDisposed) return 'retry';
    const task = this.#deps.list.get(entry.key);
    const source = task?.phase.kind === 'queued' && this.#deps.list.isOurs(task) ? task.source : undefined;
    if (task === undefined || source === undefined) {
      this.#ends.drop(entry);
      return 'done';
    }
    switch (found.kind) {
      case 'moved':
        this.#onMoved();
        return 'retry';
      case 'missing':
        this.#targets.forget();
        this.#gate.targetMissing(found.detail);
        return 'retry';
      case 'found':
        break;
    }
    const deps = { ...this.#deps, sources: this.#ahead };
    const sent = await sendImport(deps, task, source, found.target, this.#watch(entry));
    switch (sent.kind) {
      case 'notOurs':
        this.#ends.drop(entry);
        return 'done';
      case 'unrecorded':
        this.#gate.storeFailed(entry.round, this.#underWay.size);
        this.#deps.onUnrecorded(sent.error);
        return 'retry';
      case 'ended':
        return this.#settle(entry, sent, this.#gate.record(entry.round, sent.outcome, this.#underWay.size));
    }
  }

  #onMoved(): void {
    this.#targets.forget();
    if (this.#isMoved) return;
    this.#isMoved = true;
    this.#deps.onMoved(this.destination);
  }

  /** Tells a person of a pause that they would wonder about. */
  #reportPause(): void {
    const { pause, pauseMs } = this.#gate;
    if (pause === undefined) this.#isPauseReported = false;
    if (pause === undefined || pauseMs <= SHORT_PAUSE_MS || this.#isPauseReported) return;
    this.#isPauseReported = true;
    this.#deps.onPaused(this.destination, pause);
  }

  async #settle(entry: QueueEntry, { outcome, change, recording }: Ended, isQueuedAgain: boolean): Promise<Next> {
    if (isReleased(entry) && outcome.kind === 'notSent') {
      // Whoever sends it next must find it queued, though it was just being marked as being sent.
      if (await recording) await this.#ends.putBack(entry, {});
      return 'done';
    }
    const next = this.#nextOf(entry, outcome, isQueuedAgain);
    if (next !== 'done') {
      const isMarked = entry.mayHaveSentBytes || (await recording);
      if (!isMarked || (await this.#ends.putBack(entry, entry.mayHaveSentBytes ? change : {}))) return next;
    }
    // The next import need not wait for the disk: where this cannot be stored, the next one cannot begin either.
    void this.#ends.record(entry, outcome, change, recording);
    return 'done';
  }

  #nextOf(entry: QueueEntry, outcome: Outcome<unknown>, isQueuedAgain: boolean): Next {
    if (entry.stop.signal.aborted) return 'done';
    if (!isChanging(outcome)) return isQueuedAgain ? 'retry' : 'done';
    const nowMs = this.#deps.clock.monotonicMs();
    entry.changingUntilMs ??= nowMs + CHANGING_MS;
    return nowMs < entry.changingUntilMs ? 'retryWhenUnchanged' : 'done';
  }

  #watch(entry: QueueEntry): SendWatch {
    const { key, run, stop, round } = entry;
    const { clock, onChange, onRecorded } = this.#deps;
    let sendingFromMs: number | undefined;
    const onBegun = () => {
      entry.mayHaveSentBytes = true;
      this.#prepareNext();
      onRecorded();
    };
    const onSent = (sentBytes: number) => {
      run.sent(key, sentBytes);
      sendingFromMs ??= clock.monotonicMs();
      const isLong = clock.monotonicMs() - sendingFromMs >= PROBING_MS;
      if (isLong && this.#gate.isProbing && round === this.#gate.round) {
        this.#gate.endProbe();
        this.#pump();
      }
      onChange();
    };
    return { signal: stop.signal, onBegun, onSent };
  }

  /** Puts an import back for its next try, unless it was canceled meanwhile. */
  #requeue(entry: QueueEntry, next: 'retry' | 'retryWhenUnchanged'): void {
    entry.run.sent(entry.key, 0);
    if (entry.stop.signal.aborted) void this.#ends.endUntried([entry], CANCELED);
    else if (next === 'retry') this.#waiting.putBack(entry);
    else void this.#waiting.putBackWhenUnchanged(entry, this.#deps.clock).then((isBack) => isBack && this.#next());
  }
}

/** Nothing was sent, as the file was written after it was opened. */
function isChanging(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && outcome.cause.name === 'SourceError' && outcome.cause.reason === 'changing';
}
