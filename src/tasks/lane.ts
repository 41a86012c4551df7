import { causeText } from '../service/errors';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import type { BegunTask } from '../service/taskReport';
import type { Clock } from './clock';
import { type Destination, isAt } from './destination';
import type { ImportEnd, ImportRun } from './importRun';
import { keptAnswer } from './keptAnswer';
import { isPushBack, Pace } from './pace';
import { type SendDeps, type Sent, sendImport } from './sendImport';
import type { TaskChange } from './taskStore';
import { type Failure, phaseAfter, type Source, type TrackedTask } from './trackedTask';
import { Tries } from './tries';
import type { Turn } from './turn';
import { Turns } from './turns';

/** After so many in a row that ended in a way which promises nothing better, the rest is held back. */
const HOPELESS_IN_A_ROW = 5;

/** What a lane takes. */
export interface LaneDeps extends Omit<SendDeps, 'now'> {
  readonly clock: Clock;
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
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
  /** That could not be written, so that it waits. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** An import of a run. */
export interface RunImport {
  readonly key: number;
  readonly run: ImportRun;
}

/** An import that is still to be sent. */
interface Entry extends RunImport {
  /** Its place among the others. */
  readonly order: number;
  readonly stop: AbortController;
  readonly tries: Tries;
}

/** Undefined where the dataset is not known or has no key. */
type FoundTarget = Target | undefined | { readonly error: unknown };

/**
 * The imports of one destination, in the order in which they were asked for, a few at a time. While these are sent, those
 * that come next are prepared where their turn will be soon: files are opened and connections made meanwhile.
 */
export class Lane {
  readonly pace: Pace;
  readonly destination: Destination;
  readonly #deps: LaneDeps;
  #waiting: Entry[] = [];
  readonly #turns: Turns<Entry>;
  #added = 0;
  #hopelessInARow = 0;
  #target: Promise<FoundTarget> | undefined;
  #targetMark: string | undefined;
  #isMoved = false;
  /** The origin of the service that was sent to last. */
  #origin: string | undefined;
  #endPause: () => void = () => {};
  #isDisposed = false;

  constructor(destination: Destination, deps: LaneDeps) {
    this.destination = destination;
    this.#deps = deps;
    this.pace = new Pace(deps.clock);
    this.#turns = new Turns(deps.clock);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#turns.entries.length === 0;
  }

  /** Whether what is left waits, as the dataset is at another origin now. */
  get isMoved(): boolean {
    return this.#isMoved && !this.isEmpty;
  }

  /** Those that have not ended. */
  get keys(): readonly number[] {
    return [...this.#turns.entries, ...this.#waiting].map(({ key }) => key);
  }

  has(key: number): boolean {
    return this.keys.includes(key);
  }

  /** Sends these once those before them have had their turn, and the service has had the rest that it asked for. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source } of tasks) {
      if (source === undefined) continue;
      run.expect(key, source);
      const stop = new AbortController();
      this.#waiting.push({ key, order: this.#added++, run, stop, tries: new Tries() });
    }
    this.#hopelessInARow = 0;
    this.pace.hurry();
    this.#pump();
  }

  /** Ends a pause and goes on. One that the service has asked for is kept, unless it is another service by now. */
  async goOn(): Promise<void> {
    this.#forgetTarget();
    this.#turns.forgive();
    this.#hopelessInARow = 0;
    this.#isMoved = false;
    const target = await this.#findTarget();
    const isElsewhere = target !== undefined && 'baseUrl' in target && target.baseUrl.origin !== this.#origin;
    isElsewhere ? this.pace.beginAnew() : this.pace.hurry();
    this.#pump();
  }

  /** Lets go of those of these keys that wait: they are another lane's from now on. */
  release(keys: { has(key: number): boolean }): RunImport[] {
    const released = this.#waiting.filter(({ key }) => keys.has(key));
    this.#waiting = this.#waiting.filter(({ key }) => !keys.has(key));
    return released;
  }

  /** Ends those that `isMeant` names: none of them is begun any more, and what is under way stops at once. */
  async cancel(isMeant: (key: number) => boolean): Promise<void> {
    for (const entry of this.#turns.entries.filter(({ key }) => isMeant(key))) {
      this.#turns.putOff(entry);
      entry.stop.abort();
    }
    const cancelled = this.#waiting.filter(({ key }) => isMeant(key));
    this.#waiting = this.#waiting.filter(({ key }) => !isMeant(key));
    for (const { stop } of cancelled) stop.abort();
    await this.#endUntried(cancelled, { name: 'CancelledError', detail: '' });
  }

  /** Begins nothing any more. What is under way is left to end. */
  dispose(): void {
    this.#isDisposed = true;
    this.#endPause();
    this.#waiting = [];
    this.#turns.putOff();
  }

  #pump(): void {
    this.#endPause();
    if (this.#isDisposed || this.#isMoved) return;
    if (this.#mayHaveChanged) this.#forgetTarget();
    const { pauseMs } = this.pace;
    if (pauseMs > 0) {
      if (!this.isEmpty) this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    const limit = this.pace.limit(this.#deps.allowed());
    for (const entry of this.#waiting.splice(0, this.#turns.room(limit))) void this.#begin(entry);
    this.#turns.give(limit);
  }

  async #begin(entry: Entry): Promise<void> {
    const comesAgain = await this.#send(entry, this.#turns.open(entry));
    this.#turns.close(entry);
    // What is left is another window's to go on with.
    if (this.#isDisposed) return;
    if (comesAgain) this.#again(entry);
    this.#holdBackWhereHopeless();
    if (this.isEmpty) this.#rest();
    this.#deps.onChange();
    this.#pump();
  }

  /** Resolves with whether its turn comes again. */
  async #send(entry: Entry, turn: Turn): Promise<boolean> {
    const { key, run } = entry;
    const { list, clock, onChange, onRecorded, onUnrecorded } = this.#deps;
    const target = await this.#findTarget();
    if (this.#isDisposed) return false;
    const task = list.get(key);
    const source = task?.phase.kind === 'queued' ? task.source : undefined;
    if (task === undefined || source === undefined) {
      run.forget(key);
      return false;
    }
    if (target === undefined || 'error' in target) {
      this.#forgetTarget();
      const detail = target === undefined ? '' : causeText(target.error);
      await this.#endUntried([entry], { name: 'NoTarget', detail });
      return false;
    }
    if (!isAt(this.destination, target.baseUrl)) {
      this.#forgetTarget();
      const isNews = !this.#isMoved;
      this.#isMoved = true;
      if (isNews) this.#deps.onMoved(this.destination);
      return true;
    }
    this.#origin = target.baseUrl.origin;
    const onSent = (sentBytes: number) => {
      run.sent(key, sentBytes);
      onChange();
    };
    const watch = { signal: entry.stop.signal, onSent };
    const sent = await sendImport({ ...this.#deps, now: clock.now }, task, source, target, turn, watch);
    switch (sent.kind) {
      case 'notYet':
        if (sent.isLost) this.#turns.lostConnection();
        return true;
      case 'notOurs':
        run.forget(key);
        return false;
      case 'unrecorded':
        this.pace.pushedBack(sent.beganMs, this.#turns.come, undefined);
        onUnrecorded(sent.error);
        return true;
      case 'ended':
        if (sent.isRecorded) onRecorded();
        return this.#settle(entry, source, sent);
    }
  }

  /** Asked once for many imports: the key may have to come from afar. Anew once the lane was empty, or a key is bad. */
  #findTarget(): Promise<FoundTarget> {
    const { dataset } = this.destination;
    if (this.#mayHaveChanged) this.#forgetTarget();
    this.#targetMark = this.#deps.targetMark?.(dataset);
    this.#target ??= this.#deps.findTarget(dataset).catch((error: unknown) => ({ error }));
    return this.#target;
  }

  get #mayHaveChanged(): boolean {
    return this.#target !== undefined && this.#deps.targetMark?.(this.destination.dataset) !== this.#targetMark;
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

  async #settle(
    entry: Entry,
    source: Source,
    { outcome, attempt, change }: Sent & { readonly kind: 'ended' },
  ): Promise<boolean> {
    const { list, clock, allowed } = this.#deps;
    this.#turns.took(outcome.kind === 'accepted' ? attempt.endedMs - attempt.beganMs : undefined);
    if (isPushBack(outcome)) {
      const askedMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
      this.pace.pushedBack(attempt.beganMs, this.#turns.come, askedMs);
    } else if (outcome.kind === 'accepted') this.pace.wentWell(allowed());
    if (outcome.kind === 'rejected' && outcome.badKey) this.#forgetTarget();
    if (!entry.stop.signal.aborted && entry.tries.mayFollow(outcome)) {
      await list.change(entry.key, { ...change, phase: { kind: 'queued' } });
      return true;
    }
    this.#judge(outcome);
    // The next one need not wait for the disk: if it fails, this one is told and kept, and the next not begun.
    void this.#record(entry, source, outcome, { ...change, ...changeAfter(outcome), checkedMs: clock.now() });
    return false;
  }

  /** An import has ended once that is written down. */
  async #record(entry: Entry, { from }: Source, outcome: Outcome<BegunTask>, change: TaskChange): Promise<void> {
    await this.#deps.list.change(entry.key, change);
    if (outcome.kind === 'accepted' && from === 'memory') this.#deps.sources.release(entry.key);
    entry.run.ended(entry.key, outcome);
    this.#deps.onChange();
  }

  /** It comes again at its place, unless it was cancelled meanwhile. */
  #again(entry: Entry): void {
    entry.run.sent(entry.key, 0);
    const next = this.#waiting.findIndex(({ order }) => order > entry.order);
    if (entry.stop.signal.aborted) void this.#endUntried([entry], { name: 'CancelledError', detail: '' });
    else this.#waiting.splice(next === -1 ? this.#waiting.length : next, 0, entry);
  }

  /** Counts what promises nothing better for those that come after it. */
  #judge(outcome: Outcome<BegunTask>): void {
    if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && !outcome.badKey && !outcome.tryLater)) {
      this.#hopelessInARow = 0;
    } else if (isPushBack(outcome) || outcome.kind === 'rejected') this.#hopelessInARow += 1;
    if (this.#hopelessInARow >= HOPELESS_IN_A_ROW) this.#turns.putOff();
  }

  #holdBackWhereHopeless(): void {
    if (this.#hopelessInARow < HOPELESS_IN_A_ROW || this.#waiting.length === 0) return;
    void this.#endUntried(this.#waiting.splice(0), { name: 'HeldBack', detail: '' });
  }

  async #endUntried(entries: readonly Entry[], failure: Failure): Promise<void> {
    await this.#deps.list.changeAll(entries.map(({ key }) => [key, { phase: { kind: 'notSent', failure } }]));
    const end: ImportEnd = { kind: 'notTried', failure };
    for (const { key, run } of entries) run.ended(key, end);
    this.#deps.onChange();
  }
}

function changeAfter(outcome: Outcome<BegunTask>): TaskChange {
  const phase = phaseAfter(outcome);
  const lastAnswer = keptAnswer(outcome);
  const kept = lastAnswer === undefined ? {} : { lastAnswer };
  if (outcome.kind !== 'accepted') return { phase, ...kept };
  const { taskId, from } = outcome.taken;
  return { phase, taskId, taskIdFrom: from, importAnswer: lastAnswer, ...kept };
}
