import { Turn } from '../sending/turn';
import type { Clock } from '../timing/clock';

/** For so long a connection may wait for its turn: hardly a service ends one that quickly. */
const LONGEST_AHEAD_MS = 1000;

/**
 * The turns of what is under way: a few have come, and as many of those that come next are prepared meanwhile, where
 * their turn will be soon.
 */
export class Turns<QueueEntry> {
  readonly #clock: Clock;
  readonly #open = new Map<QueueEntry, { readonly turn: Turn; readonly endWaiting: () => void }>();
  /** How long the last one took, as the next one will about wait; infinite where that is not to be relied on. */
  #lastTookMs = Number.POSITIVE_INFINITY;
  /** Whether a connection beyond those that are used was not granted, or ended before its turn. */
  #losesConnections = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Those that are under way, in their turn or ahead of it. */
  get entries(): readonly QueueEntry[] {
    return [...this.#open.keys()];
  }

  /** How many have come. */
  get come(): number {
    return [...this.#open.values()].filter(({ turn }) => turn.hasCome).length;
  }

  /** How many more may be prepared, where so many may come at once. */
  room(limit: number): number {
    const isSoon = this.#lastTookMs < LONGEST_AHEAD_MS && !this.#losesConnections;
    return Math.max(0, (isSoon ? 2 * limit - 1 : limit) - this.#open.size);
  }

  /** Opens a turn, to come with {@link give}. It is put off where it waits for too long. */
  open(entry: QueueEntry): Turn {
    let endWaiting = () => {};
    const turn = new Turn(() => {
      endWaiting = this.#clock.after(LONGEST_AHEAD_MS, () => {
        if (!turn.hasCome) this.#lastTookMs = Number.POSITIVE_INFINITY;
        turn.putOff();
      });
    });
    this.#open.set(entry, { turn, endWaiting: () => endWaiting() });
    return turn;
  }

  /** Ends a turn, whether it has come or not. */
  close(entry: QueueEntry): void {
    const closed = this.#open.get(entry);
    closed?.endWaiting();
    closed?.turn.putOff();
    this.#open.delete(entry);
  }

  /** Lets turns come, in the order in which they were opened, until so many have. */
  give(limit: number): void {
    for (const { turn } of this.#open.values()) if (this.come < limit) turn.give();
  }

  /** Puts off those that have not come, of all or of one. */
  putOff(entry?: QueueEntry): void {
    for (const [key, { turn }] of this.#open) if (entry === undefined || key === entry) turn.putOff();
  }

  /** Says how long something took in its turn; undefined where it did not go well. */
  took(ms: number | undefined): void {
    this.#lastTookMs = ms ?? Number.POSITIVE_INFINITY;
  }

  /** Says that a connection did not last until its turn: nothing is prepared any more until {@link forgive}. */
  lostConnection(): void {
    this.#losesConnections = true;
  }

  forgive(): void {
    this.#losesConnections = false;
  }
}
