// Decides when a destination's next import or status check may start, and how many may run at once.
//
// An open gate lets imports start until the maximum number is in flight. A paused gate lets none start until the pause
// ends on its own or the user acts. A probing gate lets imports through one at a time, until one of them shows that the
// destination works again.
//
// A pause is about the destination, not about one file. The gate ignores requests that were in flight when the pause
// began: eight lost connections are one incident. Status checks have their own pause, during which imports continue one
// at a time.
import { isForbidden, type Outcome, type Rejected } from '../../service/response/outcome';
import { type Cause, type Pause, rejectionCode } from '../store/model';
import type { Clock } from '../timing/clock';
import { backoffMs, retryDelayMs } from '../timing/retrying';
import { causeOf, type Failed } from './importEnd';

type GateClock = Pick<Clock, 'monotonicMs' | 'random'>;
type Code = ReturnType<typeof rejectionCode>;

/**
 * `noKey` means that the dataset or its access key is missing, and `store` means that the task database can't be
 * written.
 */
export type PauseReason = 'unreachable' | 'busy' | 'unconfirmed' | 'badKey' | 'rejections' | 'noKey' | 'store';

export interface GatePause {
  readonly reason: PauseReason;
  /** Null if the store failed, or if the pause was restored from the store. */
  readonly cause: Cause | null;
  /**
   * When the pause ends, on the monotonic clock. This is in the past while an import is being tried, and Infinity if
   * the user has to act.
   */
  readonly untilMs: number;
}

/** Max status checks in flight. */
export const MAX_CHECKS = 4;
/** Max status checks per second. */
const MAX_CHECK_RATE = 10;
/** Min status checks per second. A lower rate would take too long to recover. */
const MIN_CHECK_RATE = 0.5;
/** Each response adds this to the rate. At 10 checks per second, the rate grows by 1 per second. */
const CHECK_RATE_STEP = 0.1;
/**
 * After this many consecutive rejections with the same code, pause until the user acts, because the key may have
 * expired.
 */
const MAX_REJECTIONS = 3;
/** Reasons for pauses that only the user can end. */
const FOR_USER: readonly PauseReason[] = ['badKey', 'noKey', 'rejections'];
/**
 * The brake: how long to pause after the first and second consecutive unconfirmed imports. After the third, wait until
 * the user chooses Try Now.
 */
const BRAKE_PAUSES_MS = [1000, 5000];
/**
 * After a proxy has rejected this many logins, wait until the user chooses Try Now, because wrong passwords can lock an
 * account.
 */
const MAX_PROXY_LOGINS = 2;
/** If checks of this many different tasks fail in a row, the problem lies with the destination. */
const MAX_FAILED_TASKS = 3;
/** While imports are sent one at a time, if one takes longer than this to send, the others stop waiting for it. */
const LONG_PROBE_MS = 5000;

/** `old` requests don't count, because they were sent before a pause began. */
type Role = 'probe' | 'counts' | 'old';

/** Tracks the requests in flight and the pause for either a destination's imports or its status checks. */
class Lane {
  readonly #inFlight = new Map<unknown, Role>();
  /** The number of consecutive pauses. */
  #failures = 0;
  /** When the pause ends or ended, on the monotonic clock. Infinity if only the user can end it. */
  untilMs = 0;
  /** When the wait requested by the service ends. */
  #askedUntilMs = 0;

  constructor(
    private readonly clock: GateClock,
    /** Whether requests are sent one at a time until one succeeds. */
    public isProbing: boolean,
  ) {}

  get size(): number {
    return this.#inFlight.size;
  }

  get hasProbe(): boolean {
    return [...this.#inFlight.values()].includes('probe');
  }

  get waitMs(): number {
    return Math.max(0, this.untilMs - this.clock.monotonicMs());
  }

  begin(id: unknown): void {
    this.#inFlight.set(id, this.isProbing ? 'probe' : 'counts');
  }

  /** Undefined if the request was in flight when the gate was reset. */
  roleOf(id: unknown): Role | undefined {
    return this.#inFlight.get(id);
  }

  end(id: unknown): Role | undefined {
    const role = this.roleOf(id);
    this.#inFlight.delete(id);
    return role;
  }

  /**
   * Pauses for as long as the service asks, but at least for `ownMs`. By default, `ownMs` is a backoff that grows with each
   * pause.
   */
  pause(askedMs: number | undefined, ownMs?: number): void {
    this.probeNext();
    this.#failures += 1;
    const nowMs = this.clock.monotonicMs();
    const leastMs = ownMs ?? backoffMs(this.#failures, this.clock.random);
    const waitMs = leastMs === Number.POSITIVE_INFINITY ? leastMs : retryDelayMs(askedMs, leastMs);
    this.untilMs = Math.max(this.untilMs, nowMs + waitMs);
    this.#askedUntilMs = Math.max(this.#askedUntilMs, nowMs + retryDelayMs(askedMs, 0));
  }

  /** Extends a pause if another response asks for a longer wait. */
  extend(askedMs: number): void {
    if (this.waitMs === 0) return;
    this.#askedUntilMs = Math.max(this.#askedUntilMs, this.clock.monotonicMs() + retryDelayMs(askedMs, 0));
    this.untilMs = Math.max(this.untilMs, this.#askedUntilMs);
  }

  /** Makes the next request the probe. Requests already in flight no longer count. */
  probeNext(): void {
    this.isProbing = true;
    for (const id of this.#inFlight.keys()) this.#inFlight.set(id, 'old');
  }

  /** Lets other requests start while the probe is in flight. The probe's outcome still counts. */
  openBeside(probe: unknown): void {
    this.isProbing = false;
    this.#inFlight.set(probe, 'counts');
  }

  /** Call this after a request succeeds. Only a successful probe ends probing. Returns whether the lane is open. */
  succeed(role: Role): boolean {
    if (this.isProbing && role !== 'probe') return false;
    this.isProbing = false;
    this.#failures = 0;
    return true;
  }

  /** Ends our own backoff, but not a wait that the service asked for. */
  endBackoff(): void {
    this.untilMs = this.#askedUntilMs;
  }

  /** Ends the pause, even if the service asked for it. */
  endPause(): void {
    this.untilMs = this.#askedUntilMs = 0;
  }
}

export class Gate {
  readonly #allowed: () => number;
  #imports: Lane;
  #checks: Lane;
  #known = nothingKnown();
  /** The current number of checks per second. It is halved if the service pushes back, then raised step by step. */
  #checkRate = MAX_CHECK_RATE;
  #nextCheckMs = Number.NEGATIVE_INFINITY;

  /** `allowed` returns how many imports may be in flight at once. */
  constructor(
    private readonly clock: GateClock,
    allowed: () => number,
  ) {
    this.#allowed = () => Math.max(1, allowed());
    this.#imports = new Lane(clock, true);
    this.#checks = new Lane(clock, false);
  }

  get state(): 'open' | 'paused' | 'probing' {
    if (this.waitMs > 0) return 'paused';
    return this.#imports.isProbing ? 'probing' : 'open';
  }

  /**
   * Why imports are paused or sent one at a time, or undefined once an import has shown that the destination works
   * again.
   */
  get pause(): GatePause | undefined {
    return this.#known.pause && { ...this.#known.pause, untilMs: this.#imports.untilMs };
  }

  /** The number of consecutive unconfirmed imports. */
  get brake(): number {
    return this.#known.brake;
  }

  /** Milliseconds until an import may start. Infinity if the user has to act. */
  get waitMs(): number {
    return this.#imports.waitMs;
  }

  /** How many imports may start now. Single files get one extra slot, so that they don't wait behind a folder. */
  room(single: boolean): number {
    if (this.waitMs > 0) return 0;
    const { isProbing, hasProbe, size } = this.#imports;
    const allowed = this.#allowed();
    if (isProbing) return hasProbe || size >= allowed ? 0 : 1;
    return Math.max(0, Math.floor(Math.min(allowed, this.#known.limit)) + (single ? 1 : 0) - size);
  }

  /** Call this when an import starts. `id` is the same each time the import is tried. */
  begin(id: unknown): void {
    this.#imports.begin(id);
    this.#known.sendingFromMs = undefined;
  }

  /** Whether an import may send its first byte. False if imports were paused or the gate was reset since it started. */
  maySend(id: unknown): boolean {
    return (this.#imports.roleOf(id) ?? 'old') !== 'old';
  }

  /** Call this after some bytes of an import have been sent. Returns whether this opened the gate. */
  sending(id: unknown): boolean {
    if (this.#imports.roleOf(id) !== 'probe') return false;
    const nowMs = this.clock.monotonicMs();
    this.#known.sendingFromMs ??= nowMs;
    if (nowMs - this.#known.sendingFromMs < LONG_PROBE_MS) return false;
    this.#imports.openBeside(id);
    this.#known.pause = undefined;
    this.#known.limit = Math.max(2, this.#known.limit);
    return true;
  }

  /**
   * Call this when an import has ended. Returns `putBack` if it should be queued again, either because of a problem
   * with the destination or to try another file first. Returns `blocked` if a 403 is final and concerns only this file.
   * `hasOther` is whether another import is queued or in flight.
   */
  end(id: unknown, outcome: Outcome<unknown>, hasOther: boolean): 'final' | 'blocked' | 'putBack' {
    const knownRole = this.#imports.end(id);
    const role = knownRole ?? 'old';
    const isRepeat = id === this.#known.lastEnded;
    this.#known.lastEnded = id;
    if (outcome.kind === 'rejected' && isForbidden(outcome))
      return this.#forbid(id, outcome, role, { hasOther, isRepeat });
    this.#known.forbidden.delete(id);
    const kind = kindAfter(outcome);
    const askedMs = askedMsOf(outcome);
    if (role === 'old' && askedMs !== undefined) this.#imports.extend(askedMs);
    if (role !== 'old') {
      if (outcome.kind === 'accepted') this.#accept(role);
      else if (kind !== undefined) this.#failBy(kind, outcome);
      else if (outcome.kind === 'rejected') this.#reject(outcome, role);
    }
    if (kind !== undefined && kind !== 'unconfirmed') return 'putBack';
    if (knownRole !== undefined || outcome.kind !== 'rejected') return 'final';
    return rejectionCode(causeOf(outcome)) === this.#known.replacedCode ? 'putBack' : 'final';
  }

  /**
   * Call this when an import has ended without telling us anything about the destination, for example because its file is in
   * use.
   */
  drop(id: unknown): void {
    this.#imports.end(id);
  }

  /** Milliseconds until checks may continue. Infinity if the user has to act. */
  get checkPauseMs(): number {
    return this.#checks.waitMs;
  }

  /** Milliseconds until the next check may start. */
  get checkWaitMs(): number {
    return Math.max(this.checkPauseMs, this.#nextCheckMs - this.clock.monotonicMs());
  }

  get checksAtOnce(): number {
    return this.#checks.isProbing ? 1 : MAX_CHECKS;
  }

  /** Call this when a check starts, and pass the result to `endCheck`. */
  beginCheck(): object {
    const check = {};
    this.spendCheck();
    this.#checks.begin(check);
    return check;
  }

  /** Counts a request toward the rate limit for checks. */
  spendCheck(): void {
    this.#nextCheckMs = Math.max(this.#nextCheckMs, this.clock.monotonicMs()) + 1000 / this.#checkRate;
  }

  /**
   * Call this when a check has ended. `outcome` is undefined if nothing was sent. `task` is the key of the checked
   * task.
   */
  endCheck(check: object, task: unknown, outcome: Outcome<unknown> | undefined): void {
    const role = this.#checks.end(check) ?? 'old';
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

  /** Ends a pause in status checks after the user asks for a check. */
  checkNow(): void {
    this.#checks.endPause();
  }

  /**
   * Ends all pauses after the user chooses Try Now. One import is tried first. `pause` may also be a pause that an
   * earlier window stored.
   */
  tryNow(pause: Omit<Pause, 'untilMs'> | null = this.#known.pause ?? null): void {
    const known = this.#known;
    if (pause?.reason === 'rejections') {
      known.ignoredCode = rejectionCode(pause.cause);
      known.pause = undefined;
    }
    this.#imports.endPause();
    this.#checks.endPause();
  }

  /** Ends a pause after rejections because the user imports something new. If that is rejected with the same code, pauses again. */
  endRejections(): void {
    this.#known.pause = undefined;
    this.#imports.endPause();
  }

  /** Ends our own backoff after the user starts an import or changes the settings. */
  tryOne(): void {
    if (Number.isFinite(this.waitMs) || this.#known.pause?.reason === 'noKey') this.#imports.endBackoff();
    if (Number.isFinite(this.checkPauseMs)) this.#checks.endBackoff();
  }

  /**
   * Resets the gate after the access key or request settings change, or when this window takes over. `brake` is the
   * stored number of consecutive unconfirmed imports. Requests already in flight no longer count. Imports that are
   * rejected with the code that caused the pause are sent again.
   */
  reset(brake = 0): void {
    const { pause, rejections, replacedCode } = this.#known;
    this.#imports = new Lane(this.clock, true);
    this.#checks = new Lane(this.clock, false);
    this.#known = { ...nothingKnown(), brake };
    this.#known.replacedCode = pause?.reason === 'rejections' ? rejections.code : replacedCode;
    if (brake > BRAKE_PAUSES_MS.length) this.fail('unconfirmed', null, Number.POSITIVE_INFINITY);
  }

  #accept(role: Role): void {
    const known = this.#known;
    known.hasAccepted = true;
    this.#succeed(role);
    for (const id of known.forbidden.keys()) known.forbidden.set(id, 'ofFile');
    known.rejections = { code: undefined, count: 0 };
    known.ignoredCode = undefined;
    known.limit = Math.min(this.#allowed(), known.limit + 1 / known.limit);
  }

  #reject(outcome: Rejected, role: Role): void {
    const known = this.#known;
    this.#succeed(role);
    const code = rejectionCode(causeOf(outcome));
    if (code === known.ignoredCode) return;
    known.rejections = { code, count: code === known.rejections.code ? known.rejections.count + 1 : 1 };
    if (known.rejections.count >= MAX_REJECTIONS) this.#failBy('rejections', outcome);
  }

  /** Call this when the service has responded to an import, even if it rejected the file. */
  #succeed(role: Role): void {
    this.#known.brake = 0;
    this.#known.proxyLogins = 0;
    if (!this.#imports.succeed(role)) return;
    this.#known.pause = undefined;
    this.#imports.isProbing = !this.#known.hasAccepted;
  }

  /**
   * Handles a 403, which concerns either the key or this file. Trying another file shows which. If the other file gets a
   * 403, too, imports pause for the key. If it is accepted, the first file is tried again, and a second 403 is final.
   * `isRepeat` means that no other import has ended since this file's last attempt.
   */
  #forbid(
    id: unknown,
    outcome: Rejected,
    role: Role,
    { hasOther, isRepeat }: { readonly hasOther: boolean; readonly isRepeat: boolean },
  ): 'final' | 'blocked' | 'putBack' {
    const { forbidden } = this.#known;
    const before = forbidden.get(id);
    const isSecond = [...forbidden].some(([other, kind]) => other !== id && kind === 'unclear');
    if (role === 'old') {
      // If no other 403 is unclear, this request may have had an earlier key.
      if (isSecond && before === undefined) forbidden.set(id, 'unclear');
      return 'putBack';
    }
    this.#succeed(role);
    forbidden.delete(id);
    if (before === 'ofFile') return 'blocked';
    // If the same file is tried twice in a row, no other file can be tried now.
    if (!hasOther || (isRepeat && before === 'unclear' && !isSecond)) return 'final';
    forbidden.set(id, 'unclear');
    this.#known.hasAccepted = false;
    if (isSecond) this.#failBy('badKey', outcome);
    else this.#imports.probeNext();
    return 'putBack';
  }

  #failBy(reason: PauseReason, outcome: Failed): void {
    const known = this.#known;
    const isProxy = isProxyLogin(outcome);
    if (reason === 'unconfirmed') known.brake += 1;
    known.proxyLogins = isProxy ? known.proxyLogins + 1 : 0;
    const brakeMs = BRAKE_PAUSES_MS[known.brake - 1] ?? Number.POSITIVE_INFINITY;
    const isLocking = known.proxyLogins >= MAX_PROXY_LOGINS;
    const ownMs = isLocking ? Number.POSITIVE_INFINITY : reason === 'unconfirmed' ? brakeMs : undefined;
    this.fail(reason, causeOf(outcome), ownMs, askedMsOf(outcome));
    if (isProxy) this.#pauseChecks(undefined, ownMs);
  }

  /**
   * Pauses imports. `ownMs` is how long we want to wait, by default a backoff. `askedMs` is how long the service asked
   * us to wait.
   */
  fail(reason: PauseReason, cause: Cause | null, ownMs?: number, askedMs?: number): void {
    // Keep a pause that only the user can end.
    if (this.waitMs === Number.POSITIVE_INFINITY) return;
    const known = this.#known;
    const { untilMs } = this.#imports;
    known.limit = Math.max(1, Math.floor(Math.min(known.limit, this.#imports.size + 1) / 2));
    this.#imports.pause(askedMs, FOR_USER.includes(reason) ? Number.POSITIVE_INFINITY : ownMs);
    // Keep the reason for an earlier pause that lasts longer.
    if (this.#imports.untilMs > untilMs) known.pause = { reason, cause };
  }

  #pauseChecks(askedMs: number | undefined, ownMs?: number): void {
    this.#known.failedTasks.clear();
    this.#checkRate = Math.max(MIN_CHECK_RATE, this.#checkRate / 2);
    this.#imports.isProbing = true;
    this.#checks.pause(askedMs, ownMs);
  }
}

/** The initial state, before we know anything about the service, access key or request settings. */
function nothingKnown() {
  return {
    pause: undefined as Omit<GatePause, 'untilMs'> | undefined,
    hasAccepted: false,
    brake: 0,
    /** When the probe sent its first byte. */
    sendingFromMs: undefined as number | undefined,
    /** The number of consecutive logins that the proxy has rejected. */
    proxyLogins: 0,
    rejections: { code: undefined as Code, count: 0 },
    /**
     * An error code that no longer pauses imports, because the user chose Try Now after repeated rejections with that
     * code. Cleared when an import is accepted.
     */
    ignoredCode: undefined as Code,
    /** The error code of the repeated rejections before the access key or request settings changed. */
    replacedCode: undefined as Code,
    /**
     * Imports that got a 403. `ofFile` means that another file has been accepted since, so the 403 was about the file and not
     * about the access key.
     */
    forbidden: new Map<unknown, 'unclear' | 'ofFile'>(),
    /** The import that ended last. */
    lastEnded: undefined as unknown,
    /** Max imports in flight (AIMD). A pause halves it, and each accepted import adds 1/limit. */
    limit: Number.POSITIVE_INFINITY,
    /** Tasks whose checks have failed since the last successful check. */
    failedTasks: new Set<unknown>(),
  };
}

/** What an outcome tells us about the destination, or undefined if it concerns only this request. */
function kindAfter(outcome: Outcome<unknown>): 'unreachable' | 'busy' | 'unconfirmed' | 'badKey' | undefined {
  if (outcome.kind === 'accepted') return undefined;
  if (outcome.kind === 'rejected') return outcome.badKey ? 'badKey' : outcome.tryLater ? 'busy' : undefined;
  const { cause } = outcome;
  const isConnection = cause.name === 'ConnectError' || cause.name === 'ConnectionLostError';
  if (outcome.kind === 'notUploaded') return isConnection ? 'unreachable' : undefined;
  return cause.name === 'CanceledError' || cause.name === 'SourceError' ? undefined : 'unconfirmed';
}

function isProxyLogin(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'notUploaded') return false;
  return outcome.cause.name === 'ConnectError' && outcome.cause.reason === 'proxyLogin';
}

function askedMsOf(outcome: Outcome<unknown>): number | undefined {
  return 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
}
