import { backoffMs, retryDelayMs } from '../timing/backoff';
import type { Clock } from '../timing/clock';

/** What a request will show about its destination. `old`: nothing, because a pause has begun since it was sent. */
export type Role = 'probe' | 'counts' | 'old';

/** The imports or the checks of a destination: which are in flight, until when none begin, and whether they go one at a time. */
export class Lane {
  readonly #clock: Clock;
  readonly #inFlight = new Map<unknown, Role>();
  /** Whether requests go one at a time, until one succeeds. */
  isProbing: boolean;
  /** Pauses in a row. */
  #failures = 0;
  /** When the pause ends or has ended, by the clock's `monotonicMs`; Infinity if only the user ends it. */
  untilMs = 0;
  /** Until when the service asked to wait. */
  #askedUntilMs = 0;

  constructor(clock: Clock, isProbing: boolean) {
    this.#clock = clock;
    this.isProbing = isProbing;
  }

  /** How many are in flight. */
  get size(): number {
    return this.#inFlight.size;
  }

  get hasProbe(): boolean {
    return [...this.#inFlight.values()].includes('probe');
  }

  get waitMs(): number {
    return Math.max(0, this.untilMs - this.#clock.monotonicMs());
  }

  begin(id: unknown): void {
    this.#inFlight.set(id, this.isProbing ? 'probe' : 'counts');
  }

  roleOf(id: unknown): Role {
    return this.#inFlight.get(id) ?? 'old';
  }

  end(id: unknown): Role {
    const role = this.roleOf(id);
    this.#inFlight.delete(id);
    return role;
  }

  /** Pauses for as long as the service asks, but at least for `ownMs`, or a backoff that grows with each pause in a row. */
  pause(askedMs: number | undefined, ownMs?: number): void {
    this.probeNext();
    this.#failures += 1;
    const nowMs = this.#clock.monotonicMs();
    const leastMs = ownMs ?? backoffMs(this.#failures, this.#clock.random);
    const waitMs = leastMs === Number.POSITIVE_INFINITY ? leastMs : retryDelayMs(askedMs, leastMs);
    this.untilMs = Math.max(this.untilMs, nowMs + waitMs);
    this.#askedUntilMs = Math.max(this.#askedUntilMs, nowMs + retryDelayMs(askedMs, 0));
  }

  /** The next request is the probe, and what is in flight no longer counts. */
  probeNext(): void {
    this.isProbing = true;
    for (const id of this.#inFlight.keys()) this.#inFlight.set(id, 'old');
  }

  /** Others may begin beside the probe. It still counts. */
  openBeside(probe: unknown): void {
    this.isProbing = false;
    this.#inFlight.set(probe, 'counts');
  }

  /** Goes on if a request that succeeded is the probe, or none is needed. Returns whether it did. */
  succeed(role: Role): boolean {
    if (this.isProbing && role !== 'probe') return false;
    this.isProbing = false;
    this.#failures = 0;
    return true;
  }

  /** Ends our own backoff, but not what the service asked for. */
  endBackoff(): void {
    this.untilMs = this.#askedUntilMs;
  }

  /** Ends the pause, whatever the service asked for. */
  endPause(): void {
    this.untilMs = this.#askedUntilMs = 0;
  }
}
