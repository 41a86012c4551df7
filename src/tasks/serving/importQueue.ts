import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type Destination, destinationKey, isSameDestination } from '../destination';
import type { LeaseState } from '../leases/leases';
import type { CheckedSource } from '../sending/checkedSource';
import type { Sources } from '../sending/sources';
import type { ListChange } from '../store/taskList';
import type { KeyedUpdate, TaskUpdate } from '../store/unsavedUpdates';
import { type Batch, hasEnded, isOpen, type KeptRefusal, type TrackedTask } from '../trackedTask';
import { DestinationQueue, type DestinationQueueDeps, type HowAdded } from './destinationQueue';
import { FileRows, isSameImport, type Reviewed } from './fileRows';
import { CANCELED, cancelation } from './importEnds';
import type { ImportPause } from './importPause';
import type { ImportRun, LeftOutCounts } from './importRun';
import { ImportRuns, type RunsProgress } from './importRuns';
import type { ServingWindow } from './servingWindow';
import { SharedPauses } from './sharedPauses';
import type { TargetChange } from './targetFinder';

/** How long a closing window waits for imports under way to end; VS Code itself waits for 5 seconds. */
const STOPPING_MS = 2000;

/** Max imports that go into queues in a turn: about 20 ms, and far more than are sent until the next one. */
const ASSIGNED_AT_ONCE = 20_000;

/** What the queue takes. */
export interface QueueDeps extends Omit<DestinationQueueDeps, `on${string}`> {
  readonly serving: ServingWindow;
  readonly sources: Sources;
}

/** How far the imports have come that this window sends or was asked for. */
export interface QueueProgress extends RunsProgress {
  /** Why imports wait, at the destination that waits for the shortest time; undefined where those of any need not. */
  readonly pause: ImportPause | undefined;
  /** Whether all that is left waits for the user's decision, as its dataset has moved to another origin. */
  readonly isMoved: boolean;
}

/**
 * The imports of the destinations that this window serves, in a queue for each, and those that were begun in this window,
 * whoever sends them. Each is in the store before it is sent.
 */
export class ImportQueue {
  readonly events = new EventEmitter<{
    /** An import began, progressed or ended; emitted often. */
    change: [];
    /** All imports of a run have ended. */
    ended: [ImportRun];
    /** The store fails, so that imports wait. Emitted once, until it works again. */
    unrecorded: [unknown];
    /** A pause has begun or ended, or is another one. */
    pausesChanged: [];
    /** A destination pauses for longer than a moment, or until a person acts. */
    paused: [Destination, ImportPause];
    /** Imports paused because this refusal repeated, and the user has changed the access key or the request since. */
    rejectionsOver: [Destination, KeptRefusal, TargetChange];
    /** The dataset of queued imports has moved, so that they wait until they are redirected or canceled. */
    moved: [Destination];
  }>();
  readonly #deps: QueueDeps;
  readonly #queues = new Map<string, DestinationQueue>();
  /** Those that no longer begin anything, as another window serves their destination. */
  readonly #closed = new Set<DestinationQueue>();
  /** The queue of each import that is in one, by key. */
  readonly #queueOf = new Map<number, DestinationQueue>();
  /** The keys of queued imports that are in no queue. */
  readonly #unassigned = new Set<number>();
  readonly #rows: FileRows;
  readonly #runs: ImportRuns;
  readonly #sharedPauses: SharedPauses;
  /** By destination, how often other windows have wanted to try now. */
  #tries: ReadonlyMap<string, number> = new Map();
  /** The keys of imports whose cancellation is not stored yet. */
  readonly #canceling = new Set<number>();
  #isAssigningDue = true;
  #unrecorded = false;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#rows = new FileRows(deps, deps.serving.window.id);
    this.#runs = new ImportRuns(deps.clock, deps.serving);
    this.#sharedPauses = new SharedPauses(deps.clock, deps.serving);
    deps.list.events.on('change', this.#onListChange);
    deps.serving.events.on('turn', this.#onTurn);
  }

  /** Undefined where nothing is left to send. */
  get progress(): QueueProgress | undefined {
    const progress = this.#runs.progress;
    if (progress === undefined) return undefined;
    const waiting = [...this.#queues.values()].filter((queue) => !queue.isEmpty);
    const pauses = waiting.map(({ pause }) => pause).filter((pause) => pause !== undefined);
    const elsewhere = this.#runs.destinations.flatMap((one) => this.#sharedPauses.elsewhere(one) ?? []);
    const [pause] = [...pauses, ...elsewhere].toSorted((a, b) => a.untilMs - b.untilMs);
    return {
      ...progress,
      pause: pauses.length === waiting.length ? pause : undefined,
      isMoved: waiting.length > 0 && waiting.every(({ isMoved }) => isMoved),
    };
  }

  /** Why a destination's imports wait, whichever window serves it; undefined where they need not, or there are none. */
  pauseOf(destination: Destination): ImportPause | undefined {
    return this.#queues.get(destinationKey(destination))?.pause ?? this.#sharedPauses.elsewhere(destination);
  }

  /**
   * Queues imports, some at a time: what is in the store may be sent, whatever becomes of the others. Resolves once all of
   * them are there, or were canceled. The window that serves the destination sends them, this one or another: what is in the
   * list goes into its queue in its next turn. A file that has a row at this destination is imported in that row. They are
   * sent only to `origin`, that of the dataset's base URL. A file that is being imported, or got another import since it
   * was `reviewed`, is skipped.
   * @throws StoreError where none was queued; PartlyQueuedError where only some were
   */
  async add(
    checked: readonly CheckedSource[],
    dataset: string,
    batch?: Batch,
    origin?: string,
    leftOut?: LeftOutCounts,
    reviewed?: Reviewed,
  ): Promise<ImportRun> {
    const destination = { dataset, origin };
    const run = this.#runs.begin([], destination, { leftOut });
    const steps = this.#rows.begin(checked, destination, batch, reviewed);
    const onQueued = (tasks: readonly TrackedTask[], how: HowAdded) => this.#onQueued(run, tasks, how);
    await this.#runs.queue(run, checked, steps, onQueued).finally(() => this.#onChange());
    const keys = new Set(run.isStopped ? run.open : []);
    if (keys.size > 0) await this.cancel(({ key }) => keys.has(key));
    return run;
  }

  /**
   * Imports files again in their rows. `seen` are the rows of one destination as the user saw them: a row that got
   * another import or outcome since is skipped. Returns the queued rows. `origin`, if given, replaces theirs.
   * @throws StoreError
   */
  async retry(seen: readonly TrackedTask[], origin = seen[0]?.origin): Promise<readonly TrackedTask[]> {
    const [first] = seen;
    if (first === undefined) return [];
    const nowMs = this.#deps.clock.now();
    const updates = seen.map(({ key, createdMs, phase: { kind } }): KeyedUpdate => {
      const begin: TaskUpdate = (task) =>
        isSameImport(task, { createdMs, kind }) ? this.#rows.again(task, nowMs, { origin }) : undefined;
      return [key, begin];
    });
    const queued = await this.#deps.list.beginAgain(updates);
    const run = this.#runs.begin(queued, { dataset: first.dataset, origin });
    run.skip(seen.length - queued.length);
    this.#noteEnds(queued);
    await this.#updateLeases();
    this.#onChange();
    return queued;
  }

  /** The imports of a dataset that wait, as it has moved. */
  movedOf(dataset: string): TrackedTask[] {
    const keys = new Set(this.#movedQueues(dataset).flatMap((queue) => queue.keys));
    return this.#deps.list.unfinished.filter(({ key }) => keys.has(key));
  }

  /** Sends the imports of a moved dataset to its new origin. @throws StoreError */
  async redirect({ dataset, origin }: Destination & { readonly origin: string }): Promise<void> {
    const keys = this.#movedQueues(dataset).flatMap((queue) => queue.keys);
    await this.#deps.list.redirect(keys, origin);
    await this.#updateLeases();
  }

  /** Cancels imports, whoever sends them: those that wait are not sent, those under way stop at once. */
  async cancel(isMeant?: (task: TrackedTask) => boolean): Promise<void> {
    const { list } = this.#deps;
    const keys = list.open.filter((task) => isMeant?.(task) ?? true).map(({ key }) => key);
    for (const key of keys) this.#canceling.add(key);
    const waiting = new Set(keys);
    // Whoever cancels all that was queued of some files wants no more of them.
    this.#runs.stopQueuing(isMeant && waiting);
    const underWay = this.#all.flatMap((queue) => queue.cancel(waiting));
    // With many imports, what follows takes as long again: other work of the host comes between.
    await setImmediate();
    for (const { key } of underWay) waiting.delete(key);
    const stored = underWay.map((entry) => entry.stored.promise);
    try {
      await Promise.all([...stored, list.updateAll([...waiting].map((key) => [key, cancelation]))]);
      for (const key of keys) this.#canceling.delete(key);
    } catch (error) {
      // What a person has canceled is not sent from here, though that could not be stored.
      this.#onUnrecorded(error);
      for (const key of keys) this.#runs.ended(key, CANCELED);
      this.#onChange();
    }
  }

  /** Resumes where a dataset or its access key has changed. */
  async targetsChanged(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.targetChanged()));
  }

  /** Ends the pauses of these destinations, or of all, as a person wants to try now, in whichever window. @throws StoreError */
  async tryNow(isMeant: (destination: Destination) => boolean = () => true): Promise<void> {
    for (const queue of this.#queues.values()) if (isMeant(queue.destination)) queue.tryNow();
    const { list, serving } = this.#deps;
    const meant = [...list.destinations.values()].filter((one) => one.open > 0 && isMeant(one));
    const elsewhere = meant.filter((one) => serving.pauseElsewhere(one) !== undefined);
    if (elsewhere.length > 0) await serving.tryNow(elsewhere);
  }

  /** Begins nothing any more: what is left stays queued for another window. */
  dispose(): void {
    this.#deps.list.events.off('change', this.#onListChange);
    this.#deps.serving.events.off('turn', this.#onTurn);
    for (const queue of this.#queues.values()) queue.close();
  }

  /** Disposes, and waits a moment until the imports under way have ended and that is stored. */
  async stop(): Promise<void> {
    this.dispose();
    const { clock, list } = this.#deps;
    // A store that cannot be written was reported already.
    const save = () => list.save().catch(() => {});
    const ended = Promise.all([save(), ...this.#all.map((queue) => queue.settled())]).then(save);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const forget = clock.after(STOPPING_MS, resolve);
    await Promise.race([ended, over]);
    forget();
  }

  get #all(): readonly DestinationQueue[] {
    return [...this.#queues.values(), ...this.#closed];
  }

  readonly #onListChange = (change: ListChange) => {
    const dropped = new Set(change.kind === 'list' ? change.removed : []);
    for (const key of dropped) this.#runs.forget(key);
    for (const task of change.kind === 'list' ? change.added : change.tasks) {
      const { key, phase } = task;
      const queue = this.#queueOf.get(key);
      if (queue === undefined && phase.kind === 'queued') this.#noteUnassigned(key);
      if (phase.kind === 'sending' && phase.isCanceled) queue?.cancelAttempt(key, phase.attemptId);
      const isElsewhere = queue !== undefined && !isSameDestination(task, queue.destination);
      if (queue?.isUnsent(key) && (isElsewhere || !isOpen(phase))) dropped.add(key);
      this.#noteEnd(task);
    }
    if (dropped.size > 0) for (const queue of this.#all) queue.drop(dropped);
    this.#onChange();
  };

  #noteEnd(task: TrackedTask | undefined): void {
    if (task !== undefined && hasEnded(task.phase)) this.#runs.ended(task.key, task.phase);
  }

  /** Notes a queued import that is in no queue: of a window that serves its destination it goes into one in its next turn. */
  #noteUnassigned(key: number): void {
    this.#unassigned.add(key);
    this.#isAssigningDue = true;
  }

  readonly #onTurn = (state: LeaseState) => {
    // One that is empty stays, and with it what is known of the service.
    for (const [key, queue] of this.#queues) if (!state.held.has(key) && !queue.isEmpty) this.#close(key, queue);
    for (const queue of this.#closed) if (queue.isEmpty) this.#closed.delete(queue);
    for (const [key, tries] of state.held) {
      const before = this.#tries.get(key);
      if (before !== undefined && tries > before) this.#queues.get(key)?.tryNow();
      if (before === undefined) this.#isAssigningDue = true;
    }
    this.#tries = state.held;
    this.#endInterrupted(state.interrupted);
    if (this.#isAssigningDue) this.#assign();
    for (const queue of this.#queues.values()) queue.resume();
    this.#onChange();
    if (this.#sharedPauses.haveChanged(state)) this.events.emit('pausesChanged');
  };

  /** Queues what is left of the destinations that this window serves; by default, what a person has just begun is tried. */
  #assign(how?: HowAdded): void {
    const tasks: TrackedTask[] = [];
    for (const key of this.#unassigned) {
      if (tasks.length === ASSIGNED_AT_ONCE) break;
      const task = this.#deps.list.get(key);
      if (task?.phase.kind !== 'queued') this.#unassigned.delete(key);
      else if (this.#tries.has(destinationKey(task)) && !this.#canceling.has(key)) tasks.push(task);
    }
    this.#isAssigningDue = tasks.length === ASSIGNED_AT_ONCE;
    for (const group of Map.groupBy(tasks, destinationKey).values()) {
      const [first] = group;
      if (first === undefined) continue;
      const queue = this.#queue(first);
      for (const { key } of group) {
        this.#unassigned.delete(key);
        this.#queueOf.set(key, queue);
      }
      const areMore = group.map((task) => this.#runs.addOther(task)).every(Boolean);
      queue.add(group, how ?? (areMore ? 'besideOthers' : 'tryOne'));
    }
  }

  /** What was being sent by a window that is gone has ended, in the run that goes on with the rest. */
  #endInterrupted(keys: readonly number[]): void {
    for (const key of keys) {
      const task = this.#deps.list.get(key);
      if (task === undefined || !hasEnded(task.phase)) continue;
      this.#runs.addOther(task);
      this.#runs.ended(key, task.phase);
    }
  }

  /** Lets what was queued be sent at once, unless it is to be canceled. */
  async #onQueued(run: ImportRun, tasks: readonly TrackedTask[], how: HowAdded): Promise<void> {
    this.#noteEnds(tasks);
    if (run.isStopped) return;
    if (tasks.some((task) => this.#tries.has(destinationKey(task)))) this.#assign(how);
    else await this.#updateLeases();
  }

  /** Notes which of these imports have ended already: another window may have done so. */
  #noteEnds(tasks: readonly TrackedTask[]): void {
    for (const { key } of tasks) this.#noteEnd(this.#deps.list.get(key));
  }

  /** Finds out whether this window is to send what it has just queued. */
  #updateLeases(): Promise<void> {
    return this.#deps.serving.updateLeases().catch((error) => this.#onUnrecorded(error));
  }

  /** What it is still sending takes no place of what is sent once this window serves the destination again. */
  #close(key: string, queue: DestinationQueue): void {
    this.#queues.delete(key);
    this.#closed.add(queue);
    queue.close();
  }

  #movedQueues(dataset: string): DestinationQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.isMoved && queue.destination.dataset === dataset);
  }

  #queue({ dataset, origin }: Destination): DestinationQueue {
    const key = destinationKey({ dataset, origin });
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue: DestinationQueue = new DestinationQueue(
      { dataset, origin },
      {
        ...this.#deps,
        onMoved: (moved) => this.events.emit('moved', moved),
        onPaused: (paused, pause) => this.events.emit('paused', paused, pause),
        onRejectionsOver: (...facts) => this.events.emit('rejectionsOver', ...facts),
        onPauseChanged: () => {
          this.#sharedPauses.show(queue.destination, queue.pause);
          this.events.emit('pausesChanged');
        },
        onSent: (task, sentBytes) => {
          this.#runs.sent(task, sentBytes);
          this.events.emit('change');
        },
        onRefused: () => void this.#updateLeases(),
        onRemoved: (keys) => this.#onRemoved(queue, keys),
        onUnstored: (task, end) => this.#runs.ended(task, end),
        onChange: () => this.#onChange(),
        onRecorded: () => {
          this.#unrecorded = false;
        },
        onUnrecorded: (error) => this.#onUnrecorded(error),
      },
    );
    this.#queues.set(key, queue);
    return queue;
  }

  #onRemoved(queue: DestinationQueue, keys: readonly number[]): void {
    for (const key of keys) {
      if (this.#queueOf.get(key) !== queue) continue;
      this.#queueOf.delete(key);
      if (!this.#canceling.has(key) && this.#deps.list.get(key)?.phase.kind === 'queued') this.#noteUnassigned(key);
    }
  }

  #onChange(): void {
    if (this.#runs.isEmpty) return;
    for (const run of this.#runs.takeEnded()) this.events.emit('ended', run);
    this.events.emit('change');
  }

  #onUnrecorded(error: unknown): void {
    if (!this.#unrecorded) this.events.emit('unrecorded', error);
    this.#unrecorded = true;
  }
}
