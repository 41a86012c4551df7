import type { Outcome } from '../../service/response/outcome';
import { backoffMs } from '../timing/backoff';
import type { Clock } from '../timing/clock';
import { RetryPause } from '../timing/retryPause';
import { type EndedPhase, phaseAfter } from '../trackedTask';

/** Why the circuit is not closed: the service is busy, it or the way to it fails, or our store does. */
export type WaitReason =
  | { readonly kind: 'busy' | 'failing' /** How the import ended that met it. */; readonly end: EndedPhase }
  | { readonly kind: 'store' };

/** Max consecutive failures of each kind; after these, nothing more is sent. */
const MAX_FAILURES = { busy: 10, failing: 3, store: Number.POSITIVE_INFINITY } as const;
/** Max consecutive imports rejected for the access key. */
const MAX_BAD_KEYS = 5;

const noFailures = { busy: 0, failing: 0, store: 0 } as const;

/**
 * The circuit breaker of a destination. A failure opens the circuit for a pause of exponential back-off. After it the
 * circuit is half-open: one import is sent as a probe. Its success closes the circuit, its failure opens it again.
 *
 * Imports that were under way when the circuit opened share the cause of its opening: their failures do not count. To
 * tell them apart, each import remembers the round in which it began; every opening begins a new round.
 */
export class CircuitBreaker {
  readonly #random: () => number;
  readonly #pause: RetryPause;
  #round = 0;
  #waitReason: WaitReason | undefined;
  #failures: Record<WaitReason['kind'], number> = { ...noFailures };
  #badKeys = 0;
  #stoppedBy: EndedPhase | undefined;
  #needsProbe = true;

  constructor(clock: Clock) {
    this.#random = clock.random;
    this.#pause = new RetryPause(clock);
  }

  get state(): 'closed' | 'open' | 'halfOpen' {
    if (this.#pause.remainingMs > 0) return 'open';
    return this.#waitReason !== undefined && this.#needsProbe ? 'halfOpen' : 'closed';
  }

  /** The round of an import that begins now. */
  get round(): number {
    return this.#round;
  }

  /** Why the circuit opened; undefined since a success closed it. */
  get waitReason(): WaitReason | undefined {
    return this.#waitReason;
  }

  /** How the last of too many failures ended, so that nothing more is to be sent; undefined where something is. */
  get stoppedBy(): EndedPhase | undefined {
    return this.#stoppedBy;
  }

  /** How long the circuit stays open, in milliseconds. */
  get pauseMs(): number {
    return this.#pause.remainingMs;
  }

  /** Until when it stays open, by the clock's `monotonicMs`. */
  get pausedUntilMs(): number {
    return this.#pause.untilMs;
  }

  /** Records how an import ended that began in this round; returns whether that opened the circuit. */
  record(round: number, outcome: Outcome<unknown>): boolean {
    this.#countBadKeys(outcome);
    const waitReason = waitReasonAfter(outcome);
    if (waitReason !== undefined) {
      return this.fail(round, waitReason, 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined);
    }
    if (outcome.kind === 'accepted' || outcome.kind === 'rejected') this.#succeed(round);
    return false;
  }

  /** Records a failure of what began in this round; returns whether that opened the circuit. */
  fail(round: number, waitReason: WaitReason, retryAfterMs?: number): boolean {
    const isNew = this.#counts(round);
    if (isNew) {
      this.#round += 1;
      this.#waitReason = waitReason;
      this.#needsProbe = true;
      const failures = ++this.#failures[waitReason.kind];
      if (waitReason.kind !== 'store' && failures >= MAX_FAILURES[waitReason.kind]) this.#stoppedBy = waitReason.end;
    }
    if (isNew || retryAfterMs !== undefined) this.#pause.extend(this.#backoffMs(), retryAfterMs);
    return isNew;
  }

  /** The probe has been sending for a while: others need not wait for its end. It still counts. */
  endProbe(): void {
    this.#needsProbe = false;
  }

  /** Allows all tries again and ends our own back-off. Where the last import failed, one still goes first. */
  retry(): void {
    this.#failures = { ...noFailures };
    this.#badKeys = 0;
    this.#stoppedBy = undefined;
    this.#needsProbe = true;
    this.#pause.endBackoff();
  }

  /** Starts anew, for another service. */
  reset(): void {
    this.retry();
    this.#waitReason = undefined;
    this.#pause.end();
  }

  /** A rejection is a success too: the service is there. */
  #succeed(round: number): void {
    if (!this.#counts(round)) return;
    this.#waitReason = undefined;
    this.#failures = { ...noFailures };
  }

  /** Whether what began in this round says anything new. */
  #counts(round: number): boolean {
    return this.#waitReason === undefined || round === this.#round;
  }

  #countBadKeys(outcome: Outcome<unknown>): void {
    if (outcome.kind !== 'accepted' && outcome.kind !== 'rejected') return;
    const isBadKey = outcome.kind === 'rejected' && outcome.badKey;
    this.#badKeys = isBadKey ? this.#badKeys + 1 : 0;
    if (this.#badKeys >= MAX_BAD_KEYS) this.#stoppedBy = phaseAfter(outcome);
  }

  #backoffMs(): number {
    const consecutiveFailures = Object.values(this.#failures).reduce((sum, count) => sum + count, 0);
    return backoffMs(Math.max(1, consecutiveFailures), this.#random);
  }
}

/** What an outcome says against sending the next import; undefined where it concerns this one alone. */
export function waitReasonAfter(outcome: Outcome<unknown>): WaitReason | undefined {
  switch (outcome.kind) {
    case 'accepted':
      return undefined;
    case 'rejected':
      return outcome.tryLater ? { kind: 'busy', end: phaseAfter(outcome) } : undefined;
    case 'notSent': {
      const { name } = outcome.cause;
      if (name !== 'ConnectError' && name !== 'ConnectionLostError') return undefined;
      return { kind: 'failing', end: phaseAfter(outcome) };
    }
    case 'unconfirmed': {
      const { name } = outcome.cause;
      if (name === 'CanceledError' || name === 'SourceError') return undefined;
      return { kind: 'failing', end: phaseAfter(outcome) };
    }
  }
}
