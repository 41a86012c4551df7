import { EventEmitter } from 'node:events';
import { type Destination, destinationKey } from '../destination';
import { attemptIdOf, type LeaseState } from '../leases/leases';
import type { EditorWindow } from '../leases/windowLease';
import type { Store } from '../store/store';
import type { TaskList } from '../store/taskList';
import type { Clock } from '../timing/clock';
import { Polling } from '../timing/polling';
import { SerialQueue } from '../timing/serialQueue';
import type { WhyNotAsked } from './whyNotAsked';

/** How often to look for what other windows have changed, and for destinations that no window serves. */
const TURN_MS = 1000;

/** How long an access key is waited for before it is read again. */
const READING_MS = 10_000;

export interface ServingDeps {
  readonly list: Pick<TaskList, 'destinations' | 'hasUnsaved' | 'trySync'>;
  readonly store: Pick<Store, 'leases' | 'window' | 'exists' | 'version'>;
  readonly clock: Clock;
  /** Why a destination cannot be asked; undefined where it can, as far as is known. */
  readonly whyNotAsked: (destination: Destination) => WhyNotAsked | undefined;
  /** Whether there is an access key for a destination, which may have to be read. */
  readonly canAsk: (destination: Destination) => Promise<boolean>;
  /** Gets unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/**
 * One window serves a destination: it sends its imports and follows its tasks; all others write what is to be done, and
 * see what comes of it. This is a window's part of it: once a second it reads what other windows have written, and takes
 * the leases of destinations that have something to do and that no other window serves.
 */
export class ServingWindow {
  readonly events = new EventEmitter<{
    /** What other windows have changed was read from the store, or why it could not be. */
    synced: [error?: unknown];
    /** What this window serves, whether or not it has changed. */
    turn: [LeaseState];
  }>();
  readonly #deps: ServingDeps;
  /** Whether destinations, by their keys, have an access key here, as it was last read. */
  readonly #haveKey = new Map<string, boolean>();
  /** Since when access keys are being read, by the clock's `monotonicMs`. */
  readonly #reading = new Map<string, number>();
  #state: LeaseState | undefined;
  readonly #updates = new SerialQueue();
  #isReporting = false;
  /** The version of the store that this window read last. */
  #seen: string | undefined;
  readonly #turns: Polling;
  #isStopped = false;
  #attempts = 0;

  constructor(deps: ServingDeps) {
    this.#deps = deps;
    this.#turns = new Polling(() => this.#turn().catch(deps.onError), TURN_MS, deps.clock);
  }

  get window(): EditorWindow {
    return this.#deps.store.window;
  }

  /** Names an attempt of this window to send an import. */
  newAttemptId(): string {
    return attemptIdOf(this.window, ++this.#attempts);
  }

  /** Whether a window is there, as this one last read. */
  isThere(windowId: string): boolean {
    return this.#state?.windows.has(windowId) ?? false;
  }

  /** Whether this window serves a destination, and no other one can take it for gone now. */
  isServing(destination: Destination): boolean {
    const { held, heldUntilMs = 0 } = this.#state ?? {};
    return held?.has(destinationKey(destination)) === true && this.#deps.clock.monotonicMs() < heldUntilMs;
  }

  /** The text of the pause of a destination that another window serves; undefined where none does, null for no pause. */
  pauseElsewhere(destination: Destination): string | null | undefined {
    return this.#state?.elsewhere.get(destinationKey(destination));
  }

  /** Whether there is an access key for a destination, as far as is known: it is read until there is, and not waited for. */
  canAsk(destination: Destination): boolean {
    const { whyNotAsked, canAsk, clock, onError } = this.#deps;
    const key = destinationKey(destination);
    const why = whyNotAsked(destination);
    if (why !== undefined && why.kind !== 'noKey') {
      this.#haveKey.delete(key);
      return false;
    }
    if (why === undefined && this.#haveKey.get(key) === true) return true;
    const nowMs = clock.monotonicMs();
    if (nowMs - (this.#reading.get(key) ?? Number.NEGATIVE_INFINITY) < READING_MS) return false;
    this.#reading.set(key, nowMs);
    // A secret storage may give a key only some time after the window has opened, or never respond at that time.
    canAsk(destination)
      .then((can) => this.#haveKey.set(key, can), onError)
      .finally(() => this.#reading.delete(key));
    return false;
  }

  /** Reads the access keys anew, of one destination or of all. */
  forgetKeys(destination?: Destination): void {
    if (destination === undefined) this.#haveKey.clear();
    else this.#haveKey.delete(destinationKey(destination));
  }

  /** Says whether this window is to report the end of imports: while it is there, no other window does. */
  report(isReporting: boolean): void {
    this.#isReporting = isReporting;
  }

  /** Shows the other windows why a destination pauses that this one serves; null for no pause. */
  showPause(destination: Destination, pause: string | null): void {
    // Where it cannot be stored now, the other windows show no reason.
    this.#deps.store.leases.showPause(destinationKey(destination), pause).catch(() => {});
  }

  /** Lets the windows that serve these destinations try now. @throws StoreError */
  tryNow(destinations: readonly Destination[]): Promise<void> {
    return this.#deps.store.leases.tryNow(destinations.map(destinationKey));
  }

  /** Begins to take turns. No effect where it does already. */
  start(): void {
    this.#turns.start();
  }

  /** Ends the turns, and lets other windows serve at once. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#turns.stop();
    await this.#turns.ended;
    if (this.#state !== undefined) await this.#deps.store.leases.release().catch(this.#deps.onError);
  }

  /** Finds out at once what this window serves, as it has just written something that is to be done. @throws StoreError */
  updateLeases(): Promise<void> {
    return this.#updates.run(() => this.#updateLeases());
  }

  async #updateLeases(): Promise<void> {
    const { list, store } = this.#deps;
    if (this.#isStopped) return;
    const destinations = [...list.destinations].filter(([, destination]) => this.#canServe(destination));
    const wanted = destinations.map(([key]) => key);
    const lacking = destinations.flatMap(([key, destination]) => (this.#lacksKey(key, destination) ? [key] : []));
    const state = await store.leases.update({ wanted, lacking, isReporting: this.#isReporting });
    this.#state = state;
    if (state.interrupted.length > 0) await list.trySync().catch(() => {});
    this.events.emit('turn', state);
  }

  /** Whether this window has nothing to do, as far as it knows, and has left nothing in the store that says that it is there. */
  get #isIdle(): boolean {
    const { destinations, hasUnsaved } = this.#deps.list;
    const isBusy = destinations.size > 0 || hasUnsaved || this.isThere(this.window.id);
    return !isBusy && !this.#isReporting;
  }

  async #turn(): Promise<void> {
    const { list, store } = this.#deps;
    // Without a task database there is nothing to do, and none is made.
    if (!store.exists) return;
    try {
      const version = await store.version();
      if (this.#isIdle && version === this.#seen) return;
      await list.trySync();
      this.#seen = version;
    } catch (error) {
      // The view says why.
      this.events.emit('synced', error);
      return;
    }
    this.events.emit('synced');
    await this.updateLeases();
  }

  #lacksKey(key: string, destination: Destination): boolean {
    const isKnown = this.#haveKey.has(key) || this.#deps.whyNotAsked(destination) !== undefined;
    return !this.canAsk(destination) && isKnown;
  }

  /**
   * Any window that can reach a service may serve its imports, if only to say that their access key is missing; following
   * takes the key.
   */
  #canServe(destination: Destination & { readonly open: number }): boolean {
    if (this.#deps.whyNotAsked(destination)?.kind === 'sandboxStopped') return false;
    return destination.open > 0 || this.canAsk(destination);
  }
}
