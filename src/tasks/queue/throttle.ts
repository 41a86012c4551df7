import type { Outcome } from '../../service/response/outcome';
import type { Clock } from '../timing/clock';
import { CircuitBreaker, type WaitReason, waitReasonAfter } from './circuitBreaker';
import { ConcurrencyLimiter } from './concurrencyLimiter';

/** Whether a service may be given more imports now, and how many: what their outcomes say of it. */
export class Throttle {
  readonly limiter: ConcurrencyLimiter;
  readonly breaker = new CircuitBreaker();

  constructor(clock: Clock) {
    this.limiter = new ConcurrencyLimiter(clock);
  }

  /** Takes in how an import ended that began in this round, with so many under way; gives whether an reason to wait is news. */
  recordOutcome(round: number, outcome: Outcome<unknown>, running: number, allowed: number): boolean {
    this.breaker.recordKeyOutcome(outcome);
    const waitReason = waitReasonAfter(outcome);
    if (waitReason !== undefined) {
      return this.meet(round, waitReason, running, 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined);
    }
    if (outcome.kind === 'accepted' || outcome.kind === 'rejected') this.breaker.answered(round);
    if (outcome.kind === 'accepted') this.limiter.succeeded(allowed);
    return false;
  }

  /** Takes in an reason to wait that an import met; gives whether it is news. `askedMs` is how long it asks to wait. */
  meet(round: number, waitReason: WaitReason, running: number, askedMs?: number): boolean {
    const isNews = this.breaker.failed(round, waitReason);
    const { consecutiveFailures } = this.breaker;
    if (isNews) this.limiter.throttled(consecutiveFailures, running, askedMs);
    else if (askedMs !== undefined) this.limiter.extendPause(consecutiveFailures, askedMs);
    return isNews;
  }

  /** Grants all tries anew, and ends a pause that the service has not asked for. */
  retry(): void {
    this.breaker.retry();
    this.limiter.clearBackoff();
  }

  /** Forgets all there was: it is another service now. */
  reset(): void {
    this.breaker.reset();
    this.limiter.reset();
  }
}
