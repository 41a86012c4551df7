import type { Destination } from '../destination';
import type { CheckedSource } from '../sending/checkedSource';
import type { Clock } from '../timing/clock';
import type { EndedPhase, TrackedTask } from '../trackedTask';
import type { HowAdded } from './destinationQueue';
import type { Begun } from './fileRows';
import { ImportRun, PartlyQueuedError, type RunFacts, type RunProgress } from './importRun';
import type { ServingWindow } from './servingWindow';

/** How far all runs of a window are. */
export interface RunsProgress extends RunProgress {
  /** When the first of them began, by the clock's `monotonicMs`. */
  readonly beganMs: number;
  /** The names of the files whose response is awaited, where nothing is being sent meanwhile. */
  readonly awaited: readonly string[];
}

/**
 * The runs that have not ended: those that a person began in this window, whoever sends them, and one for what this window
 * sends of each batch of another one.
 */
export class ImportRuns {
  readonly #clock: Clock;
  readonly #serving: Pick<ServingWindow, 'report' | 'isThere'>;
  readonly #runs = new Set<ImportRun>();
  /** The run of each import, by key. */
  readonly #runOf = new Map<number, ImportRun>();

  constructor(clock: Clock, serving: Pick<ServingWindow, 'report' | 'isThere'>) {
    this.#clock = clock;
    this.#serving = serving;
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  get destinations(): readonly Destination[] {
    return [...this.#runs].map(({ destination }) => destination);
  }

  /** Undefined where there are none. */
  get progress(): RunsProgress | undefined {
    if (this.isEmpty) return undefined;
    const runs = [...this.#runs];
    const sum = (part: keyof RunProgress) => runs.reduce((total, { progress }) => total + progress[part], 0);
    const underWay = runs.flatMap((run) => run.underWay);
    return {
      ended: sum('ended'),
      total: sum('total'),
      sentBytes: sum('sentBytes'),
      totalBytes: sum('totalBytes'),
      beganMs: Math.min(...runs.map(({ beganMs }) => beganMs)),
      awaited: underWay.every(({ isSent }) => isSent) ? underWay.map(({ name }) => name) : [],
    };
  }

  /** Begins a run of these imports. */
  begin(tasks: readonly TrackedTask[], destination: Destination, facts: RunFacts = {}): ImportRun {
    const run = new ImportRun(destination, this.#clock.monotonicMs(), facts);
    this.#runs.add(run);
    this.#serving.report(true);
    for (const task of tasks) this.#expect(run, task);
    return run;
  }

  /**
   * Adds to a run what is queued of its files, in steps, until that is stopped; calls `onQueued` after each.
   * @throws PartlyQueuedError where a step fails after the first one
   */
  async queue(
    run: ImportRun,
    all: readonly CheckedSource[],
    steps: AsyncIterable<Begun>,
    onQueued: (tasks: readonly TrackedTask[], how: HowAdded) => Promise<void>,
  ): Promise<void> {
    let how: HowAdded = 'tryOne';
    run.beginQueuing(all);
    try {
      for await (const { files, tasks } of steps) {
        for (const task of tasks) this.#expect(run, task);
        run.queued(files);
        run.skip(files.length - tasks.length);
        await onQueued(tasks, how);
        if (tasks.length > 0) how = 'besideOthers';
        if (run.isStopped) break;
      }
    } catch (error) {
      const { length } = run.keys;
      throw length === 0 ? error : new PartlyQueuedError(length, all.length, error);
    } finally {
      run.endQueuing();
    }
  }

  /** Queues no more files of the runs of which all that is in the store so far is among these, or of any run. */
  stopQueuing(canceled?: ReadonlySet<number>): void {
    for (const run of this.#runs)
      if (canceled === undefined || (run.open.length > 0 && run.open.every((key) => canceled.has(key))))
        run.stopQueuing();
  }

  /**
   * Adds an import that is in no run, as a person began it in another window, perhaps one that is gone. Returns whether it
   * is more of what that person began before.
   */
  addOther(task: TrackedTask): boolean {
    if (this.#runOf.has(task.key)) return false;
    const { begunIn = '', batch } = task;
    const isSame = ({ begunElsewhere }: ImportRun) =>
      begunElsewhere?.window === begunIn && begunElsewhere.batch === batch?.id;
    const begunElsewhere = { window: begunIn, batch: batch?.id };
    const begun = [...this.#runs].find(isSame);
    this.#expect(begun ?? this.begin([], task, { begunElsewhere }), task);
    return begun !== undefined;
  }

  /** So many bytes of an import were sent. */
  sent(key: number, sentBytes: number): void {
    this.#runOf.get(key)?.sent(key, sentBytes);
  }

  /** An import has ended. */
  ended(key: number, end: EndedPhase): void {
    this.#runOf.get(key)?.ended(key, end);
  }

  /** An import is no longer in the list. */
  forget(key: number): void {
    this.#runOf.get(key)?.forget(key);
  }

  /** Removes the runs that have ended; returns those of them that this window reports: no other one is there to do it. */
  takeEnded(): ImportRun[] {
    const ended = [...this.#runs].filter(({ hasEnded }) => hasEnded);
    for (const run of ended) {
      this.#runs.delete(run);
      for (const key of run.keys) if (this.#runOf.get(key) === run) this.#runOf.delete(key);
    }
    if (ended.length > 0) this.#serving.report(!this.isEmpty);
    return ended.filter(
      ({ results, alreadyImporting, begunElsewhere }) =>
        results.length + alreadyImporting > 0 &&
        (begunElsewhere === undefined || !this.#serving.isThere(begunElsewhere.window)),
    );
  }

  #expect(run: ImportRun, { key, source }: TrackedTask): void {
    if (source === undefined) return;
    this.forget(key);
    this.#runOf.set(key, run);
    run.expect(key, source);
  }
}
