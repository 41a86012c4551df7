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
  /** The record of an import could not be written, so that it waits. */
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

/** The imports of one dataset, in the order in which they were asked for, a few at a time. */
export class Lane {
  readonly pace: Pace;
  readonly #dataset: string;
  readonly #deps: LaneDeps;
  #waiting: Entry[] = [];
  readonly #running = new Map<number, Entry>();
  #hopelessInARow = 0;
  #endPause: () => void = () => {};

  constructor(dataset: string, deps: LaneDeps) {
    this.#dataset = dataset;
    this.#deps = deps;
    this.pace = new Pace(deps.clock);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#running.size === 0;
  }

  has(key: number): boolean {
    return this.#running.has(key) || this.#waiting.some((entry) => entry.key === key);
  }

  /** Sends these once those before them have had their turn. */
  add(tasks: readonly TrackedTask[], run: ImportRun): void {
    for (const { key, source } of tasks) {
      if (source === undefined) continue;
      run.expect(key, source);
      this.#waiting.push({ key, run, stop: new AbortController(), connectTries: 0, busyTries: 0 });
    }
    this.goOn();
  }

  /** Ends a pause and goes on. */
  goOn(): void {
    this.#hopelessInARow = 0;
    this.pace.goOn();
    this.#pump();
  }

  /** Ends those that `isMeant` names: none of them is begun any more, and what is under way stops at once. */
  async cancel(isMeant: (key: number) => boolean): Promise<void> {
    for (const { key, stop } of this.#running.values()) if (isMeant(key)) stop.abort();
    const cancelled = this.#waiting.filter(({ key }) => isMeant(key));
    this.#waiting = this.#waiting.filter(({ key }) => !isMeant(key));
    for (const { stop } of cancelled) stop.abort();
    await this.#endUntried(cancelled, { name: 'CancelledError', detail: '' });
  }

  /** Begins nothing any more. What is under way is left to end. */
  dispose(): void {
    this.#endPause();
    this.#waiting = [];
  }

  #pump(): void {
    this.#endPause();
    if (this.#waiting.length === 0) return;
    const { pauseMs } = this.pace;
    if (pauseMs > 0) {
      this.#endPause = this.#deps.clock.after(pauseMs, () => this.#pump());
      return;
    }
    while (this.#running.size < this.pace.limit(this.#deps.allowed())) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#running.set(entry.key, entry);
      void this.#send(entry).finally(() => {
        this.#running.delete(entry.key);
        this.#deps.onChange();
        this.#pump();
      });
    }
  }

  async #send(entry: Entry): Promise<void> {
    const { key, run } = entry;
    const { list, clock, findTarget, onChange, onUnrecorded } = this.#deps;
    const target = await findTarget(this.#dataset);
    const task = list.get(key);
    const source = task?.phase.kind === 'queued' ? task.source : undefined;
    if (task === undefined || source === undefined) return run.forget(key);
    if (target === undefined) return this.#endUntried([entry], { name: 'NoTarget', detail: '' });
    const beganMs = clock.now();
    const onSent = (sentBytes: number) => {
      run.sent(key, sentBytes);
      onChange();
    };
    const watch = { signal: entry.stop.signal, onSent };
    const sent = await sendImport({ ...this.#deps, now: clock.now }, task, source, target, watch);
    switch (sent.kind) {
      case 'notOurs':
        return run.forget(key);
      case 'unrecorded':
        this.pace.pushedBack(beganMs, this.#running.size, undefined);
        onUnrecorded(sent.error);
        this.#again(entry);
        return;
      case 'ended':
        return this.#settle(entry, source, sent.outcome, sent.change, beganMs);
    }
  }

  async #settle(
    entry: Entry,
    source: Source,
    outcome: Outcome<BegunTask>,
    change: TaskChange,
    beganMs: number,
  ): Promise<void> {
    const { list, clock, sources, allowed } = this.#deps;
    if (isPushBack(outcome)) {
      const askedMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
      this.pace.pushedBack(beganMs, this.#running.size, askedMs);
    } else if (outcome.kind === 'accepted') this.pace.wentWell(allowed());
    if (mayTryAgain(entry, outcome)) {
      await list.change(entry.key, { ...change, phase: { kind: 'queued' } });
      this.#again(entry);
      return;
    }
    await list.change(entry.key, { ...change, ...changeAfter(outcome), checkedMs: clock.now() });
    if (outcome.kind === 'accepted' && source.from === 'memory') sources.release(entry.key);
    entry.run.ended(entry.key, outcome);
    await this.#holdBackAfter(outcome);
  }

  /** Its turn comes again before all others, unless it was cancelled meanwhile. */
  #again(entry: Entry): void {
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
