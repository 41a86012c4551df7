import type { Destination } from '../destination';
import type { ContractOf } from '../following/rereadResponses';
import { OpenedAhead } from '../sending/openedAhead';
import { orCanceled } from '../sending/orCanceled';
import { type Ended, type SendDeps, type SendWatch, sendImport } from '../sending/sendImport';
import type { Sources } from '../sending/sources';
import type { Failure, TrackedTask } from '../trackedTask';
import { CircuitBreaker, type WaitReason } from './circuitBreaker';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import { ImportEnds } from './importEnds';
import type { ImportRun } from './importRun';
import { isReleased, type QueueEntry, releaseEntry } from './queueEntry';
import { type TargetDeps, TargetFinder } from './targetFinder';
import { WaitingImports } from './waitingImports';

/** How long a probe must have been sending before others begin beside it. */
const PROBING_MS = 5000;

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
  /** The dataset has moved to another origin, so that what is left waits for the user's decision. */
  readonly onMoved: (destination: Destination) => void;
  /** Something could not be stored, so that it waits or is kept in memory alone. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** What becomes of an import after a try. */
type Next = 'done' | 'retry' | 'retryWhenUnchanged';

const CANCELED: Failure = { name: 'CanceledError', detail: '' };

/**
 * The imports of one destination: sent in the order in which they were added, a few at a time, as the circuit breaker and
 * the concurrency limiter allow.
 */
export class DestinationQueue {
  readonly destination: Destination;
  readonly #deps: DestinationQueueDeps;
  readonly #ends: ImportEnds;
  readonly #targets: TargetFinder;
  readonly #breaker: CircuitBreaker;
  readonly #limiter = new ConcurrencyLimiter();
  readonly #waiting = new WaitingImports();
  readonly #underWay = new Set<QueueEntry>();
  readonly #ahead: OpenedAhead;
  #isMoved = false;
  #endPause: () => void = () => {};
  #isDisposed = false;

  constructor(destination: Destination, deps: DestinationQueueDeps) {
    this.destination = destination;
    this.#deps = deps;
    this.#ends = new ImportEnds(deps);
    this.#targets = new TargetFinder(destination, deps);
    this.#breaker = new CircuitBreaker(deps.clock);
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

  /** Why imports wait; undefined while the circuit is closed. */
  get waitReason(): WaitReason | undefined {
    return this.#breaker.waitReason;
  }

  /** Until when nothing new begins, by the clock's `monotonicMs`; in the past where something may begin. */
  get pausedUntilMs(): number {
    return this.#breaker.pausedUntilMs;
  }

  /** Queues imports, and allows all tries again. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source, phase } of tasks) {
      if (source === undefined || phase.kind !== 'queued') continue;
      run.expect(key, source);
      this.#waiting.add(key, source, run);
    }
    this.#breaker.retry();
    this.#pump();
  }

  /** Ends our own back-off. A pause that the service asked for is kept, unless it is another service by now. */
  async resume(): Promise<void> {
    this.#targets.forget();
    this.#isMoved = false;
    if (await this.#targets.isElsewhere()) {
      this.#breaker.reset();
      this.#limiter.reset();
    } else this.#breaker.retry();
    this.#pump();
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

  /** After any change: ends what is not to be sent, begins what may be. */
  #next(): void {
    if (this.#isDisposed) return;
    this.#endWhereStopped();
    if (this.isEmpty) this.#targets.forget();
    this.#pump();
    this.#deps.onChange();
  }

  /** Begins as many imports as may be under way now. */
  #pump(): void {
    this.#endPause();
    if (this.#isDisposed || this.#isMoved) return;
    const { state, pauseMs } = this.#breaker;
    if (state === 'open') {
      if (!this.isEmpty) this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    if (state === 'halfOpen') {
      this.#probe();
      return;
    }
    const limit = this.#limiter.limit(this.#deps.allowed());
    for (const entry of this.#waiting.take(Math.max(0, limit - this.#underWay.size))) void this.#begin(entry);
  }

  /** Begins one import, unless one has begun since the circuit opened. */
  #probe(): void {
    if ([...this.#underWay].some(({ round }) => round === this.#breaker.round)) return;
    for (const entry of this.#waiting.take(1)) void this.#begin(entry);
  }

  /** Opens the files of the imports that begin as soon as those under way end. */
  #prepareNext(): void {
    if (this.#isDisposed || this.#breaker.state !== 'closed') return;
    for (const { key, source } of this.#waiting.next(this.#underWay.size)) this.#ahead.prepare(key, source);
  }

  async #begin(entry: QueueEntry): Promise<void> {
    entry.round = this.#breaker.round;
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
        await this.#ends.endUntried([entry], { name: 'NoTarget', detail: found.detail });
        return 'done';
      case 'found':
        this.#targets.use(found.target);
    }
    const deps = { ...this.#deps, sources: this.#ahead };
    const sent = await sendImport(deps, task, source, found.target, this.#watch(entry));
    switch (sent.kind) {
      case 'notOurs':
        this.#ends.drop(entry);
        return 'done';
      case 'unrecorded':
        if (this.#breaker.fail(entry.round, { kind: 'store' })) this.#onOpened();
        this.#deps.onUnrecorded(sent.error);
        return 'retry';
      case 'ended':
        this.#recordOutcome(entry, sent);
        return this.#settle(entry, sent);
    }
  }

  #onMoved(): void {
    this.#targets.forget();
    if (this.#isMoved) return;
    this.#isMoved = true;
    this.#deps.onMoved(this.destination);
  }

  /** Adapts to what an outcome says of the imports after it. */
  #recordOutcome({ round }: QueueEntry, { outcome }: Ended): void {
    if (this.#breaker.record(round, outcome)) this.#onOpened();
    if (outcome.kind === 'accepted') this.#limiter.succeeded(this.#deps.allowed());
    if (outcome.kind === 'rejected' && outcome.badKey) this.#targets.forget();
  }

  #onOpened(): void {
    this.#limiter.throttled(this.#underWay.size);
  }

  async #settle(entry: QueueEntry, { outcome, change, recording }: Ended): Promise<Next> {
    if (isReleased(entry) && outcome.kind === 'notSent') {
      // Whoever sends it next must find it queued, though it was just being marked as being sent.
      if (await recording) await this.#ends.putBack(entry, {});
      return 'done';
    }
    const next = entry.stop.signal.aborted ? 'none' : entry.retries.after(outcome, this.#deps.clock.monotonicMs());
    if (next !== 'none' && (await this.#ends.putBack(entry, change))) return next;
    // The next import need not wait for the disk: where this cannot be stored, the next one cannot begin either.
    void this.#ends.record(entry, outcome, change, recording);
    return 'done';
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
      if (isLong && this.#breaker.state === 'halfOpen' && round === this.#breaker.round) {
        this.#breaker.endProbe();
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

  /** Once the circuit breaker has given up, what waits is not sent. */
  #endWhereStopped(): void {
    const cause = this.#breaker.stoppedBy;
    const rest = cause === undefined ? [] : this.#waiting.remove(() => true);
    if (cause === undefined || rest.length === 0) return;
    void this.#ends.endUntried(rest, { name: 'CircuitOpen', detail: '', cause });
  }
}
