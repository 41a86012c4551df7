import { causeText } from '../../service/errors';
import type { Target } from '../../service/request/requests';
import type { Destination, OriginOf } from '../destination';
import type { ContractOf } from '../following/rereadResponses';
import { fileRests } from '../sending/fileRest';
import { orCanceled } from '../sending/orCanceled';
import { type Ended, type SendDeps, type SendWatch, sendImport } from '../sending/sendImport';
import type { Turn } from '../sending/turn';
import type { Failure, Source, TrackedTask } from '../trackedTask';
import type { CircuitBreaker, WaitReason } from './circuitBreaker';
import type { ConcurrencyLimiter } from './concurrencyLimiter';
import { ImportEnds } from './importEnds';
import type { ImportRun } from './importRun';
import { isLeft, leave, newQueueEntry, type QueueEntry } from './queueEntry';
import { type FoundTarget, TargetFinder } from './targetFinder';
import { Throttle } from './throttle';
import { Turns } from './turns';

/** For so long a probe must have been sending well before others begin beside it. */
const PROBING_MS = 5000;

/** What a queue takes. */
export interface DestinationQueueDeps extends SendDeps {
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
  /** Where a dataset is now, whether or not it has an access key there. */
  readonly originOf?: OriginOf;
  /** By what the id of an accepted import is read once it is stored; without it, by the contract that it was sent by. */
  readonly contractOf?: ContractOf;
  /** Changes whenever the target of a dataset may have, in any window. */
  readonly targetMark?: (dataset: string) => string;
  /** How many imports may be under way at once. */
  readonly allowed: () => number;
  /** Something has changed: an import began, moved or ended. */
  readonly onChange: () => void;
  /** It was written down that an import is about to be sent. */
  readonly onRecorded: () => void;
  /** Its dataset has moved to another origin, so that what is left waits to be asked about. */
  readonly onMoved: (destination: Destination) => void;
  /** Something could not be written, so that it waits or is kept in memory alone. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** An import of a run. */
export type RunImport = Pick<QueueEntry, 'key' | 'run'>;

/** What becomes of an import after a try. */
type Next = 'over' | 'again' | { readonly restsAt: string };

const CANCELED: Failure = { name: 'CanceledError', detail: '' };

/**
 * The imports of one destination, in the order in which they were asked for, a few at a time. While these are sent,
 * those that come next are prepared where their turn will be soon: files are opened and connections made meanwhile.
 */
export class DestinationQueue {
  readonly destination: Destination;
  readonly #deps: DestinationQueueDeps;
  readonly #ends: ImportEnds;
  readonly #throttle: Throttle;
  readonly #targets: TargetFinder;
  #waiting: QueueEntry[] = [];
  /** Those whose file is being changed: they keep no slot. */
  readonly #resting = new Set<QueueEntry>();
  readonly #turns: Turns<QueueEntry>;
  #added = 0;
  #isMoved = false;
  #endPause: () => void = () => {};
  #isDisposed = false;

  constructor(destination: Destination, deps: DestinationQueueDeps) {
    const { dataset } = destination;
    this.destination = destination;
    this.#targets = new TargetFinder(
      () => deps.findTarget(dataset),
      () => deps.targetMark?.(dataset),
    );
    this.#deps = deps;
    this.#ends = new ImportEnds(deps);
    this.#throttle = new Throttle(deps.clock);
    this.#turns = new Turns(deps.clock);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether what is left waits, as the dataset is at another origin now. */
  get isMoved(): boolean {
    return this.#isMoved && !this.isEmpty;
  }

  /** Those that have not ended. */
  get keys(): readonly number[] {
    return this.#entries.map(({ key }) => key);
  }

  has(key: number): boolean {
    return this.keys.includes(key);
  }

  get limiter(): ConcurrencyLimiter {
    return this.#throttle.limiter;
  }

  /** Why imports do not go as they should; undefined where they do. */
  get waitReason(): WaitReason | undefined {
    return this.#breaker.waitReason;
  }

  /** Sends these once those before them have had their turn, and the service has had the rest that it asked for. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source, phase } of tasks) {
      if (source === undefined || phase.kind !== 'queued') continue;
      run.expect(key, source);
      this.#waiting.push(newQueueEntry(key, this.#added++, run));
    }
    this.#throttle.retry();
    this.#pump();
  }

  /** Ends a pause and goes on. One that the service has asked for is kept, unless it is another service by now. */
  async resume(): Promise<void> {
    this.#forgetTarget();
    this.#turns.forgive();
    this.#isMoved = false;
    (await this.#targets.isElsewhere()) ? this.#throttle.reset() : this.#throttle.retry();
    this.#pump();
  }

  /** Lets go of those of these keys of which nothing has left: they are another queue's from now on. */
  release(keys: { has(key: number): boolean }): RunImport[] {
    const underWay = this.#turns.entries.filter(({ key, mayHaveLeft }) => keys.has(key) && !mayHaveLeft);
    for (const entry of underWay) leave(entry);
    return [...underWay, ...this.#remove((key) => keys.has(key))];
  }

  /**
   * Ends those that `isMeant` names at once: none of them is begun any more, and nothing is waited for that is under
   * way. Resolves once that is stored.
   */
  async cancel(isMeant: (key: number) => boolean): Promise<void> {
    const underWay = this.#turns.entries.filter(({ key }) => isMeant(key));
    const untried = this.#remove(isMeant);
    for (const entry of [...underWay, ...untried]) {
      this.#turns.putOff(entry);
      entry.stop.abort();
    }
    void this.#ends.endUntried(untried, CANCELED);
    this.#next();
    await Promise.all([...underWay, ...untried].map(({ stored }) => stored.promise));
  }

  /** Lets go of what waits and is another window's to send by now. What is under way finds out by itself. */
  drop(isLost: (key: number) => boolean): void {
    const lost = this.#remove(isLost);
    for (const entry of lost) this.#ends.drop(entry);
    if (lost.length > 0) this.#next();
  }

  /** Begins nothing any more. What is under way is left to end, and what waits for anything is let go of. */
  dispose(): void {
    this.#isDisposed = true;
    this.#endPause();
    this.#turns.putOff();
    for (const entry of this.#entries) if (!entry.mayHaveLeft) leave(entry);
    this.#waiting = [];
    this.#resting.clear();
  }

  /** Resolves once what is under way has ended or was let go of, and that is stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#turns.entries.map(({ stored }) => stored.promise));
  }

  get #breaker(): CircuitBreaker {
    return this.#throttle.breaker;
  }

  get #entries(): readonly QueueEntry[] {
    return [...this.#turns.entries, ...this.#resting, ...this.#waiting];
  }

  /** Takes out what waits or rests; gives it. */
  #remove(isMeant: (key: number) => boolean): QueueEntry[] {
    const removed = [...this.#waiting, ...this.#resting].filter(({ key }) => isMeant(key));
    this.#waiting = this.#waiting.filter(({ key }) => !isMeant(key));
    for (const entry of removed) this.#resting.delete(entry);
    return removed;
  }

  /** Goes on after something has changed. */
  #next(): void {
    // What is left is another window's to go on with.
    if (this.#isDisposed) return;
    this.#stopWhereHopeless();
    if (this.isEmpty) {
      this.#targets.forget();
      this.#turns.forgive();
    }
    this.#pump();
    this.#deps.onChange();
  }

  #pump(): void {
    this.#endPause();
    if (this.#isDisposed || this.#isMoved) return;
    if (this.#targets.mayHaveChanged) this.#forgetTarget();
    const { pauseMs } = this.limiter;
    if (pauseMs > 0) {
      if (!this.isEmpty) this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    if (this.#breaker.isProbing) {
      this.#probe();
      return;
    }
    const limit = this.limiter.limit(this.#deps.allowed());
    for (const entry of this.#waiting.splice(0, this.#turns.room(limit))) void this.#begin(entry);
    this.#turns.give(limit);
  }

  /** Begins one, unless there is one that has begun since the last failure. */
  #probe(): void {
    if (this.#turns.entries.some(({ round }) => round === this.#breaker.round)) return;
    const [entry] = this.#waiting.splice(0, 1);
    if (entry === undefined) return;
    void this.#begin(entry);
    this.#turns.give(Number.POSITIVE_INFINITY);
  }

  async #begin(entry: QueueEntry): Promise<void> {
    entry.round = this.#breaker.round;
    entry.mayHaveLeft = false;
    const next = await this.#send(entry, this.#turns.open(entry)).catch((error: unknown) => {
      void this.#ends.fail(entry, error);
      return 'over' as const;
    });
    this.#turns.close(entry);
    // Another window or queue goes on with it.
    if (isLeft(entry) || (this.#isDisposed && next !== 'over')) entry.stored.resolve();
    else if (next === 'again') this.#again(entry);
    else if (next !== 'over') void this.#awaitRest(entry, next.restsAt);
    this.#next();
  }

  async #send(entry: QueueEntry, turn: Turn): Promise<Next> {
    const { list, onUnrecorded } = this.#deps;
    const target = await orCanceled(this.#targets.find(), entry.stop.signal).catch(() => 'canceled' as const);
    if (target === 'canceled' || this.#isDisposed) return 'again';
    const task = list.get(entry.key);
    const source = task?.phase.kind === 'queued' && list.isOurs(task) ? task.source : undefined;
    if (task === undefined || source === undefined) return this.#ends.drop(entry);
    if (this.#hasMoved(target)) {
      this.#forgetTarget();
      const isNews = !this.#isMoved;
      this.#isMoved = true;
      if (isNews) this.#deps.onMoved(this.destination);
      return 'again';
    }
    if (target === undefined || 'error' in target) {
      this.#forgetTarget();
      const detail = target === undefined ? '' : causeText(target.error);
      await this.#ends.endUntried([entry], { name: 'NoTarget', detail });
      return 'over';
    }
    this.#targets.use(target);
    const sent = await sendImport(this.#deps, task, source, target, turn, this.#watch(entry));
    switch (sent.kind) {
      case 'notYet':
        if (sent.isLost) this.#turns.lostConnection();
        return 'again';
      case 'notOurs':
        return this.#ends.drop(entry);
      case 'unrecorded':
        if (this.#throttle.meet(entry.round, { kind: 'store' }, this.#turns.come)) this.#turns.putOff();
        onUnrecorded(sent.error);
        return 'again';
      case 'ended':
        this.#recordOutcome(entry, sent);
        return this.#settle(entry, source, sent);
    }
  }

  /** There may be no access key yet where the dataset is now. */
  #hasMoved(target: FoundTarget): boolean {
    const { dataset, origin } = this.destination;
    const found = target !== undefined && 'baseUrl' in target ? target.baseUrl.origin : undefined;
    return (
      origin !== undefined && [found, this.#deps.originOf?.(dataset)].some((now) => now !== undefined && now !== origin)
    );
  }

  /** Its target may have changed, and with it that of what was prepared. */
  #forgetTarget(): void {
    this.#targets.forget();
    this.#turns.putOff();
  }

  async #settle(entry: QueueEntry, source: Source, sent: Ended): Promise<Next> {
    const { outcome, change, recording } = sent;
    if (isLeft(entry) && outcome.kind === 'notSent') {
      // Whoever goes on with it must find it queued, though it was just being marked as sent.
      if (await recording) await this.#ends.putBack(entry, {});
      return 'over';
    }
    const follows = entry.stop.signal.aborted ? 'none' : entry.tries.follows(outcome, this.#deps.clock.monotonicMs());
    if (follows !== 'none' && (await this.#ends.putBack(entry, change))) {
      return follows === 'atRest' ? { restsAt: source.path } : 'again';
    }
    // The next one need not wait for the disk: if it fails, this one is told and kept, and the next not begun.
    void this.#ends.record(entry, outcome, change, recording);
    return 'over';
  }

  /** What an outcome says of the imports after it. */
  #recordOutcome({ round }: QueueEntry, { outcome, tookMs }: Ended): void {
    this.#turns.took(outcome.kind === 'accepted' ? tookMs : undefined);
    if (this.#throttle.recordOutcome(round, outcome, this.#turns.come, this.#deps.allowed())) this.#turns.putOff();
    if (outcome.kind === 'rejected' && outcome.badKey) this.#forgetTarget();
  }

  #watch(entry: QueueEntry): SendWatch {
    const { key, run, stop, round } = entry;
    const { clock, onChange, onRecorded } = this.#deps;
    let sendingFromMs: number | undefined;
    const onBegun = () => {
      entry.mayHaveLeft = true;
      onRecorded();
    };
    const onSent = (sentBytes: number) => {
      run.sent(key, sentBytes);
      sendingFromMs ??= clock.monotonicMs();
      const isLong = clock.monotonicMs() - sendingFromMs >= PROBING_MS;
      if (isLong && this.#breaker.isProbing && round === this.#breaker.round) {
        this.#breaker.letOthersBegin();
        this.#pump();
      }
      onChange();
    };
    return { signal: stop.signal, onBegun, onSent };
  }

  /** It comes again at its place, unless it was canceled or left meanwhile. */
  #again(entry: QueueEntry): void {
    entry.run.sent(entry.key, 0);
    const next = this.#waiting.findIndex(({ order }) => order > entry.order);
    if (entry.stop.signal.aborted) void this.#ends.endUntried([entry], CANCELED);
    else this.#waiting.splice(next === -1 ? this.#waiting.length : next, 0, entry);
  }

  /** Waits until its file is no longer being changed, without a slot. */
  async #awaitRest(entry: QueueEntry, path: string): Promise<void> {
    const { clock } = this.#deps;
    this.#resting.add(entry);
    entry.run.sent(entry.key, 0);
    await fileRests(path, entry.tries.restUntilMs, clock, entry.stop.signal).catch(() => {});
    // Canceled, stopped or left meanwhile, it is out of the queue already.
    if (!this.#resting.delete(entry)) return;
    this.#again(entry);
    this.#next();
  }

  /** After an incident's tries the rest is not sent. */
  #stopWhereHopeless(): void {
    const cause = this.#breaker.stoppedBy;
    const rest = cause === undefined ? [] : this.#remove(() => true);
    if (cause === undefined || rest.length === 0) return;
    this.#turns.putOff();
    void this.#ends.endUntried(rest, { name: 'CircuitOpen', detail: '', cause });
  }
}
