import { EventEmitter } from 'node:events';
import type { EditorWindow } from '../leases/windowLease';
import { LEASE_MS } from '../leases/windowLease';
import type { ImportStore } from '../store/importStore';
import type { Destination, DestinationRow, Filter, Pause, Queued, QueueRequest, Served } from '../store/model';
import { Polling } from '../timing/polling';
import { ServedDestination, type ServedPorts, type TargetChange } from './servedDestination';

/** How often a window renews its leases and looks for destinations that no window serves. */
const TURN_MS = 1000;
/** A longer time between two turns, by the wall clock, means that the machine slept and the lease may have expired. */
const MAX_TURN_GAP_MS = LEASE_MS / 2;
/** How long a closing window waits for what it is sending; VS Code itself waits for 5 seconds. */
const CLOSING_MS = 3000;

export interface ServingPorts
  extends Pick<ServedPorts, 'service' | 'files' | 'textsFolder' | 'clock' | 'findTarget' | 'gateOf'> {
  readonly store: ImportStore;
  readonly window: EditorWindow;
  /** Whether there is a database at all: a window with nothing to do opens and creates nothing. */
  exists(): boolean;
  /** Whether this window can send to a destination: it has the dataset at this origin, and its key. */
  canServe(destination: Destination): boolean;
  /** The destinations with a status check due within a minute. */
  checking(): readonly Destination[];
  onError(error: unknown): void;
}

/**
 * This window's part in sending: it serves the destinations whose lease it holds, and renews the leases once a second. All
 * other windows write what is to be done into the table.
 */
export class Serving {
  readonly events = new EventEmitter<{
    /** Something changed that the editor shows. Emitted often. */
    change: [];
    /** What the store returned in a turn. */
    turn: [Served];
    paused: [DestinationRow, Pause];
    rejectionsOver: [DestinationRow, Pause, TargetChange];
    /** The store failed, so that nothing is sent. */
    fault: [unknown];
    /** A window with a newer version of the extension waits for this one. */
    outdated: [];
  }>();
  readonly #ports: ServingPorts;
  readonly #served = new Map<number, ServedDestination>();
  /** Destinations that no other window has served since this one did. */
  readonly #known = new Set<number>();
  /** No longer served: what they were sending may still end. */
  readonly #leaving = new Set<ServedDestination>();
  readonly #turns: Polling;
  readonly #queueing = new Set<Promise<Queued>>();
  #last: Served | undefined;
  /** When the turn began that read `#last`, by the wall clock. */
  #turnMs = 0;
  #turn: Promise<void> = Promise.resolve();
  #attempts = 0;

  constructor(ports: ServingPorts) {
    this.#ports = ports;
    const turn = () => this.turn().catch(ports.onError);
    this.#turns = new Polling(turn, TURN_MS, ports.clock);
  }

  /** Takes a turn every second from now on. */
  start(): void {
    this.#turns.start();
  }

  /** Every destination, as the last turn read it. */
  get destinations(): readonly DestinationRow[] {
    return this.#last?.destinations ?? [];
  }

  /** The destinations that this window serves. */
  get served(): readonly ServedDestination[] {
    return [...this.#served.values()];
  }

  /** Why a destination sends nothing, whichever window serves it; null while it sends. */
  pauseOf(destination: number): Pause | null {
    const served = this.#served.get(destination);
    if (served !== undefined) return served.pause;
    return this.destinations.find(({ id }) => id === destination)?.pause ?? null;
  }

  /** The bytes sent so far by this window, by the row of the file. */
  get progress(): ReadonlyMap<number, number> {
    return new Map([...this.#all].flatMap(({ loop }) => [...loop.progress]));
  }

  /** Whether this window holds a lease that no other window can consider expired by now. */
  isServing(destination: number): boolean {
    const { held = [], renewedMs = null } = this.#last ?? {};
    const { clock } = this.#ports;
    const untilMs = (renewedMs ?? Number.NEGATIVE_INFINITY) + LEASE_MS;
    // The monotonic clock may stop while the machine sleeps.
    const hasSlept = clock.now() - this.#turnMs > MAX_TURN_GAP_MS;
    return held.includes(destination) && clock.monotonicMs() < untilMs && !hasSlept;
  }

  /** Queues files for the window that serves their destination, usually this one. @throws StoreFault */
  async queue(request: QueueRequest): Promise<Queued> {
    const queueing = this.#ports.store.queue(request);
    this.#queueing.add(queueing);
    // The first of many files can be sent while the others are still being queued.
    const isServed = this.turn();
    const queued = await queueing.finally(() => this.#queueing.delete(queueing));
    await isServed.catch(() => {});
    await this.turn();
    this.#served.get(queued.destination)?.tryOne();
    return queued;
  }

  /** Cancels what is queued or being sent, in whichever window. Returns how many imports. @throws StoreFault */
  async cancel(filter: Filter): Promise<number> {
    const all = [...this.#all];
    for (const { loop } of all) loop.hold();
    try {
      // Many files are queued in steps. A run that is canceled during these is canceled as a whole.
      await Promise.allSettled(this.#queueing);
      const { canceled, sending } = await this.#ports.store.cancel(filter);
      await Promise.all(all.map(({ loop }) => loop.stop(new Set(sending))));
      return canceled + sending.length;
    } finally {
      for (const { loop } of all) loop.release();
    }
  }

  /** Ends pauses, in whichever window. @throws StoreFault */
  async tryNow(destinations: readonly number[]): Promise<void> {
    for (const [id, served] of this.#served) if (destinations.includes(id)) served.tryNow();
    const elsewhere = destinations.filter((id) => !this.#served.has(id));
    if (elsewhere.length > 0) await this.#ports.store.tryNow(elsewhere);
  }

  /** The settings or an access key have changed. */
  async targetsChanged(): Promise<void> {
    await Promise.all(this.served.map((one) => one.targetChanged()));
    await this.turn();
  }

  /** Renews the leases, and takes over or gives up destinations. Turns follow one another. @throws StoreFault */
  turn(): Promise<void> {
    this.#turn = this.#turn.catch(() => {}).then(() => this.#takeTurn());
    return this.#turn;
  }

  /** Begins nothing more, waits a moment for what is being sent, and lets other windows serve. */
  async stop(): Promise<void> {
    this.#turns.stop();
    await this.#turn.catch(() => {});
    const all = [...this.#all];
    for (const { loop } of all) loop.close();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const forget = this.#ports.clock.after(CLOSING_MS, resolve);
    await Promise.race([Promise.all(all.map(({ loop }) => loop.settled())), over]);
    forget();
    for (const { loop } of all) loop.abandon();
    // If this fails, other windows notice that this one has closed.
    if (this.#ports.exists()) await this.#ports.store.leave(null).catch(() => {});
  }

  get #all(): Iterable<ServedDestination> {
    return [...this.#served.values(), ...this.#leaving];
  }

  async #takeTurn(): Promise<void> {
    const { store, exists, checking, clock } = this.#ports;
    if (!exists()) return;
    const turnMs = clock.now();
    const expired = this.served.filter(({ row }) => !this.isServing(row.id));
    for (;;) {
      const shownPauses = new Map(this.served.map(({ row, shownPauses: count }) => [row.id, count]));
      const able = this.#able();
      const served = await store.serve({ able, checking: checking() });
      // Another window may have served since, and closed: what is marked here may have been imported again.
      for (const one of expired.splice(0)) this.#release(one);
      this.#turnMs = turnMs;
      const wasOutdated = this.#last?.outdated === true;
      this.#last = served;
      if (served.outdated && !wasOutdated) this.events.emit('outdated');
      this.#apply(served, shownPauses);
      this.events.emit('turn', served);
      // The first turn shows what there is to serve.
      if (this.#able().length <= able.length) return;
    }
  }

  /** The destinations with something to do that this window can serve. */
  #able(): readonly Destination[] {
    return this.destinations.filter((one) => one.unfinished && this.#ports.canServe(one));
  }

  #apply({ destinations, held, attempts, outdated }: Served, shownPauses: ReadonlyMap<number, number>): void {
    const canceled = new Set(attempts.filter((one) => one.canceled).map(({ attempt }) => attempt));
    if (canceled.size > 0) for (const { loop } of this.#all) void loop.stop(canceled);
    for (const row of destinations) {
      const known = this.#served.get(row.id);
      if (row.window !== null && row.window !== this.#ports.window.id) this.#known.delete(row.id);
      if (outdated || !held.includes(row.id)) this.#release(known);
      else if (known === undefined) this.#served.set(row.id, this.#serve(row));
      else known.update(row, shownPauses.get(row.id) ?? -1);
    }
    // The file was set aside, and the new one has other destinations.
    for (const [id, one] of this.#served)
      if (!destinations.some((row) => row.id === id)) {
        this.#known.delete(id);
        this.#release(one);
      }
    for (const one of this.#leaving) if (one.loop.isIdle) this.#leaving.delete(one);
  }

  #serve(row: DestinationRow): ServedDestination {
    const { store, onError: _, ...ports } = this.#ports;
    const events = this.events;
    const attemptOf = () => `${this.#ports.window.id} ${++this.#attempts}`;
    const served: ServedPorts = {
      ...ports,
      store,
      newAttempt: attemptOf,
      showPause: (destination, pause) => store.pause({ destination, pause }),
      onChange: () => events.emit('change'),
      onFault: (error) => events.emit('fault', error),
      onPaused: (destination, pause) => events.emit('paused', destination, pause),
      onRejectionsOver: (destination, pause, change) => events.emit('rejectionsOver', destination, pause, change),
    };
    const isKnown = this.#known.has(row.id);
    this.#known.add(row.id);
    return new ServedDestination(served, row, () => this.isServing(row.id), isKnown);
  }

  #release(served: ServedDestination | undefined): void {
    if (served === undefined) return;
    this.#served.delete(served.row.id);
    this.#leaving.add(served);
    served.loop.close();
  }
}
