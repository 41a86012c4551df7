import { EventEmitter } from 'node:events';
import { type Destination, destinationKey } from '../destination';
import { LEASE_MS } from '../leases/windowLease';
import type { CheckedSource } from '../sending/sources';
import { type Batch, hasEnded, newTask, type Phase, type TrackedTask, wasNotAccepted } from '../trackedTask';
import { DestinationQueue, type DestinationQueueDeps } from './destinationQueue';
import type { Pause } from './gate';
import { ImportRun, type LeftOutCounts, type RunProgress } from './importRun';

/** How long a closing window waits for imports under way to end; VS Code itself waits for 5 seconds. */
const STOPPING_MS = 2000;

/** What the queue takes. */
export type QueueDeps = Omit<DestinationQueueDeps, 'onChange' | 'onRecorded' | 'onUnrecorded' | 'onPaused' | 'onMoved'>;

/** How far this window's imports have come. */
export interface QueueProgress extends RunProgress {
  /** When the first of them began, by the clock's `monotonicMs`. */
  readonly beganMs: number;
  /** Why imports wait, at the destination that waits for the shortest time; undefined where those of any need not. */
  readonly pause: Pause | undefined;
  /** The names of the files whose response is awaited, where nothing is being sent meanwhile. */
  readonly awaited: readonly string[];
  /** Whether all that is left waits for the user's decision, as its dataset has moved to another origin. */
  readonly isMoved: boolean;
}

/**
 * The imports that this window has to send, in a queue for each destination. All of them are in the store before the
 * first is sent. Imports that the list takes over from windows that are gone are queued too.
 */
export class ImportQueue {
  readonly events = new EventEmitter<{
    /** An import began, progressed or ended; emitted often. */
    change: [];
    /** All imports of a run have ended. */
    ended: [ImportRun];
    /** The store fails, so that imports wait. Emitted once, until it works again. */
    unrecorded: [unknown];
    /** A pause has begun, has ended, or has another reason. */
    pausesChanged: [];
    /** A destination pauses for longer than a moment, or until a person acts. */
    paused: [Destination, Pause];
    /** The dataset of queued imports has moved, so that they wait until they are redirected or canceled. */
    moved: [Destination];
  }>();
  readonly #deps: QueueDeps;
  readonly #queues = new Map<string, DestinationQueue>();
  readonly #runs = new Set<ImportRun>();
  #unrecorded = false;
  #endRenewal: (() => void) | undefined;
  #isDisposed = false;
  /** The pauses as they were when `pausesChanged` was last emitted. */
  #pauses = '';

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    deps.list.events.on('adopted', this.#adopt);
    deps.list.events.on('cancelRequested', this.#cancelRequested);
    deps.list.events.on('doubted', this.#doubted);
    deps.list.events.on('lost', this.#lost);
  }

  /** Undefined where nothing is left to send. */
  get progress(): QueueProgress | undefined {
    if (this.#runs.size === 0) return undefined;
    const runs = [...this.#runs];
    const sum = (part: keyof RunProgress) => runs.reduce((total, { progress }) => total + progress[part], 0);
    const waiting = [...this.#queues.values()].filter((queue) => !queue.isEmpty);
    const pauses = waiting.map(({ pause }) => pause).filter((pause) => pause !== undefined);
    const [pause] = pauses.toSorted((a, b) => a.untilMs - b.untilMs);
    const underWay = runs.flatMap((run) => run.underWay);
    return {
      ended: sum('ended'),
      total: sum('total'),
      sentBytes: sum('sentBytes'),
      totalBytes: sum('totalBytes'),
      beganMs: Math.min(...runs.map(({ beganMs }) => beganMs)),
      pause: pauses.length === waiting.length ? pause : undefined,
      awaited: underWay.every(({ isSent }) => isSent) ? underWay.map(({ name }) => name) : [],
      isMoved: waiting.length > 0 && waiting.every(({ isMoved }) => isMoved),
    };
  }

  /** Why a destination's imports wait; undefined where they need not, or there are none. */
  pauseOf(destination: Destination): Pause | undefined {
    const queue = this.#queues.get(destinationKey(destination));
    return queue === undefined || queue.isEmpty ? undefined : queue.pause;
  }

  /** Whether this window has an import to send. */
  has(key: number): boolean {
    return [...this.#queues.values()].some((queue) => queue.keys.includes(key));
  }

  /**
   * Queues imports; resolves once all of them are in the store. They are sent only to `origin`, that of the dataset's base
   * URL. @throws StoreError, and nothing is sent
   */
  async add(
    checked: readonly CheckedSource[],
    dataset: string,
    batch?: Batch,
    origin?: string,
    leftOut?: LeftOutCounts,
  ): Promise<ImportRun> {
    const { list, sources, clock } = this.#deps;
    const createdMs = clock.now();
    const queued = checked.map(({ source }) =>
      newTask({ dataset, origin, createdMs, source, batch, phase: { kind: 'queued' } }),
    );
    const tasks = await sources.withTexts(checked, () => list.add(queued));
    return this.#run(tasks, { dataset, origin }, false, leftOut);
  }

  /**
   * Sends ended imports again where `maySend` allows it for their phase in the store: by default, where the service has
   * certainly not received them. Returns those queued. `origin`, where it is given, replaces theirs. @throws StoreError
   */
  async retry(
    keys: readonly number[],
    maySend: (phase: Phase) => boolean = wasNotAccepted,
    origin?: string,
  ): Promise<readonly TrackedTask[]> {
    const queued = await this.#deps.list.requeue(keys, maySend, origin);
    for (const group of Map.groupBy(queued, destinationKey).values()) {
      const [first] = group;
      if (first !== undefined) this.#run(group, first, false);
    }
    return queued;
  }

  /** The imports of a dataset that wait, as it has moved. */
  movedOf(dataset: string): TrackedTask[] {
    const keys = new Set(this.#movedQueues(dataset).flatMap((queue) => queue.keys));
    return this.#deps.list.unfinished.filter(({ key }) => keys.has(key));
  }

  /** Sends the imports of a moved dataset to its new origin. @throws StoreError */
  async redirect({ dataset, origin }: Destination & { readonly origin: string }): Promise<void> {
    for (const queue of this.#movedQueues(dataset)) {
      const redirected = await this.#deps.list.redirect(queue.keys, origin);
      const tasks = new Map(redirected.map((task) => [task.key, task]));
      for (const [run, entries] of Map.groupBy(queue.release(tasks), ({ run }) => run)) {
        for (const { key } of entries) run.forget(key);
        const its = entries.flatMap(({ key }) => tasks.get(key) ?? []);
        this.#queue({ dataset, origin }).add(its, run);
      }
      this.#onChange();
    }
  }

  /** Cancels imports: those that wait are not sent, those under way stop at once. */
  async cancel(isMeant: (key: number) => boolean = () => true): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.cancel(isMeant)));
  }

  /** Cancels the imports of a destination. */
  async cancelAt(destination: Destination): Promise<void> {
    await this.#queues.get(destinationKey(destination))?.cancel(() => true);
  }

  /** Goes on where a dataset or its access key has changed. */
  async targetsChanged(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.targetChanged()));
  }

  /** Ends the pauses of these destinations, or of all, as a person wants to try now. */
  tryNow(isMeant: (destination: Destination) => boolean = () => true): void {
    for (const queue of this.#queues.values()) if (isMeant(queue.destination)) queue.tryNow();
  }

  /** Begins nothing any more: what is left stays queued for another window. */
  dispose(): void {
    this.#isDisposed = true;
    this.#deps.list.events.off('adopted', this.#adopt);
    this.#deps.list.events.off('cancelRequested', this.#cancelRequested);
    this.#deps.list.events.off('doubted', this.#doubted);
    this.#deps.list.events.off('lost', this.#lost);
    this.#endRenewal?.();
    for (const queue of this.#queues.values()) queue.dispose();
  }

  /** Disposes, and waits a moment until the imports under way have ended and that is stored. */
  async stop(): Promise<void> {
    this.dispose();
    const { clock, list } = this.#deps;
    // A store that cannot be written was reported already.
    const save = () => list.save().catch(() => {});
    const ended = Promise.all([save(), ...[...this.#queues.values()].map((queue) => queue.settled())]).then(save);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const forget = clock.after(STOPPING_MS, resolve);
    await Promise.race([ended, over]);
    forget();
  }

  readonly #adopt = (tasks: readonly TrackedTask[]) => {
    for (const group of Map.groupBy(tasks, (task) => JSON.stringify([destinationKey(task), task.batch])).values()) {
      const [first] = group;
      if (first !== undefined) this.#run(group, first, true);
    }
  };

  /** Ends them in their runs, as no queue does. */
  readonly #doubted = (tasks: readonly TrackedTask[]) => {
    for (const { key, phase } of tasks) if (hasEnded(phase)) for (const run of this.#runs) run.ended(key, phase);
  };

  readonly #lost = (keys: readonly number[]) => {
    const lost = new Set(keys);
    for (const queue of this.#queues.values()) queue.drop((key) => lost.has(key));
  };

  readonly #cancelRequested = (keys: readonly number[]) => {
    const wanted = new Set(keys);
    void this.cancel((key) => wanted.has(key));
  };

  #run(
    tasks: readonly TrackedTask[],
    destination: Destination,
    isAdopted: boolean,
    leftOut?: LeftOutCounts,
  ): ImportRun {
    const run = new ImportRun(destination.dataset, this.#deps.clock.monotonicMs(), isAdopted, leftOut);
    // This window was closed while they were being queued: another one sends them.
    if (this.#isDisposed) return run;
    this.#runs.add(run);
    this.#keepLease();
    this.#queue(destination).add(tasks, run);
    // Imports that were being sent when their window closed have ended, and count in the run's summary.
    for (const { key, source, phase } of tasks) {
      if (source === undefined || !hasEnded(phase)) continue;
      run.expect(key, source);
      run.ended(key, phase);
    }
    this.#onChange();
    return run;
  }

  #movedQueues(dataset: string): DestinationQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.isMoved && queue.destination.dataset === dataset);
  }

  #queue({ dataset, origin }: Destination): DestinationQueue {
    const key = destinationKey({ dataset, origin });
    const queue =
      this.#queues.get(key) ??
      new DestinationQueue(
        { dataset, origin },
        {
          ...this.#deps,
          onMoved: (moved) => this.events.emit('moved', moved),
          onPaused: (paused, pause) => this.events.emit('paused', paused, pause),
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

  #onChange(): void {
    for (const run of this.#runs) {
      if (!run.hasEnded) continue;
      this.#runs.delete(run);
      this.events.emit('ended', run);
    }
    this.#endLeaseWhereDone();
    this.events.emit('change');
    const pauses = JSON.stringify(
      [...this.#queues].map(([key, { pause }]) => [key, pause?.reason.kind, isEndless(pause)]),
    );
    if (pauses !== this.#pauses) this.events.emit('pausesChanged');
    this.#pauses = pauses;
  }

  #onUnrecorded(error: unknown): void {
    if (!this.#unrecorded) this.events.emit('unrecorded', error);
    this.#unrecorded = true;
  }

  /** Renews the lease for as long as there is something to send or to save. */
  #keepLease(): void {
    const { clock, list } = this.#deps;
    this.#endRenewal ??= clock.after(LEASE_MS / 3, () => {
      this.#endRenewal = undefined;
      this.#keepLease();
      // A store that cannot be written is reported where something has to be saved.
      const renewed = list.renewLease().then(() => list.sync());
      renewed.then(() => this.#endLeaseWhereDone()).catch(() => {});
    });
  }

  #endLeaseWhereDone(): void {
    if (this.#runs.size > 0 || this.#deps.list.hasUnsaved || this.#endRenewal === undefined) return;
    this.#endRenewal();
    this.#endRenewal = undefined;
    // What stays where it fails is removed with the next import that ends.
    this.#deps.list.clearUnusedLeases().catch(() => {});
  }
}

/** Whether only a person ends a pause. */
function isEndless(pause: Pause | undefined): boolean {
  return pause?.untilMs === Number.POSITIVE_INFINITY;
}
