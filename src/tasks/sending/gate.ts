// When may the next import or status check of a destination begin, and how many at once?
//
// Open: as many as allowed. Paused: none, until a time or until the user acts. Probing: one at a time, until an import shows
// that the destination is fine. A pause means that something concerns the destination, not one file. Requests that were in
// flight when it began no longer count: eight lost connections are one incident. Checks have a pause of their own. It lets
// imports go on, one at a time.
import { isForbidden, type Outcome } from '../../service/response/outcome';
import { type Destination, destinationKey } from '../destination';
import type { Cause } from '../store/model';
import { backoffMs, retryDelayMs } from '../timing/backoff';
import type { Clock } from '../timing/clock';
import { causeOf } from './importEnd';

type GateClock = Pick<Clock, 'monotonicMs' | 'random'>;
type Failed = Exclude<Outcome<unknown>, { readonly kind: 'accepted' }>;
type Rejected = Extract<Failed, { readonly kind: 'rejected' }>;

/** Why imports pause. `noTarget`: no such dataset, or no access key; `store`: the task database can't be written. */
export type PauseReason = 'unreachable' | 'busy' | 'unconfirmed' | 'badKey' | 'rejections' | 'noTarget' | 'store';

export interface GatePause {
  readonly reason: PauseReason;
  /** Null if the brake was on when the gate was made, or if the store failed. */
  readonly cause: Cause | null;
  /** When an import is tried, by the clock's `monotonicMs`: past while it is being tried, Infinity if the user has to act. */
  readonly untilMs: number;
}

/** Max status checks in flight. */
export const MAX_CHECKS = 4;
/** Max status checks a second. */
const MAX_CHECK_RATE = 10;
/** The rate doesn't fall below this, so that it can recover. */
const MIN_CHECK_RATE = 0.5;
/** How much each response adds to the rate: at 10 checks a second, one a second. */
const CHECK_RATE_STEP = 0.1;
/** After this many rejections in a row with the same code, the user decides. Keys expire in week nine, too. */
const MAX_REJECTIONS = 3;
/** Reasons for which the user has to act before another import is sent. */
const FOR_USER: readonly PauseReason[] = ['badKey', 'noTarget', 'rejections'];
/** Pauses after the first unconfirmed imports in a row. After one more, only Try Now continues. */
const BRAKE_PAUSES_MS = [1000, 5000];
/** Rejections of our credentials by a proxy after which only Try Now continues: wrong passwords lock accounts. */
const MAX_PROXY_LOGINS = 2;
/** Checks of different tasks that fail in a row before the destination is to blame. */
const MAX_FAILED_TASKS = 3;
/** A probe that has been sending this long shows that the others needn't wait for its end. */
const LONG_PROBE_MS = 5000;

/** What a request will show about its destination. `old`: nothing, because a pause has begun since it was sent. */
type Role = 'probe' | 'counts' | 'old';

/** The imports or the checks of a destination: which are in flight, until when none begin, and whether they go one at a time. */
class Lane {
  readonly #clock: GateClock;
  readonly #inFlight = new Map<unknown, Role>();
  /** Whether requests go one at a time, until one succeeds. */
  isProbing: boolean;
  /** Pauses in a row. */
  #failures = 0;
  /** When the pause ends or has ended, by the clock's `monotonicMs`; Infinity if only the user ends it. */
  untilMs = 0;
  /** Until when the service asked to wait. */
  #askedUntilMs = 0;

  constructor(clock: GateClock, isProbing: boolean) {
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

/** Decides when imports and status checks of a destination begin, and how many at once. */
export class Gate {
  readonly #clock: GateClock;
  readonly #allowed: () => number;
  #imports: Lane;
  #checks: Lane;
  #known = nothingKnown();
  /** Checks a second: fewer if the service pushes back, then gradually more again. */
  #checkRate = MAX_CHECK_RATE;
  #nextCheckMs = Number.NEGATIVE_INFINITY;

  /** `allowed` is how many imports may be in flight at once. */
  constructor(clock: GateClock, allowed: () => number) {
    this.#clock = clock;
    this.#allowed = () => Math.max(1, allowed());
    this.#imports = new Lane(clock, true);
    this.#checks = new Lane(clock, false);
  }

  get state(): 'open' | 'paused' | 'probing' {
    if (this.waitMs > 0) return 'paused';
    return this.#imports.isProbing ? 'probing' : 'open';
  }

  /** Why imports wait, or go one at a time; undefined once an import has shown that it is over. */
  get pause(): GatePause | undefined {
    const { pause } = this.#known;
    return pause && { ...pause, untilMs: this.#imports.untilMs };
  }

  /** Unconfirmed imports in a row. */
  get brake(): number {
    return this.#known.brake;
  }

  /** Milliseconds until an import may begin; Infinity if the user has to act. */
  get waitMs(): number {
    return this.#imports.waitMs;
  }

  /** How many imports may begin now. A single file has one slot more, so that it doesn't wait behind a folder. */
  room(single: boolean): number {
    if (this.waitMs > 0) return 0;
    const { isProbing, hasProbe, size } = this.#imports;
    const allowed = this.#allowed();
    if (isProbing) return hasProbe || size >= allowed ? 0 : 1;
    return Math.max(0, Math.floor(Math.min(allowed, this.#known.limit)) + (single ? 1 : 0) - size);
  }

  /** An import begins. `id` is anything that identifies it in all its tries. */
  begin(id: unknown): void {
    this.#imports.begin(id);
    this.#known.sendingFromMs = undefined;
  }

  /** Bytes of an import are being sent. Returns whether that opened the gate. */
  sending(id: unknown): boolean {
    if (this.#imports.roleOf(id) !== 'probe') return false;
    const nowMs = this.#clock.monotonicMs();
    this.#known.sendingFromMs ??= nowMs;
    if (nowMs - this.#known.sendingFromMs < LONG_PROBE_MS) return false;
    this.#imports.openBeside(id);
    this.#known.pause = undefined;
    this.#known.limit = Math.max(2, this.#known.limit);
    return true;
  }

  /**
   * An import has ended. Returns `putBack` if it is queued again, because of the destination or to try another file first, and
   * `blocked` if it is final and a 403 for this file alone. `hasOther`: another import is queued or in flight.
   */
  end(id: unknown, outcome: Outcome<unknown>, hasOther: boolean): 'final' | 'blocked' | 'putBack' {
    const role = this.#imports.end(id);
    if (outcome.kind === 'rejected' && isForbidden(outcome)) return this.#forbid(id, outcome, role, hasOther);
    this.#known.forbidden.delete(id);
    const kind = kindAfter(outcome);
    if (role !== 'old') {
      if (outcome.kind === 'accepted') this.#accept(role);
      else if (kind !== undefined) this.#failBy(kind, outcome);
      else if (outcome.kind === 'rejected') this.#reject(outcome, role);
    }
    return kind === undefined || kind === 'unconfirmed' ? 'final' : 'putBack';
  }

  /** An import that began shows nothing: it was released or canceled, or its file is busy. */
  drop(id: unknown): void {
    this.#imports.end(id);
  }

  /** Milliseconds for which checks are paused; Infinity if the user has to act. */
  get checkPauseMs(): number {
    return this.#checks.waitMs;
  }

  /** Milliseconds until the next automatic check. */
  get checkWaitMs(): number {
    return Math.max(this.checkPauseMs, this.#nextCheckMs - this.#clock.monotonicMs());
  }

  /** Milliseconds from one check to the next. */
  get checkIntervalMs(): number {
    return 1000 / this.#checkRate;
  }

  get checksAtOnce(): number {
    return this.#checks.isProbing ? 1 : MAX_CHECKS;
  }

  /** A check begins; the result identifies it. */
  beginCheck(): object {
    const check = {};
    this.spendCheck();
    this.#checks.begin(check);
    return check;
  }

  /** A check is sent. */
  spendCheck(): void {
    this.#nextCheckMs = Math.max(this.#nextCheckMs, this.#clock.monotonicMs()) + this.checkIntervalMs;
  }

  /** A check has ended; without an outcome, it wasn't sent. `task` is anything that identifies the task. */
  endCheck(check: object, task: unknown, outcome: Outcome<unknown> | undefined): void {
    const role = this.#checks.end(check);
    if (role === 'old' || outcome === undefined) return;
    const kind = kindAfter(outcome);
    const askedMs = askedMsOf(outcome);
    if (outcome.kind === 'notUploaded' && isProxyLogin(outcome)) this.#failBy('unreachable', outcome);
    else if (askedMs !== undefined || (kind && kind !== 'unconfirmed')) this.#pauseChecks(askedMs);
    else if (outcome.kind === 'accepted' || outcome.kind === 'rejected') {
      this.#known.failedTasks.clear();
      this.#known.proxyLogins = 0;
      this.#checkRate = Math.min(MAX_CHECK_RATE, this.#checkRate + CHECK_RATE_STEP);
      this.#checks.succeed(role);
    } else if (outcome.cause.name === 'CanceledError') return;
    else if (this.#known.failedTasks.add(task).size >= MAX_FAILED_TASKS) this.#pauseChecks(undefined);
  }

  /** The user wants a check now, whatever pauses the others. */
  checkNow(): void {
    this.#checks.endPause();
  }

  /** The user wants to go on now, whatever the service asked for: one import goes first. */
  tryNow(): void {
    const known = this.#known;
    if (known.pause?.reason === 'rejections') {
      known.ignoredCode = known.rejections.code;
      known.pause = undefined;
    }
    this.#imports.endPause();
    this.#checks.endPause();
  }

  /** The user just started an import, or the cause may be gone: ends our own backoff, but not what the service asked for. */
  tryOne(): void {
    if (Number.isFinite(this.waitMs) || this.#known.pause?.reason === 'noTarget') this.#imports.endBackoff();
    if (Number.isFinite(this.checkPauseMs)) this.#checks.endBackoff();
  }

  /**
   * For another service, access key or request, or when this window takes over with so many unconfirmed imports in a row: what
   * is in flight shows nothing about it.
   */
  reset(brake = 0): void {
    this.#imports = new Lane(this.#clock, true);
    this.#checks = new Lane(this.#clock, false);
    this.#known = nothingKnown();
    this.#known.brake = brake;
    if (brake > BRAKE_PAUSES_MS.length) this.#pauseImports('unconfirmed', null, Number.POSITIVE_INFINITY);
  }

  #accept(role: Role): void {
    const known = this.#known;
    known.hasAccepted = true;
    this.#succeed(role);
    for (const id of known.forbidden.keys()) known.forbidden.set(id, 'ofFile');
    known.rejections = { code: '', count: 0 };
    known.ignoredCode = '';
    known.limit = Math.min(this.#allowed(), known.limit + 1 / known.limit);
  }

  #reject(outcome: Rejected, role: Role): void {
    const known = this.#known;
    this.#succeed(role);
    const { rejection } = outcome;
    const code = rejection.by === 'envelope' ? `code ${rejection.code}` : `HTTP ${rejection.status}`;
    if (code === known.ignoredCode) return;
    known.rejections = { code, count: code === known.rejections.code ? known.rejections.count + 1 : 1 };
    if (known.rejections.count >= MAX_REJECTIONS) this.#failBy('rejections', outcome);
  }

  /** The service responded to an import: it is there, even if it rejects this file. */
  #succeed(role: Role): void {
    this.#known.brake = 0;
    this.#known.proxyLogins = 0;
    if (!this.#imports.succeed(role)) return;
    this.#known.pause = undefined;
    this.#imports.isProbing = !this.#known.hasAccepted;
  }

  /**
   * A 403 is either about the key or about this file: another file shows which. If that one is accepted, the first file gets
   * its 403 again, and this time it is final.
   */
  #forbid(id: unknown, outcome: Rejected, role: Role, hasOther: boolean): 'final' | 'blocked' | 'putBack' {
    if (role === 'old') return 'putBack';
    this.#succeed(role);
    const { forbidden } = this.#known;
    const isOfFile = forbidden.get(id) === 'ofFile';
    const isSecond = [...forbidden.values()].includes('unclear');
    forbidden.delete(id);
    if (isOfFile) return 'blocked';
    if (!hasOther) return 'final';
    forbidden.set(id, 'unclear');
    this.#known.hasAccepted = false;
    if (isSecond) this.#failBy('badKey', outcome);
    else this.#imports.probeNext();
    return 'putBack';
  }

  /** Nothing can be sent from here. */
  fail(reason: 'noTarget' | 'store', cause: Cause | null): void {
    this.#pauseImports(reason, cause, FOR_USER.includes(reason) ? Number.POSITIVE_INFINITY : undefined);
  }

  #failBy(reason: PauseReason, outcome: Failed): void {
    const known = this.#known;
    const isProxy = isProxyLogin(outcome);
    if (reason === 'unconfirmed') known.brake += 1;
    known.proxyLogins = isProxy ? known.proxyLogins + 1 : 0;
    const isForUser = FOR_USER.includes(reason) || known.proxyLogins >= MAX_PROXY_LOGINS;
    const brakeMs = BRAKE_PAUSES_MS[known.brake - 1] ?? Number.POSITIVE_INFINITY;
    const ownMs = isForUser ? Number.POSITIVE_INFINITY : reason === 'unconfirmed' ? brakeMs : undefined;
    this.#pauseImports(reason, causeOf(outcome), ownMs, askedMsOf(outcome));
    if (isProxy) this.#pauseChecks(undefined, ownMs);
  }

  #pauseImports(reason: PauseReason, cause: Cause | null, ownMs: number | undefined, askedMs?: number): void {
    // A check's failure doesn't replace the reason for which the user has to act.
    if (this.waitMs === Number.POSITIVE_INFINITY) return;
    const known = this.#known;
    known.pause = { reason, cause };
    known.limit = Math.max(1, Math.floor(Math.min(known.limit, this.#imports.size + 1) / 2));
    this.#imports.pause(askedMs, ownMs);
  }

  #pauseChecks(askedMs: number | undefined, ownMs?: number): void {
    this.#known.failedTasks.clear();
    this.#checkRate = Math.max(MIN_CHECK_RATE, this.#checkRate / 2);
    this.#imports.isProbing = true;
    this.#checks.pause(askedMs, ownMs);
  }
}

/** What a gate knows of a service, access key and request that were not used yet. */
function nothingKnown() {
  return {
    pause: undefined as Omit<GatePause, 'untilMs'> | undefined,
    hasAccepted: false,
    brake: 0,
    /** Since when the probe has been sending. */
    sendingFromMs: undefined as number | undefined,
    /** Rejections of our credentials by the proxy, in a row. */
    proxyLogins: 0,
    rejections: { code: '', count: 0 },
    /** The code with which the user continues anyway, until something is accepted. */
    ignoredCode: '',
    /** Imports that got a 403, and whether that is known to be about the file. */
    forbidden: new Map<unknown, 'unclear' | 'ofFile'>(),
    /** How many imports at once: halved when a pause begins, then one more after about as many acceptances (AIMD). */
    limit: Number.POSITIVE_INFINITY,
    /** Tasks whose check failed since one succeeded. */
    failedTasks: new Set<unknown>(),
  };
}

/** What an outcome says about the destination; undefined if it is about this request alone. */
function kindAfter(outcome: Outcome<unknown>): 'unreachable' | 'busy' | 'unconfirmed' | 'badKey' | undefined {
  if (outcome.kind === 'accepted') return undefined;
  if (outcome.kind === 'rejected') return outcome.badKey ? 'badKey' : outcome.tryLater ? 'busy' : undefined;
  const { cause } = outcome;
  const isConnection = cause.name === 'ConnectError' || cause.name === 'ConnectionLostError';
  if (outcome.kind === 'notUploaded') return isConnection ? 'unreachable' : undefined;
  // With a repeated ID the service is fine; only whose response this is remains unclear.
  const isRepeatedId = cause.name === 'BadResponseError' && cause.reason === 'repeatedId';
  const isOwn = cause.name === 'CanceledError' || cause.name === 'SourceError';
  return isOwn || isRepeatedId ? undefined : 'unconfirmed';
}

/** Whether the proxy rejected our credentials. */
function isProxyLogin(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'notUploaded') return false;
  return outcome.cause.name === 'ConnectError' && outcome.cause.reason === 'proxyLogin';
}

/** How long the response asks to wait. */
function askedMsOf(outcome: Outcome<unknown>): number | undefined {
  return 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
}

/** The gates of all destinations. */
export class Gates {
  readonly #gates = new Map<string, Gate>();

  constructor(
    readonly clock: GateClock,
    readonly allowed: () => number = () => 1,
  ) {}

  of(destination: Destination): Gate {
    const key = destinationKey(destination);
    const gate = this.#gates.get(key) ?? new Gate(this.clock, this.allowed);
    this.#gates.set(key, gate);
    return gate;
  }
}
