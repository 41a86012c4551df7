import type { Outcome } from '../../service/response/outcome';
import type { Destination } from '../destination';
import { MAX_QUERIES } from '../serving/gate';
import type { Clock } from '../timing/clock';
import type { Refresher } from './refresher';
import { type Asked, type Question, Schedule } from './schedule';

export interface DestinationFollowerDeps {
  readonly refresher: Pick<Refresher, 'ask' | 'gateOf'>;
  readonly clock: Clock;
  /** Whether a task cannot be stored at present: each response about it would take more memory. */
  isUnsaved(key: number): boolean;
  /** This window perhaps cannot ask the destination any more; it does not until it is allowed to again. */
  readonly onUnable: () => void;
  /** Gets unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** Asks about the tasks of one destination by its schedule, a few at a time, while this window is allowed to. */
export class DestinationFollower {
  readonly destination: Destination;
  readonly schedule: Schedule;
  readonly #deps: DestinationFollowerDeps;
  readonly #stop = new AbortController();
  #underWay = 0;
  /** Until when this window may ask, by the clock's `monotonicMs`. */
  #allowedUntilMs = Number.NEGATIVE_INFINITY;
  #forgetTimer = () => {};

  constructor(destination: Destination, deps: DestinationFollowerDeps) {
    this.destination = destination;
    this.schedule = new Schedule(deps.clock);
    this.#deps = deps;
  }

  /** Whether this window asks at present. */
  get isAllowed(): boolean {
    return this.#deps.clock.monotonicMs() < this.#allowedUntilMs;
  }

  /** Allows this window to ask until then, or forbids it by a time that is over. */
  allowUntil(ms: number): void {
    this.#allowedUntilMs = ms;
    this.proceed();
  }

  /** Sends what is due and allowed, and comes back when more is. To be called whenever the schedule has changed. */
  proceed(): void {
    this.#forgetTimer();
    const { refresher, clock } = this.#deps;
    const gate = refresher.gateOf(this.destination);
    while (this.#underWay < MAX_QUERIES && this.isAllowed && !this.#stop.signal.aborted) {
      const dueMs = this.schedule.waitMs;
      if (dueMs === undefined) return;
      const waitMs = Math.ceil(Math.max(dueMs, gate.queryWaitMs(this.schedule.slowdown)));
      const question = waitMs > 0 ? undefined : this.schedule.next();
      if (question === undefined) {
        this.#forgetTimer = clock.after(waitMs, () => this.proceed());
        return;
      }
      if (this.#deps.isUnsaved(question.key)) this.schedule.asked(question, 'responded');
      else void this.#ask(question);
    }
  }

  /** Ends all queries under way. */
  dispose(): void {
    this.#stop.abort();
    this.#forgetTimer();
  }

  async #ask(question: Question): Promise<void> {
    this.#underWay += 1;
    const { refresher, onUnable, onError } = this.#deps;
    try {
      const refreshed = await refresher.ask(this.destination, question, this.#stop.signal);
      if (refreshed === undefined) {
        this.#allowedUntilMs = Number.NEGATIVE_INFINITY;
        onUnable();
      }
    } catch (error) {
      onError(error);
      this.schedule.asked(question, 'failed');
    } finally {
      // Where there was an outcome, the schedule has it already.
      this.schedule.asked(question, 'dropped');
      this.#underWay -= 1;
      this.proceed();
    }
  }
}

/** What an outcome means for the schedule. A busy service says nothing against the task, and pauses its destination itself. */
export function askedBy(outcome: Outcome<unknown>): Asked {
  if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && outcome.tryLater)) return 'responded';
  return 'retryAfterMs' in outcome ? 'responded' : 'failed';
}
