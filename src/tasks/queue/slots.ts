import { Slot } from '../sending/slot';
import type { Clock } from '../timing/clock';

/** Max time that a prepared import keeps its connection waiting; hardly any service closes one sooner. */
const MAX_PREPARED_MS = 1000;

/**
 * The slots of the imports under way. While as many as the limit allows are granted, the next imports are prepared (at
 * most one fewer than the limit), where their slots are likely to be granted soon.
 */
export class Slots<Entry> {
  readonly #clock: Clock;
  readonly #open = new Map<Entry, { readonly slot: Slot; readonly endTimeout: () => void }>();
  /** How long the last import was sent, as an estimate for the next; infinite where there is none. */
  #lastDurationMs = Number.POSITIVE_INFINITY;
  /** Whether the service refused or closed a connection that waited for its slot. */
  #losesConnections = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The imports that have a slot, granted or not. */
  get entries(): readonly Entry[] {
    return [...this.#open.keys()];
  }

  get grantedCount(): number {
    return [...this.#open.values()].filter(({ slot }) => slot.isGranted).length;
  }

  /** How many more slots may be opened, with so many granted at once. */
  room(limit: number): number {
    const preparesAhead = this.#lastDurationMs < MAX_PREPARED_MS && !this.#losesConnections;
    return Math.max(0, (preparesAhead ? 2 * limit - 1 : limit) - this.#open.size);
  }

  /** Opens a slot, which {@link grant} grants. It is revoked where a prepared import waits for it too long. */
  open(entry: Entry): Slot {
    let endTimeout = () => {};
    const slot = new Slot(() => {
      endTimeout = this.#clock.after(MAX_PREPARED_MS, () => {
        if (!slot.isGranted) this.#lastDurationMs = Number.POSITIVE_INFINITY;
        slot.revoke();
      });
    });
    this.#open.set(entry, { slot, endTimeout: () => endTimeout() });
    return slot;
  }

  close(entry: Entry): void {
    const closed = this.#open.get(entry);
    closed?.endTimeout();
    closed?.slot.revoke();
    this.#open.delete(entry);
  }

  /** Grants slots, in the order in which they were opened, until so many are granted. */
  grant(limit: number): void {
    for (const { slot } of this.#open.values()) if (this.grantedCount < limit) slot.grant();
  }

  /** Revokes all slots that are not granted, or that of one import. */
  revoke(entry?: Entry): void {
    for (const [key, { slot }] of this.#open) if (entry === undefined || key === entry) slot.revoke();
  }

  /** Records how long an import was sent; undefined where it failed. */
  recordDuration(ms: number | undefined): void {
    this.#lastDurationMs = ms ?? Number.POSITIVE_INFINITY;
  }

  /** Records that a waiting connection was lost: nothing is prepared any more until {@link forgetLostConnections}. */
  recordLostConnection(): void {
    this.#losesConnections = true;
  }

  forgetLostConnections(): void {
    this.#losesConnections = false;
  }
}
