import type { Outcome } from '../../service/response/outcome';
import { type EndedPhase, phaseAfter } from '../trackedTask';

/** Why imports do not go as they should: the service is busy, it or the way to it fails, or our store does. */
export type WaitReason =
  | { readonly kind: 'busy' | 'failing' /** How the import ended that met it. */; readonly end: EndedPhase }
  | { readonly kind: 'store' };

/** So many failures in a row of each kind end an incident: what waits is not sent then. */
const MAX_FAILURES = { busy: 10, failing: 3, store: Number.POSITIVE_INFINITY } as const;
/** So many imports in a row may be refused for the access key. */
const MAX_BAD_KEYS = 5;

/** What an outcome says stands in the way of the imports after it; undefined where it says nothing of them. */
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

/**
 * A circuit breaker that counts incidents, not casualties. A failure opens it; after a pause one import probes while
 * the others wait, and its success closes it. What began before the failure that is known tells nothing new when it
 * fails too.
 */
export class CircuitBreaker {
  /** Counts the failures: what began in an earlier round is a casualty of the one that ended that. */
  #round = 0;
  #waitReason: WaitReason | undefined;
  #failures: Record<WaitReason['kind'], number> = { ...noFailures };
  #badKeys = 0;
  #stoppedBy: EndedPhase | undefined;
  #isOneAtATime = true;

  /** The round that what begins now belongs to. */
  get round(): number {
    return this.#round;
  }

  /** Undefined while the circuit is closed. */
  get waitReason(): WaitReason | undefined {
    return this.#waitReason;
  }

  /** Whether only one import may begin, to see how it fares. */
  get isProbing(): boolean {
    return this.#waitReason !== undefined && this.#isOneAtATime;
  }

  /** What ended the tries, so that nothing more is to be sent; undefined where something is. */
  get stoppedBy(): EndedPhase | undefined {
    return this.#stoppedBy;
  }

  /** How many failures in a row were no casualties. */
  get consecutiveFailures(): number {
    return Object.values(this.#failures).reduce((sum, count) => sum + count, 0);
  }

  /** What began in this round was held up; gives whether that is news. */
  failed(round: number, waitReason: WaitReason): boolean {
    if (this.#waitReason !== undefined && round < this.#round) return false;
    this.#round += 1;
    this.#waitReason = waitReason;
    this.#isOneAtATime = true;
    this.#failures[waitReason.kind] += 1;
    if (waitReason.kind !== 'store' && this.#failures[waitReason.kind] >= MAX_FAILURES[waitReason.kind])
      this.#stoppedBy = waitReason.end;
    return true;
  }

  /** The service has answered what began in this round as it should, be it with a no. */
  answered(round: number): void {
    if (this.#waitReason !== undefined && round < this.#round) return;
    this.#waitReason = undefined;
    this.#failures = { ...noFailures };
  }

  /** Counts those in a row that were refused for the access key; any other response ends the row. */
  recordKeyOutcome(outcome: Outcome<unknown>): void {
    if (outcome.kind !== 'accepted' && outcome.kind !== 'rejected') return;
    const isBadKey = outcome.kind === 'rejected' && outcome.badKey;
    this.#badKeys = isBadKey ? this.#badKeys + 1 : 0;
    if (this.#badKeys >= MAX_BAD_KEYS) this.#stoppedBy = phaseAfter(outcome);
  }

  /** The probe is well under way: others need not wait for its end, which may be far. */
  letOthersBegin(): void {
    this.#isOneAtATime = false;
  }

  /** Grants all tries anew. Where the last one failed, one import still goes first. */
  retry(): void {
    this.#failures = { ...noFailures };
    this.#badKeys = 0;
    this.#stoppedBy = undefined;
    this.#isOneAtATime = true;
  }

  /** Forgets all there was: it is another service now. */
  reset(): void {
    this.retry();
    this.#waitReason = undefined;
  }
}

const noFailures = { busy: 0, failing: 0, store: 0 } as const;
