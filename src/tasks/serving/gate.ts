import type { Outcome } from '../../service/response/outcome';
import { backoffMs } from '../timing/backoff';
import type { Clock } from '../timing/clock';
import type { RetryPause } from '../timing/retryPause';
import { type EndedPhase, phaseAfter } from '../trackedTask';
import { ConcurrencyLimiter } from './concurrencyLimiter';

/** Why the imports of a destination wait. */
export type PauseReason =
  /**
   * The destination cannot be reached, is busy, does not say what became of an import, rejects the access key, or rejects
   * every import alike; `end` is how the import ended that met it.
   */
  | { readonly kind: 'unreachable' | 'busy' | 'unconfirmed' | 'badKey' | 'rejections'; readonly end: EndedPhase }
  /** The dataset is not known here, or has no access key that could be read; `detail` says why, or is empty. */
  | { readonly kind: 'noTarget'; readonly detail: string }
  /** The task database cannot be written. */
  | { readonly kind: 'store' }
  /** Status checks met a busy service, or none. */
  | { readonly kind: 'checks' };

/** A pause of a destination, until an import shows that it is over. */
export interface Pause {
  readonly reason: PauseReason;
  /**
   * When an import is tried again, by the clock's `monotonicMs`: in the past while it is, infinite where a person has to
   * act first.
   */
  readonly untilMs: number;
}

const BY_CHECKS: PauseReason = { kind: 'checks' };

/** Unconfirmed imports in a row after which only a person continues. */
const MAX_UNCONFIRMED = 3;
/** Imports rejected alike, before any was accepted, after which only a person continues. */
export const MAX_REJECTIONS = 3;

/**
 * The one place that decides whether a destination's imports may begin, and how many at once. What concerns the destination
 * and not the file pauses it, ever longer, for as long as it takes. After a pause, and until an import was accepted with the
 * present access key and request, imports go one at a time.
 *
 * Every pause begins a new round, and each import remembers the round in which it began. What comes of imports of an
 * earlier round says nothing new about the destination: they were under way when the pause began.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #allowed: () => number;
  readonly #pause: RetryPause;
  readonly #limiter = new ConcurrencyLimiter();
  #round = 0;
  #reason: PauseReason | undefined;
  /** Whether only a person, or another access key or request, ends the pause. */
  #waitsForPerson = false;
  /** Pauses in a row. */
  #pauses = 0;
  /** Pauses in a row for unconfirmed imports. */
  #unconfirmed = 0;
  /** How often imports were rejected with this code or status, none being accepted. */
  #rejections = { by: '', count: 0 };
  #ignoresRejections = false;
  /** Whether an import was accepted with the present access key and request. */
  #hasAccepted = false;
  #isProbeLong = false;

  /** `allowed` is how many imports may be under way at once; `pause` is the one of the destination's queries too. */
  constructor(clock: Clock, allowed: () => number, pause: RetryPause) {
    this.#clock = clock;
    this.#allowed = allowed;
    this.#pause = pause;
  }

  /** The round of an import that begins now. */
  get round(): number {
    return this.#round;
  }

  /** Why imports wait, or go one at a time; undefined once one has shown that they need not. */
  get pause(): Pause | undefined {
    const reason = this.#reason ?? (this.#pause.remainingMs > 0 ? BY_CHECKS : undefined);
    if (reason === undefined) return undefined;
    return {
      reason,
      untilMs: this.#waitsForPerson ? Number.POSITIVE_INFINITY : this.#pause.untilMs,
    };
  }

  /** Milliseconds until an import may be tried again; 0 where one may, infinite where a person has to act first. */
  get pauseMs(): number {
    return this.#waitsForPerson ? Number.POSITIVE_INFINITY : this.#pause.remainingMs;
  }

  /** Whether imports go one at a time. */
  get isProbing(): boolean {
    return !this.#isProbeLong && (this.#reason !== undefined || !this.#hasAccepted);
  }

  /** How many imports may begin now beside those that are under way. */
  room(underWay: readonly { readonly round: number }[]): number {
    if (this.pauseMs > 0) return 0;
    if (this.isProbing) return underWay.some(({ round }) => round === this.#round) ? 0 : 1;
    return Math.max(0, this.#limiter.limit(this.#allowed()) - underWay.length);
  }

  /**
   * Records how an import ended that began in this round, with so many under way; returns whether it is queued again, as
   * that is the destination's matter and nothing was accepted.
   */
  record(round: number, outcome: Outcome<unknown>, underWay: number): boolean {
    if (outcome.kind === 'accepted') {
      this.#succeed(round);
      this.#hasAccepted = true;
      this.#rejections.count = 0;
      this.#limiter.succeeded(this.#allowed());
      return false;
    }
    const reason = this.#reasonAfter(outcome);
    if (reason !== undefined) {
      this.#fail(round, reason, underWay, 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined);
      return outcome.kind !== 'unconfirmed';
    }
    if (outcome.kind === 'rejected') {
      this.#succeed(round);
      this.#countRejection(round, outcome);
    }
    return false;
  }

  /** Records that it could not be stored that an import of this round begins. */
  storeFailed(round: number, underWay: number): void {
    this.#fail(round, { kind: 'store' }, underWay);
  }

  /** Records that there is no target to send to. */
  targetMissing(detail: string): void {
    this.#fail(this.#round, { kind: 'noTarget', detail }, 0);
  }

  /** The import that is tried alone has been sending for a while: others need not wait for its end. It still counts. */
  endProbe(): void {
    this.#isProbeLong = true;
  }

  /** Ends our own back-off, as there is more to import: one is tried. What the service asked for is kept. */
  retry(): void {
    this.#waitsForPerson = false;
    this.#pause.endBackoff();
  }

  /** Ends the pause, whoever asked for it, as a person wants to try now. One import goes first. */
  tryNow(): void {
    if (this.#reason?.kind === 'rejections') {
      this.#ignoresRejections = true;
      this.#reason = undefined;
    }
    this.#waitsForPerson = false;
    this.#pause.end();
  }

  /** Starts anew, for another service, access key or request. */
  reset(): void {
    this.#pause.end();
    this.#limiter.reset();
    this.#reason = undefined;
    this.#waitsForPerson = false;
    this.#pauses = 0;
    this.#unconfirmed = 0;
    this.#rejections = { by: '', count: 0 };
    this.#ignoresRejections = false;
    this.#hasAccepted = false;
    this.#isProbeLong = false;
  }

  /** What an outcome says against sending the next import; undefined where it concerns this one alone. */
  #reasonAfter(outcome: Exclude<Outcome<unknown>, { kind: 'accepted' }>): PauseReason | undefined {
    const because = (kind: 'unreachable' | 'busy' | 'unconfirmed' | 'badKey') => ({ kind, end: phaseAfter(outcome) });
    switch (outcome.kind) {
      case 'rejected': {
        // With a key that was accepted, a gateway may forbid one file.
        const isBadKey = outcome.badKey && (outcome.refusal.status !== 403 || !this.#hasAccepted);
        if (isBadKey) return because('badKey');
        return outcome.tryLater ? because('busy') : undefined;
      }
      case 'notSent': {
        const { name } = outcome.cause;
        return name === 'ConnectError' || name === 'ConnectionLostError' ? because('unreachable') : undefined;
      }
      case 'unconfirmed': {
        const { name } = outcome.cause;
        return name === 'CanceledError' || name === 'SourceError' ? undefined : because('unconfirmed');
      }
    }
  }

  /** A rejection of one file is a success too: the service is there. */
  #succeed(round: number): void {
    if (!this.#counts(round)) return;
    this.#reason = undefined;
    this.#waitsForPerson = false;
    this.#pause.end();
    this.#pauses = 0;
    this.#unconfirmed = 0;
  }

  #fail(round: number, reason: PauseReason, underWay: number, retryAfterMs?: number): void {
    const isNew = this.#counts(round);
    if (isNew) {
      this.#round += 1;
      this.#reason = reason;
      this.#isProbeLong = false;
      this.#pauses += 1;
      this.#unconfirmed = reason.kind === 'unconfirmed' ? this.#unconfirmed + 1 : 0;
      this.#waitsForPerson = this.#needsPerson(reason);
      this.#limiter.throttled(underWay);
    }
    if (isNew || retryAfterMs !== undefined) {
      this.#pause.extend(backoffMs(this.#pauses, this.#clock.random), retryAfterMs);
    }
  }

  #needsPerson({ kind }: PauseReason): boolean {
    return kind === 'badKey' || kind === 'noTarget' || this.#unconfirmed >= MAX_UNCONFIRMED;
  }

  #countRejection(round: number, outcome: Extract<Outcome<unknown>, { kind: 'rejected' }>): void {
    if (this.#hasAccepted || this.#ignoresRejections || !this.#counts(round)) return;
    const { refusal } = outcome;
    const by = refusal.by === 'envelope' ? `code ${refusal.code}` : `HTTP ${refusal.status}`;
    this.#rejections = { by, count: by === this.#rejections.by ? this.#rejections.count + 1 : 1 };
    if (this.#rejections.count < MAX_REJECTIONS) return;
    this.#round += 1;
    this.#reason = { kind: 'rejections', end: phaseAfter(outcome) };
    this.#waitsForPerson = true;
  }

  /** Whether what began in this round says anything new. */
  #counts(round: number): boolean {
    return this.#reason === undefined || round === this.#round;
  }
}
