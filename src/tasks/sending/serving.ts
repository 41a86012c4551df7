import { EventEmitter } from 'node:events';
import type { ImportStore } from '../store/importStore';
import type { Destination, DestinationRow, Filter, Pause, Queued, QueueRequest, Served } from '../store/model';
import { poll } from '../timing/clock';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';
import { SerialQueue } from '../timing/serialQueue';
import { type EditorWindow, LEASE_MS } from '../windowWatch';
import { ServedDestination, type ServedPorts, type ServingEvents } from './servedDestination';

/** How often a window checks its leases and looks for destinations that no window serves. */
const TURN_MS = 1000;
/** A longer gap between turns, on the wall clock, means that the machine slept and the lease may have expired. */
const MAX_TURN_GAP_MS = LEASE_MS / 2;
/** How long a closing window waits for its uploads. VS Code itself waits for 5 seconds. */
const CLOSING_MS = 3000;

export interface ServingPorts
  extends Pick<ServedPorts, 'service' | 'files' | 'textsFolder' | 'clock' | 'findTarget' | 'gateOf'> {
  readonly store: ImportStore;
  readonly window: EditorWindow;
  /** Whether the database exists. A window with nothing to do doesn't create it. */
  exists(): boolean;
  /** Whether this window has the destination's dataset with the same origin, and the dataset's access key. */
  canServe(destination: Destination): boolean;
  /** The destinations that have a status check due within a minute. */
  checking(): readonly Destination[];
  onError(error: unknown): void;
}

/**
 * Sends imports to the destinations whose leases this window holds. Once a second, it claims destinations that no live
 * window is serving, and renews leases that are more than a few seconds old. Other windows request work by writing to
 * the database.
 */
export class Serving {
  readonly events = new EventEmitter<ServingEvents>();
  readonly #served = new Map<number, ServedDestination>();
  /** Destinations that no other window has served since this window did. */
  readonly #known = new Map<number, ServedDestination>();
  /** Destinations that are no longer served, but may still have uploads in flight. */
  readonly #leaving = new Set<ServedDestination>();
  readonly #queueing = new Set<Promise<unknown>>();
  #last: Served | undefined;
  /** When the turn that read `#last` started, on the wall clock. */
  #turnMs = 0;
  readonly #turns = new SerialQueue();
  #stopTurns = () => {};
  #isStopped = false;
  #attempts = 0;

  constructor(private readonly ports: ServingPorts) {}

  /** Starts calling `turn` every second. */
  start(): void {
    this.#stopTurns = poll(this.ports.clock, TURN_MS, () => this.turn().catch(this.ports.onError));
  }

  /** All destinations, as of the last turn. */
  get destinations(): readonly DestinationRow[] {
    return this.#last?.destinations ?? [];
  }

  get served(): readonly ServedDestination[] {
    return [...this.#served.values()];
  }

  /** Why a destination is paused, no matter which window serves it, or null if it isn't paused. */
  pauseOf(destination: number): Pause | null {
    const served = this.#served.get(destination);
    if (served !== undefined) return served.pause;
    return this.destinations.find(({ id }) => id === destination)?.pause ?? null;
  }

  /** Bytes sent so far by each of this window's uploads, keyed by file row. */
  get progress(): ReadonlyMap<number, number> {
    return new Map([...this.#all].flatMap(({ loop }) => [...loop.progress]));
  }

  /** Whether this window holds the lease and no other window can treat it as expired. */
  isServing(destination: number): boolean {
    const { held = [], renewedMs = null } = this.#last ?? {};
    const { clock } = this.ports;
    const untilMs = (renewedMs ?? Number.NEGATIVE_INFINITY) + LEASE_MS;
    // The monotonic clock may stop while the machine sleeps.
    const hasSlept = clock.now() - this.#turnMs > MAX_TURN_GAP_MS;
    return held.includes(destination) && clock.monotonicMs() < untilMs && !hasSlept;
  }

  /**
   * Queues files for the serving window, which is usually this window. Returns the first request's destination and batch,
   * and all imports.
   * @throws StoreFault
   */
  async queue(...requests: readonly QueueRequest[]): Promise<Queued> {
    const queueing = mapWithConcurrency(requests, 1, (request) => this.ports.store.queue(request));
    this.#queueing.add(queueing);
    // Start sending the first files while the rest are still being queued.
    const isServed = this.turn();
    const all = await queueing.finally(() => this.#queueing.delete(queueing));
    const [queued] = all as [Queued];
    await isServed.catch(() => {});
    // The files are queued, so an error here must not make the caller delete their stored texts.
    await this.turn().catch(this.ports.onError);
    this.#served.get(queued.destination)?.tryOne();
    return { ...queued, imports: all.flatMap(({ imports }) => imports) };
  }

  /** Cancels imports in all windows. Returns the number of canceled imports. @throws StoreFault */
  async cancel(filter: Filter): Promise<number> {
    const all = [...this.#all];
    for (const { loop } of all) loop.hold();
    try {
      // A large request is queued in steps. Wait for the last step, so that all of its files are canceled.
      await Promise.allSettled(this.#queueing);
      const { canceled, sending } = await this.ports.store.cancel(filter);
      await Promise.all(all.map(({ loop }) => loop.stop(new Set(sending))));
      return canceled + sending.length;
    } finally {
      for (const { loop } of all) loop.release();
    }
  }

  /** Ends pauses in all windows. @throws StoreFault */
  async tryNow(destinations: readonly number[]): Promise<void> {
    for (const [id, served] of this.#served) if (destinations.includes(id)) served.tryNow();
    const elsewhere = destinations.filter((id) => !this.#served.has(id));
    if (elsewhere.length > 0) await this.ports.store.tryNow(elsewhere);
  }

  /** Call this when the settings or an access key have changed. */
  async targetsChanged(): Promise<void> {
    await Promise.all(this.served.map((one) => one.targetChanged()));
    await this.turn();
    // If nothing is queued, a pause after rejections outlasts the lease.
    const released = [...this.#known.values()].filter(({ row }) => !this.#served.has(row.id));
    await Promise.all(
      released.map((one) => one.targetChanged(async () => (await this.ports.store.tryNow([one.row.id])) > 0)),
    );
  }

  /** Renews leases, and claims or releases destinations. Turns run one after another. @throws StoreFault */
  turn(): Promise<void> {
    return this.#turns.run(() => this.#takeTurn());
  }

  /** Stops starting uploads, gives uploads in flight and queueing a moment to finish, and releases the leases. */
  async stop(): Promise<void> {
    this.#stopTurns();
    this.#isStopped = true;
    await this.#turns.run(async () => {});
    const all = [...this.#all];
    for (const { loop } of all) loop.close();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const forget = this.ports.clock.after(CLOSING_MS, resolve);
    await Promise.race([Promise.allSettled([...this.#queueing, ...all.map(({ loop }) => loop.settled())]), over]);
    forget();
    for (const { loop } of all) loop.abandon();
    // If this fails, other windows will still notice that this window has closed.
    if (this.ports.exists()) await this.ports.store.leave(null).catch(() => {});
  }

  get #all(): Iterable<ServedDestination> {
    return [...this.#served.values(), ...this.#leaving];
  }

  async #takeTurn(): Promise<void> {
    const { store, exists, checking, clock } = this.ports;
    if (this.#isStopped || !exists()) return;
    const turnMs = clock.now();
    const expired = this.served.filter(({ row }) => !this.isServing(row.id));
    for (;;) {
      const shownPauses = new Map(this.served.map(({ row, shownPauses: count }) => [row.id, count]));
      const able = this.#able();
      const served = await store.serve({ able, checking: checking() });
      // After our lease expired, another window may have imported the files that we had marked as sending.
      for (const one of expired.splice(0)) this.#release(one);
      this.#turnMs = turnMs;
      const wasOutdated = this.#last?.outdated === true;
      this.#last = served;
      if (served.outdated && !wasOutdated) this.events.emit('outdated');
      this.#apply(served, shownPauses);
      this.events.emit('turn', served);
      // Repeat if this turn found more destinations that this window can serve. The first turn starts without any.
      if (this.#able().length <= able.length) return;
    }
  }

  /** Destinations that have unfinished work and that this window can serve. */
  #able(): readonly Destination[] {
    return this.destinations.filter((one) => one.unfinished && this.ports.canServe(one));
  }

  #apply({ destinations, held, canceled, outdated }: Served, shownPauses: ReadonlyMap<number, number>): void {
    if (canceled.length > 0) for (const { loop } of this.#all) void loop.stop(new Set(canceled));
    for (const row of destinations) {
      const known = this.#served.get(row.id);
      if (row.window !== null && row.window !== this.ports.window.id) this.#known.delete(row.id);
      if (outdated || !held.includes(row.id)) this.#release(known);
      else if (known === undefined) this.#served.set(row.id, this.#serve(row));
      else known.update(row, shownPauses.get(row.id) ?? -1);
      // Remember the target, so that a new key or request ends the pause even if nothing is queued.
      const isKnown = this.#known.get(row.id)?.row.dataset === row.dataset;
      if (row.window === null && row.pause?.reason === 'rejections' && !isKnown) this.#release(this.#serve(row));
    }
    // If the database was set aside, the new one has different destinations.
    for (const [id, one] of this.#served)
      if (!destinations.some((row) => row.id === id)) {
        this.#known.delete(id);
        this.#release(one);
      }
    for (const one of this.#leaving) if (one.loop.isIdle) this.#leaving.delete(one);
  }

  #serve(row: DestinationRow): ServedDestination {
    const newAttempt = () => `${this.ports.window.id} ${++this.#attempts}`;
    const served = { ...this.ports, events: this.events, newAttempt };
    const one = new ServedDestination(served, row, () => this.isServing(row.id), this.#known.get(row.id));
    this.#known.set(row.id, one);
    return one;
  }

  #release(served: ServedDestination | undefined): void {
    if (served === undefined) return;
    this.#served.delete(served.row.id);
    this.#leaving.add(served);
    served.loop.close();
  }
}
