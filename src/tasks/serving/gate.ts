import { isForbidden, type Outcome } from '../../service/response/outcome';
import { type Destination, destinationKey } from '../destination';
import { backoffMs } from '../timing/backoff';
import type { Clock } from '../timing/clock';
import { RetryPause } from '../timing/retryPause';
import { type EndedPhase, phaseAfter } from '../trackedTask';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import { QueryBudget } from './queryBudget';

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

/** A pause of a destination, until an import or a query shows that it is over. */
export interface Pause {
  readonly reason: PauseReason;
  /**
   * When an import is tried again, by the clock's `monotonicMs`: in the past while it is, infinite where a person has to
   * act first.
   */
  readonly untilMs: number;
}

/** Max queries of a destination at once. */
export const MAX_QUERIES = 4;
/** Different tasks in a row whose query fails, after which that is the destination's matter. */
const MAX_FAILED_TASKS = 3;
/** Rejections of our credentials by a proxy after which only Try Now continues: wrong passwords lock accounts. */
const MAX_PROXY_LOGINS = 2;
/** Unconfirmed imports in a row after which only a person continues. */
export const MAX_UNCONFIRMED = 3;
/** After this many rejections in a row with the same code, the user decides. Keys expire in week nine, too. */
export const MAX_REJECTIONS = 3;

/**
 * The one place that decides about a destination: whether imports and queries may begin, and how many at once. What concerns
 * the destination and not the file or task pauses it, ever longer, for as long as it takes. After a pause, and until an import
 * was accepted with the present access key and request, imports go one at a time; queries do where the service is not there or
 * has too much to do.
 *
 * Every pause begins a new round, and each import and query remembers the round in which it began. What comes of an earlier
 * round says nothing new about the destination: it was under way when the pause began. A pause that queries began starts no
 * new round of imports, each of whose failures counts.
 */
export class Gate {
  /** How many queries a second the destination is sent. */
  readonly budget: QueryBudget;
  readonly #clock: Clock;
  readonly #allowed: () => number;
  readonly #pause: RetryPause;
  readonly #limiter = new ConcurrencyLimiter();
  /** The rounds of imports, and of queries. */
  #round = 0;
  #queryRound = 0;
  /** The first rounds of imports and of queries with the present service, access key and request. */
  #firstRound = 0;
  #firstQueryRound = 0;
  #reason: PauseReason | undefined;
  /** Whether only a person, or another access key or request, ends the pause. */
  #waitsForPerson = false;
  /** Pauses in a row. */
  #pauses = 0;
  /** Rejections of our credentials by the proxy, in a row. */
  #proxyLogins = 0;
  /** Pauses in a row for unconfirmed imports. */
  #unconfirmed = 0;
  /** How often in a row imports were rejected with this code or HTTP status. */
  #rejections = { by: '', count: 0 };
  /** The code or HTTP status with which the user continues anyway, until something is accepted. */
  #ignored = '';
  /** Whether an import got a 403 and nothing has been accepted since. */
  #wasForbidden = false;
  #accepted = 0;
  /** Whether an import was accepted with the present access key and request. */
  #hasAccepted = false;
  #isProbeLong = false;
  /** The tasks whose query failed since one succeeded; undefined for one that is not tracked. */
  readonly #failedTasks = new Set<number | undefined>();

  /** `allowed` is how many imports may be under way at once. */
  constructor(clock: Clock, allowed: () => number) {
    this.#clock = clock;
    this.#allowed = allowed;
    this.#pause = new RetryPause(clock);
    this.budget = new QueryBudget(clock);
  }

  /** The round of an import that begins now. */
  get round(): number {
    return this.#round;
  }

  /** The round of a query that begins now. */
  get queryRound(): number {
    return this.#queryRound;
  }

  /** Why imports wait, or go one at a time; undefined once one has shown that they need not. */
  get pause(): Pause | undefined {
    const untilMs = this.#waitsForPerson ? Number.POSITIVE_INFINITY : this.#pause.untilMs;
    return this.#reason && { reason: this.#reason, untilMs };
  }

  /** Milliseconds until an import may be tried again; 0 where one may, infinite where a person has to act first. */
  get pauseMs(): number {
    return this.#waitsForPerson ? Number.POSITIVE_INFINITY : this.#pause.remainingMs;
  }

  /** Milliseconds for which no query is sent automatically; 0 if there is no pause. */
  get queryPauseMs(): number {
    const locksAccount = this.#waitsForPerson && this.#proxyLogins >= MAX_PROXY_LOGINS;
    return locksAccount ? Number.POSITIVE_INFINITY : this.#pause.remainingMs;
  }

  /** How many queries may be under way at once. */
  get queriesAtOnce(): number {
    return this.#reason !== undefined && isOfService(this.#reason) ? 1 : MAX_QUERIES;
  }

  /** Milliseconds until the next automatic query may be sent. */
  get queryWaitMs(): number {
    return Math.max(this.queryPauseMs, this.budget.waitMs);
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

  /** How many imports were accepted so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /**
   * Records how an import of this round ended; `underWay` counts the imports under way, `hasOther` says whether another one
   * can be tried. Returns whether this one is queued again because the destination, not the file, is the cause.
   */
  record(round: number, outcome: Outcome<unknown>, underWay: number, hasOther = true): boolean {
    if (outcome.kind === 'accepted') {
      this.#accepted += 1;
      if (round < this.#firstRound) return false;
      this.#succeed(round);
      this.#hasAccepted = true;
      this.#wasForbidden = false;
      this.#rejections = { by: '', count: 0 };
      this.#ignored = '';
      this.#limiter.succeeded(this.#allowed());
      return false;
    }
    if (outcome.kind === 'rejected' && isForbidden(outcome)) {
      // Another file tells whether the key or this file is the cause.
      if (!hasOther) {
        this.#succeed(round);
        return false;
      }
      if (round < this.#firstRound || !this.#isOfThisRound(round)) return true;
      if (!this.#wasForbidden) {
        this.#tryAnother();
        return true;
      }
    }
    const reason = this.#reasonAfter(outcome);
    if (reason !== undefined) {
      this.#fail(round, reason, underWay, retryAfterMsOf(outcome));
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

  /** Records that there is no target to send an import of this round to. */
  targetMissing(round: number, detail: string): void {
    this.#fail(round, { kind: 'noTarget', detail }, 0);
  }

  /**
   * Records what came of a query that began in this round. Where the service is busy, rejects the access key, cannot be reached
   * or fails for several tasks in a row, the destination pauses. `key` is that of the task, where it is tracked.
   */
  recordQuery(round: number, key: number | undefined, outcome: Outcome<unknown>): void {
    if (round < this.#firstQueryRound) return;
    if (isProxyLogin(outcome)) {
      const reason = { kind: 'unreachable', end: phaseAfter(outcome) } as const;
      if (round === this.#queryRound && !this.#waitsForPerson) this.#fail(this.#round, reason, 0);
      return;
    }
    const retryAfterMs = retryAfterMsOf(outcome);
    const fault = retryAfterMs === undefined ? faultOf(outcome) : 'destination';
    if (fault === 'task') this.#failedTasks.add(key);
    if (fault === 'task' && this.#failedTasks.size < MAX_FAILED_TASKS) return;
    this.#failedTasks.clear();
    const isNew = round === this.#queryRound;
    if (fault === undefined) {
      const hasProxyLogin = this.#reason !== undefined && isProxyLoginReason(this.#reason);
      if (isNew && (this.#isByChecks || hasProxyLogin)) this.#endPause();
      // Only an import shows whether imports can reach it.
      if (isNew && this.#reason?.kind === 'unreachable') this.endBackoff();
      this.budget.raise();
      return;
    }
    if (!isNew && retryAfterMs === undefined) return;
    // Why imports wait says more, and may wait for a person.
    if (this.#reason === undefined || (isNew && this.#isByChecks)) this.#begin({ kind: 'checks' });
    else if (isNew) this.#pauses += 1;
    if (isNew) {
      this.#queryRound += 1;
      this.budget.halve();
    }
    this.#extend(retryAfterMs);
  }

  /** The import that is tried alone has been sending for a while: others need not wait for its end. It still counts. */
  endProbe(): void {
    this.#isProbeLong = true;
  }

  /** Ends our own back-off, as there is more to import: one is tried. What the service asked for is kept. */
  retry(): void {
    this.#waitsForPerson = false;
    this.endBackoff();
  }

  /** Ends our own back-off, as the cause may be mended; what the service asked for, or a person must do, is kept. */
  endBackoff(): void {
    this.#pause.endBackoff();
  }

  /** Lets a query be sent in a pause, whoever asked for it, as a person wants to know now. */
  probe(): void {
    if (this.#proxyLogins > 0) this.#waitsForPerson = false;
    this.#pause.end();
  }

  /** Ends the pause, whoever asked for it, as a person wants to try now. One import goes first. */
  tryNow(): void {
    if (this.#reason?.kind === 'rejections') {
      this.#ignored = this.#rejections.by;
      this.#rejections = { by: '', count: 0 };
      this.#reason = undefined;
    }
    this.#waitsForPerson = false;
    this.#pause.end();
  }

  /** Starts anew, for another service, access key or request. */
  reset(): void {
    this.#round += 1;
    this.#queryRound += 1;
    this.#firstRound = this.#round;
    this.#firstQueryRound = this.#queryRound;
    this.#failedTasks.clear();
    this.#pause.end();
    this.#limiter.reset();
    this.#reason = undefined;
    this.#waitsForPerson = false;
    this.#pauses = 0;
    this.#unconfirmed = 0;
    this.#proxyLogins = 0;
    this.#rejections = { by: '', count: 0 };
    this.#ignored = '';
    this.#wasForbidden = false;
    this.#hasAccepted = false;
    this.#isProbeLong = false;
  }

  /** What an outcome says against sending the next import; undefined where it concerns this one alone. */
  #reasonAfter(outcome: Exclude<Outcome<unknown>, { kind: 'accepted' }>): PauseReason | undefined {
    const because = (kind: 'unreachable' | 'busy' | 'unconfirmed' | 'badKey') => ({ kind, end: phaseAfter(outcome) });
    switch (outcome.kind) {
      case 'rejected':
        if (outcome.badKey || isForbidden(outcome)) return because('badKey');
        return outcome.tryLater ? because('busy') : undefined;
      case 'notSent': {
        const { name } = outcome.cause;
        return name === 'ConnectError' || name === 'ConnectionLostError' ? because('unreachable') : undefined;
      }
      case 'unconfirmed': {
        const { cause } = outcome;
        // The service is fine; only whose response this is remains unclear.
        if (cause.name === 'BadResponseError' && cause.reason === 'repeatedId') return undefined;
        return cause.name === 'CanceledError' || cause.name === 'SourceError' ? undefined : because('unconfirmed');
      }
    }
  }

  /** A rejection of one file is a success too: the service is there. */
  #succeed(round: number): void {
    if (!this.#counts(round)) return;
    // What the service asked a query to wait still holds: the import may have begun before.
    if (this.#isByChecks) this.endBackoff();
    if (!this.#isByChecks || this.queryPauseMs === 0) this.#endPause();
  }

  #endPause(): void {
    this.#reason = undefined;
    this.#waitsForPerson = false;
    this.#pause.end();
    this.#pauses = 0;
    this.#unconfirmed = 0;
    this.#proxyLogins = 0;
  }

  #fail(round: number, reason: PauseReason, underWay: number, retryAfterMs?: number): void {
    if (round < this.#firstRound) return;
    const isNew = this.#counts(round);
    if (isNew) {
      this.#round += 1;
      this.#queryRound += 1;
      this.#proxyLogins = isProxyLoginReason(reason) ? this.#proxyLogins + 1 : 0;
      this.#begin(reason);
      this.#unconfirmed = reason.kind === 'unconfirmed' ? this.#unconfirmed + 1 : 0;
      this.#waitsForPerson = this.#needsPerson(reason);
      this.#limiter.throttled(underWay);
    }
    if (isNew || retryAfterMs !== undefined) this.#extend(retryAfterMs);
  }

  #begin(reason: PauseReason): void {
    this.#reason = reason;
    this.#isProbeLong = false;
    this.#pauses += 1;
  }

  #extend(retryAfterMs: number | undefined): void {
    this.#pause.extend(backoffMs(this.#pauses, this.#clock.random), retryAfterMs);
  }

  get #isByChecks(): boolean {
    return this.#reason?.kind === 'checks';
  }

  #needsPerson({ kind }: PauseReason): boolean {
    if (this.#proxyLogins >= MAX_PROXY_LOGINS || this.#unconfirmed >= MAX_UNCONFIRMED) return true;
    return kind === 'badKey' || kind === 'noTarget';
  }

  /** Begins a new round with one import at a time, until something is accepted. */
  #tryAnother(): void {
    this.#wasForbidden = true;
    this.#hasAccepted = false;
    this.#isProbeLong = false;
    this.#round += 1;
  }

  #countRejection(round: number, outcome: Extract<Outcome<unknown>, { kind: 'rejected' }>): void {
    const { refusal } = outcome;
    const by = refusal.by === 'envelope' ? `code ${refusal.code}` : `HTTP ${refusal.status}`;
    if (by === this.#ignored || !this.#counts(round)) return;
    this.#rejections = { by, count: by === this.#rejections.by ? this.#rejections.count + 1 : 1 };
    if (this.#rejections.count < MAX_REJECTIONS) return;
    this.#round += 1;
    this.#reason = { kind: 'rejections', end: phaseAfter(outcome) };
    this.#isProbeLong = false;
    this.#waitsForPerson = true;
  }

  /** Whether an import that began in this round says anything new. */
  #counts(round: number): boolean {
    const isPresent = round === this.#round || this.#reason === undefined || this.#isByChecks;
    return isPresent && round >= this.#firstRound;
  }

  /** Whether an import began in this round, or nothing has begun a new round since the last acceptance. */
  #isOfThisRound(round: number): boolean {
    return round === this.#round || !this.#wasForbidden;
  }
}

/** The gates of all destinations. */
export class Gates {
  readonly #clock: Clock;
  readonly #allowed: () => number;
  readonly #gates = new Map<string, Gate>();

  /** `allowed` is how many imports of a destination may be under way at once. */
  constructor(clock: Clock, allowed: () => number = () => 1) {
    this.#clock = clock;
    this.#allowed = allowed;
  }

  of(destination: Destination): Gate {
    const key = destinationKey(destination);
    const gate = this.#gates.get(key) ?? new Gate(this.#clock, this.#allowed);
    this.#gates.set(key, gate);
    return gate;
  }
}

function retryAfterMsOf(outcome: Outcome<unknown>): number | undefined {
  return 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
}

/** Whether the proxy rejected our credentials. Each further try may lock the account. */
function isProxyLogin(outcome: Outcome<unknown>): outcome is Extract<Outcome<unknown>, { readonly kind: 'notSent' }> {
  return outcome.kind === 'notSent' && outcome.cause.name === 'ConnectError' && outcome.cause.reason === 'proxyLogin';
}

function isProxyLoginReason(reason: PauseReason): boolean {
  const failure = 'end' in reason && 'failure' in reason.end ? reason.end.failure : undefined;
  return failure?.name === 'ConnectError' && failure.reason === 'proxyLogin';
}

/** Whether a reason says that the service is not there, or has too much to do. */
function isOfService({ kind }: PauseReason): boolean {
  return kind === 'unreachable' || kind === 'busy' || kind === 'checks';
}

/** Whether a query's outcome speaks against the whole destination or at first against the task; undefined for neither. */
function faultOf(outcome: Outcome<unknown>): 'destination' | 'task' | undefined {
  switch (outcome.kind) {
    case 'accepted':
      return undefined;
    case 'rejected':
      return outcome.tryLater || outcome.badKey ? 'destination' : undefined;
    case 'notSent':
      return outcome.cause.name === 'ConnectError' ? 'destination' : 'task';
    case 'unconfirmed':
      return 'task';
  }
}
