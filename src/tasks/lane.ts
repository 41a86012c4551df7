import { causeText } from '../service/errors';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import type { BegunTask } from '../service/taskReport';
import type { Clock } from './clock';
import type { ImportEnd, ImportRun } from './importRun';
import { keptAnswer } from './keptAnswer';
import { isPushBack, Pace } from './pace';
import { couldNotConnect } from './retrying';
import { type SendDeps, sendImport } from './sendImport';
import type { TaskChange } from './taskStore';
import { type Failure, phaseAfter, type Source, type TrackedTask } from './trackedTask';

/** How often one import is tried where no connection comes about. */
const CONNECT_TRIES = 3;
/** And where the service has said that it did not take it because it had too much to do. */
const BUSY_TRIES = 10;
/** After so many in a row that ended in a way which promises nothing better, the rest is held back. */
const HOPELESS_IN_A_ROW = 5;

/** What a lane takes. */
export interface LaneDeps extends Omit<SendDeps, 'now'> {
  readonly clock: Clock;
  readonly findTarget: (dataset: string) => Promise<Target | undefined>;
  /** How many imports may be under way at once. */
  readonly allowed: () => number;
  /** Something has changed: an import began, moved or ended. */
  readonly onChange: () => void;
  /** It was written down that an import is about to be sent. */
  readonly onRecorded: () => void;
  /** That could not be written, so that it waits. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** An import that waits for its turn, or is being sent. */
interface Entry {
  readonly key: number;
  readonly run: ImportRun;
  readonly stop: AbortController;
  connectTries: number;
  busyTries: number;
}

/** Undefined where the dataset is not known or has no key. */
type FoundTarget = Target | undefined | { readonly error: unknown };

/** The imports of one dataset, in the order in which they were asked for, a few at a time. */
export class Lane {
  readonly pace: Pace;
  readonly #dataset: string;
  readonly #deps: LaneDeps;
  #waiting: Entry[] = [];
  readonly #running = new Set<Entry>();
  #hopelessInARow = 0;
  #target: Promise<FoundTarget> | undefined;
  #endPause: () => void = () => {};
  #isDisposed = false;

  constructor(dataset: string, deps: LaneDeps) {
    this.#dataset = dataset;
    this.#deps = deps;
    this.pace = new Pace(deps.clock);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#running.size === 0;
  }

  has(key: number): boolean {
    return [...this.#running, ...this.#waiting].some((entry) => entry.key === key);
  }

  /** Sends these once those before them have had their turn, and the service has had the rest that it asked for. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source } of tasks) {
      if (source === undefined) continue;
      run.expect(key, source);
      this.#waiting.push({ key, run, stop: new AbortController(), connectTries: 0, busyTries: 0 });
    }
    this.#hopelessInARow = 0;
    this.pace.hurry();
    this.#pump();
  }

  /** Ends a pause and goes on. */
  goOn(): void {
    this.#target = undefined;
    this.#hopelessInARow = 0;
    this.pace.goOn();
    this.#pump();
  }

  /** Ends those that `isMeant` names: none of them is begun any more, and what is under way stops at once. */
  async cancel(isMeant: (key: number) => boolean): Promise<void> {
    for (const { key, stop } of this.#running) if (isMeant(key)) stop.abort();
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
  }

  #pump(): void {
    this.#endPause();
    if (this.#isDisposed || this.#waiting.length === 0) return;
    const { pauseMs } = this.pace;
    if (pauseMs > 0) {
      this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    while (this.#running.size < this.pace.limit(this.#deps.allowed())) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#running.add(entry);
      void this.#send(entry).then((comesAgain) => {
        this.#running.delete(entry);
        if (comesAgain) this.#again(entry);
        if (this.isEmpty) this.#target = undefined;
        this.#deps.onChange();
        this.#pump();
      });
    }
  }

  /** Resolves with whether its turn comes again. */
  async #send(entry: Entry): Promise<boolean> {
    const { key, run } = entry;
    const { list, clock, onChange, onRecorded, onUnrecorded } = this.#deps;
    const target = await this.#findTarget();
    // What is left is another window's to go on with.
    if (this.#isDisposed) return false;
    const task = list.get(key);
    const source = task?.phase.kind === 'queued' ? task.source : undefined;
    if (task === undefined || source === undefined) {
      run.forget(key);
      return false;
    }
    if (target === undefined || 'error' in target) {
      this.#target = undefined;
      const detail = target === undefined ? '' : causeText(target.error);
      await this.#endUntried([entry], { name: 'NoTarget', detail });
      return false;
    }
    const beganMs = clock.now();
    const onSent = (sentBytes: number) => {
      run.sent(key, sentBytes);
      onChange();
    };
    const watch = { signal: entry.stop.signal, onSent };
    const sent = await sendImport({ ...this.#deps, now: clock.now }, task, source, target, watch);
    switch (sent.kind) {
      case 'notOurs':
        run.forget(key);
        return false;
      case 'unrecorded':
        this.pace.pushedBack(beganMs, this.#running.size, undefined);
        onUnrecorded(sent.error);
        return true;
      case 'ended':
        if (sent.isRecorded) onRecorded();
        return this.#settle(entry, source, sent.outcome, sent.change, beganMs);
    }
  }

  /** Asked once for many imports: the key may have to come from afar. Anew once the lane was empty, or a key is bad. */
  #findTarget(): Promise<FoundTarget> {
    this.#target ??= this.#deps.findTarget(this.#dataset).catch((error: unknown) => ({ error }));
    return this.#target;
  }

  async #settle(
    entry: Entry,
    source: Source,
    outcome: Outcome<BegunTask>,
    change: TaskChange,
    beganMs: number,
  ): Promise<boolean> {
    const { list, clock, allowed } = this.#deps;
    if (isPushBack(outcome)) {
      const askedMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
      this.pace.pushedBack(beganMs, this.#running.size, askedMs);
    } else if (outcome.kind === 'accepted') this.pace.wentWell(allowed());
    if (outcome.kind === 'rejected' && outcome.badKey) this.#target = undefined;
    if (mayTryAgain(entry, outcome)) {
      await list.change(entry.key, { ...change, phase: { kind: 'queued' } });
      return true;
    }
    void this.#holdBackAfter(outcome);
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

  /** Its turn comes again before all others, unless it was cancelled meanwhile. */
  #again(entry: Entry): void {
    entry.run.sent(entry.key, 0);
    if (entry.stop.signal.aborted) void this.#endUntried([entry], { name: 'CancelledError', detail: '' });
    else this.#waiting.unshift(entry);
  }

  async #holdBackAfter(outcome: Outcome<BegunTask>): Promise<void> {
    if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && !outcome.badKey && !outcome.tryLater)) {
      this.#hopelessInARow = 0;
    } else if (isPushBack(outcome) || outcome.kind === 'rejected') this.#hopelessInARow += 1;
    if (this.#hopelessInARow < HOPELESS_IN_A_ROW) return;
    const held = this.#waiting;
    this.#waiting = [];
    await this.#endUntried(held, { name: 'HeldBack', detail: '' });
  }

  async #endUntried(entries: readonly Entry[], failure: Failure): Promise<void> {
    await this.#deps.list.changeAll(entries.map(({ key }) => [key, { phase: { kind: 'notSent', failure } }]));
    const end: ImportEnd = { kind: 'notTried', failure };
    for (const { key, run } of entries) run.ended(key, end);
    this.#deps.onChange();
  }
}

/** Only what the service has certainly not taken, and what may pass, is sent again by itself. */
function mayTryAgain(entry: Entry, outcome: Outcome<BegunTask>): boolean {
  if (entry.stop.signal.aborted) return false;
  if (outcome.kind === 'rejected' && outcome.tryLater) return ++entry.busyTries < BUSY_TRIES;
  return couldNotConnect(outcome) && ++entry.connectTries < CONNECT_TRIES;
}

function changeAfter(outcome: Outcome<BegunTask>): TaskChange {
  const phase = phaseAfter(outcome);
  const lastAnswer = keptAnswer(outcome);
  const kept = lastAnswer === undefined ? {} : { lastAnswer };
  if (outcome.kind !== 'accepted') return { phase, ...kept };
  const { taskId, from } = outcome.taken;
  return { phase, taskId, taskIdFrom: from, importAnswer: lastAnswer, ...kept };
}
