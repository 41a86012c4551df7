import { causeText, UnexpectedError } from '../service/errors';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import { CircuitBreaker, type Obstacle, obstacleAfter } from './circuitBreaker';
import { fileRests } from './fileRest';
import { ImportEnds } from './importEnds';
import type { ImportRun } from './importRun';
import { type Entry, isLeft, leave, newEntry } from './laneEntry';
import { orCancelled } from './orCancelled';
import { Pace } from './pace';
import { type SendDeps, type Sent, sendImport } from './sendImport';
import type { Failure, Source, TrackedTask } from './trackedTask';
import type { Turn } from './turn';
import { Turns } from './turns';

/** For so long a probe must have been sending well before others begin beside it. */
const PROBING_MS = 5000;

/** What a lane takes. */
export interface LaneDeps extends SendDeps {
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
  /** How many imports may be under way at once. */
  readonly allowed: () => number;
  /** Something has changed: an import began, moved or ended. */
  readonly onChange: () => void;
  /** It was written down that an import is about to be sent. */
  readonly onRecorded: () => void;
  /** Something could not be written, so that it waits or is kept in memory alone. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** What becomes of an import after a try. */
type Next = 'over' | 'again' | { readonly restsAt: string };
type Ended = Sent & { readonly kind: 'ended' };

/** Undefined where the dataset is not known or has no key. */
type FoundTarget = Target | undefined | { readonly error: unknown };

const CANCELLED: Failure = { name: 'CancelledError', detail: '' };

/**
 * The imports of one dataset, in the order in which they were asked for, a few at a time. While these are sent, those
 * that come next are prepared where their turn will be soon: files are opened and connections made meanwhile.
 */
export class Lane {
  readonly pace: Pace;
  readonly #dataset: string;
  readonly #deps: LaneDeps;
  readonly #ends: ImportEnds;
  readonly #breaker = new CircuitBreaker();
  #waiting: Entry[] = [];
  /** Those whose file is being changed: they keep no slot. */
  readonly #resting = new Set<Entry>();
  readonly #turns: Turns<Entry>;
  #added = 0;
  #target: Promise<FoundTarget> | undefined;
  /** The origin of the service that was sent to last. */
  #origin: string | undefined;
  #endPause: () => void = () => {};
  #isDisposed = false;

  constructor(dataset: string, deps: LaneDeps) {
    this.#dataset = dataset;
    this.#deps = deps;
    this.#ends = new ImportEnds(deps);
    this.pace = new Pace(deps.clock);
    this.#turns = new Turns(deps.clock);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  has(key: number): boolean {
    return this.#entries.some((entry) => entry.key === key);
  }

  /** Why imports do not go as they should; undefined where they do. */
  get obstacle(): Obstacle | undefined {
    return this.#breaker.obstacle;
  }

  /** Sends these once those before them have had their turn, and the service has had the rest that it asked for. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source } of tasks) {
      if (source === undefined) continue;
      run.expect(key, source);
      this.#waiting.push(newEntry(key, this.#added++, run));
    }
    this.#breaker.retry();
    this.pace.hurry();
    this.#pump();
  }

  /** Ends a pause and goes on. One that the service has asked for is kept, unless it is another service by now. */
  async goOn(): Promise<void> {
    this.#forgetTarget();
    this.#turns.forgive();
    const target = await this.#findTarget();
    const isElsewhere = target !== undefined && 'baseUrl' in target && target.baseUrl.origin !== this.#origin;
    isElsewhere ? this.#breaker.reset() : this.#breaker.retry();
    isElsewhere ? this.pace.beginAnew() : this.pace.hurry();
    this.#pump();
  }

  /**
   * Ends those that `isMeant` names at once: none of them is begun any more, and nothing is waited for that is under
   * way. Resolves once that is stored.
   */
  async cancel(isMeant: (key: number) => boolean): Promise<void> {
    const meant = this.#entries.filter(({ key }) => isMeant(key));
    const underWay = this.#turns.entries;
    this.#waiting = this.#waiting.filter((entry) => !meant.includes(entry));
    for (const entry of meant) {
      this.#resting.delete(entry);
      this.#turns.putOff(entry);
      entry.stop.abort();
    }
    const untried = meant.filter((entry) => !underWay.includes(entry));
    void this.#ends.endUntried(untried, CANCELLED);
    this.#next();
    await Promise.all(meant.map(({ stored }) => stored.promise));
  }

  /** Lets go of what waits and is another window's to send by now. What is under way finds out by itself. */
  drop(isLost: (key: number) => boolean): void {
    const lost = [...this.#waiting, ...this.#resting].filter(({ key }) => isLost(key));
    if (lost.length === 0) return;
    this.#waiting = this.#waiting.filter((entry) => !lost.includes(entry));
    for (const entry of lost) {
      this.#resting.delete(entry);
      this.#ends.drop(entry);
    }
    this.#next();
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

  get #entries(): readonly Entry[] {
    return [...this.#turns.entries, ...this.#resting, ...this.#waiting];
  }

  /** Goes on after something has changed. */
  #next(): void {
    // What is left is another window's to go on with.
    if (this.#isDisposed) return;
    this.#stopWhereHopeless();
    if (this.isEmpty) this.#rest();
    this.#pump();
    this.#deps.onChange();
  }

  #pump(): void {
    this.#endPause();
    if (this.#isDisposed) return;
    const { pauseMs } = this.pace;
    if (pauseMs > 0) {
      if (!this.isEmpty) this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    if (this.#breaker.isProbing) {
      this.#probe();
      return;
    }
    const limit = this.pace.limit(this.#deps.allowed());
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

  async #begin(entry: Entry): Promise<void> {
    entry.round = this.#breaker.round;
    entry.mayHaveLeft = false;
    const next = await this.#send(entry, this.#turns.open(entry)).catch((error: unknown) => this.#fail(entry, error));
    this.#turns.close(entry);
    if (next === 'again') this.#again(entry);
    else if (next !== 'over') void this.#awaitRest(entry, next.restsAt);
    this.#next();
  }

  /** Whatever goes wrong ends the one import that it befalls. */
  #fail(entry: Entry, error: unknown): 'over' {
    const cause = new UnexpectedError({ cause: error });
    const unconfirmed = { kind: 'unconfirmed', cause, sentBytes: 0, totalBytes: 0 } as const;
    void this.#ends.record(entry, entry.mayHaveLeft ? unconfirmed : { kind: 'notSent', cause }, {});
    return 'over';
  }

  async #send(entry: Entry, turn: Turn): Promise<Next> {
    const { key, run } = entry;
    const { signal } = entry.stop;
    const { list, clock, onChange, onRecorded, onUnrecorded } = this.#deps;
    const target = await orCancelled(this.#findTarget(), signal).catch(() => 'cancelled' as const);
    if (target === 'cancelled' || this.#isDisposed) return 'again';
    const task = list.get(key);
    const source = task?.phase.kind === 'queued' && list.isOurs(task) ? task.source : undefined;
    if (task === undefined || source === undefined) {
      this.#ends.drop(entry);
      return 'over';
    }
    if (target === undefined || 'error' in target) {
      this.#forgetTarget();
      const detail = target === undefined ? '' : causeText(target.error);
      await this.#ends.endUntried([entry], { name: 'NoTarget', detail });
      return 'over';
    }
    this.#origin = target.baseUrl.origin;
    let sendingFromMs: number | undefined;
    const onSent = (sentBytes: number) => {
      run.sent(key, sentBytes);
      sendingFromMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - sendingFromMs >= PROBING_MS) this.#letOthersBeginBeside(entry);
      onChange();
    };
    const onBegun = () => {
      entry.mayHaveLeft = true;
      onRecorded();
    };
    const sent = await sendImport(this.#deps, task, source, target, turn, { signal, onBegun, onSent });
    switch (sent.kind) {
      case 'notYet':
        if (sent.isLost) this.#turns.lostConnection();
        return 'again';
      case 'notOurs':
        this.#ends.drop(entry);
        return 'over';
      case 'unrecorded':
        this.#meet({ kind: 'store' }, entry, undefined);
        onUnrecorded(sent.error);
        return 'again';
      case 'ended':
        this.#judge(entry, sent);
        return this.#settle(entry, source, sent);
    }
  }

  /** Asked once for many imports: the key may have to come from afar. Anew once the lane was empty, or a key is bad. */
  #findTarget(): Promise<FoundTarget> {
    this.#target ??= this.#deps.findTarget(this.#dataset).catch((error: unknown) => ({ error }));
    return this.#target;
  }

  #rest(): void {
    this.#target = undefined;
    this.#turns.forgive();
  }

  /** Its target may have changed, and with it that of what was prepared. */
  #forgetTarget(): void {
    this.#target = undefined;
    this.#turns.putOff();
  }

  async #settle(entry: Entry, source: Source, sent: Ended): Promise<Next> {
    const { outcome, change, recording } = sent;
    if (isLeft(entry) && outcome.kind === 'notSent') {
      // Whoever goes on with it must find it queued, though it was just being marked as sent.
      void recording?.then((isMarked) => isMarked && this.#ends.putBack(entry, {}));
      return 'over';
    }
    const mayGoOn = !entry.stop.signal.aborted;
    const now = this.#deps.clock.monotonicMs();
    const mayRest = mayGoOn && isChanging(outcome) && entry.tries.changingUntilMs(now) > now;
    const comesAgain = mayRest || (mayGoOn && entry.tries.mayFollow(outcome));
    if (comesAgain && (await this.#ends.putBack(entry, change))) return mayRest ? { restsAt: source.path } : 'again';
    // The next one need not wait for the disk: if it fails, this one is told and kept, and the next not begun.
    void this.#ends.record(entry, outcome, change, recording);
    return 'over';
  }

  /** What an outcome says of the imports after it. */
  #judge(entry: Entry, { outcome, tookMs }: Ended): void {
    this.#turns.took(outcome.kind === 'accepted' ? tookMs : undefined);
    this.#breaker.judgeKey(outcome);
    const obstacle = obstacleAfter(outcome);
    if (obstacle !== undefined) {
      this.#meet(obstacle, entry, 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined);
    } else if (outcome.kind === 'accepted' || outcome.kind === 'rejected') {
      this.#breaker.answered(entry.round);
      if (outcome.kind === 'accepted') this.pace.wentWell(this.#deps.allowed());
      else if (outcome.badKey) this.#forgetTarget();
    }
  }

  #meet(obstacle: Obstacle, { round }: Entry, askedMs: number | undefined): void {
    const isNews = this.#breaker.failed(round, obstacle);
    const { failuresInARow } = this.#breaker;
    if (isNews) {
      this.pace.pushedBack(failuresInARow, this.#turns.come, askedMs);
      this.#turns.putOff();
    } else if (askedMs !== undefined) this.pace.askedToWait(failuresInARow, askedMs);
  }

  #letOthersBeginBeside({ round }: Entry): void {
    if (!this.#breaker.isProbing || round !== this.#breaker.round) return;
    this.#breaker.letOthersBegin();
    this.#pump();
  }

  /** It comes again at its place, unless it was cancelled or left meanwhile. */
  #again(entry: Entry): void {
    if (this.#isDisposed) return;
    entry.run.sent(entry.key, 0);
    const next = this.#waiting.findIndex(({ order }) => order > entry.order);
    if (entry.stop.signal.aborted) void this.#ends.endUntried([entry], CANCELLED);
    else this.#waiting.splice(next === -1 ? this.#waiting.length : next, 0, entry);
  }

  /** Waits until its file is no longer being changed, without a slot. */
  async #awaitRest(entry: Entry, path: string): Promise<void> {
    if (this.#isDisposed) return;
    const { clock } = this.#deps;
    this.#resting.add(entry);
    entry.run.sent(entry.key, 0);
    const untilMs = entry.tries.changingUntilMs(clock.monotonicMs());
    await fileRests(path, untilMs, clock, entry.stop.signal).catch(() => {});
    // Cancelled, stopped or left meanwhile, it is out of the lane already.
    if (!this.#resting.delete(entry)) return;
    this.#again(entry);
    this.#next();
  }

  /** After an incident's tries the rest is not sent. */
  #stopWhereHopeless(): void {
    const cause = this.#breaker.stoppedBy;
    const rest = [...this.#waiting, ...this.#resting];
    if (cause === undefined || rest.length === 0) return;
    this.#waiting = [];
    this.#resting.clear();
    this.#turns.putOff();
    void this.#ends.endUntried(rest, { name: 'HeldBack', detail: '', cause });
  }
}

function isChanging(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'notSent' && outcome.cause.name === 'SourceError' && outcome.cause.reason === 'changing';
}
