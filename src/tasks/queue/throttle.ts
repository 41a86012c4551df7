import type { Outcome } from '../../service/response/outcome';
import type { Clock } from '../timing/clock';
import { CircuitBreaker, type Obstacle, obstacleAfter } from './circuitBreaker';
import { Pace } from './pace';

/** Whether a service may be given more imports now, and how many: what their outcomes say of it. */
export class Throttle {
  readonly pace: Pace;
  readonly breaker = new CircuitBreaker();

  constructor(clock: Clock) {
    this.pace = new Pace(clock);
  }

  /** Takes in how an import ended that began in this round, with so many under way; gives whether an obstacle is news. */
  judge(round: number, outcome: Outcome<unknown>, running: number, allowed: number): boolean {
    this.breaker.judgeKey(outcome);
    const obstacle = obstacleAfter(outcome);
    if (obstacle !== undefined) {
      return this.meet(round, obstacle, running, 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined);
    }
    if (outcome.kind === 'accepted' || outcome.kind === 'rejected') this.breaker.answered(round);
    if (outcome.kind === 'accepted') this.pace.wentWell(allowed);
    return false;
  }

  /** Takes in an obstacle that an import met; gives whether it is news. `askedMs` is how long it asks to wait. */
  meet(round: number, obstacle: Obstacle, running: number, askedMs?: number): boolean {
    const isNews = this.breaker.failed(round, obstacle);
    const { failuresInARow } = this.breaker;
    if (isNews) this.pace.pushedBack(failuresInARow, running, askedMs);
    else if (askedMs !== undefined) this.pace.askedToWait(failuresInARow, askedMs);
    return isNews;
  }

  /** Grants all tries anew, and ends a pause that the service has not asked for. */
  retry(): void {
    this.breaker.retry();
    this.pace.hurry();
  }

  /** Forgets all there was: it is another service now. */
  reset(): void {
    this.breaker.reset();
    this.pace.beginAnew();
  }
}
