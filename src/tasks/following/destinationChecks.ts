import type { Outcome } from '../../service/response/outcome';
import type { Destination } from '../destination';
import type { Gate } from '../sending/gate';
import type { Clock } from '../timing/clock';
import type { FollowedTask } from './followedRows';
import { Schedule } from './schedule';

/** A check that was not sent, because its destination is paused for this long. */
export interface Paused {
  readonly kind: 'paused';
  readonly pauseMs: number;
}

/**
 * The status checks of one destination: first those that the user wants, then those that are due by the schedule. As many
 * at once and as many a second as the gate allows.
 */
export class DestinationChecks {
  readonly destination: Destination;
  readonly gate: Gate;
  readonly schedule: Schedule<FollowedTask>;
  readonly #clock: Clock;
  /** Each begins a check that the user wants. */
  readonly #wanted = new Set<() => void>();
  #check: (task: FollowedTask) => Promise<Outcome<unknown> | undefined> = async () => undefined;
  #inFlight = 0;
  #isProbeWanted = false;
  #allowedUntilMs = Number.NEGATIVE_INFINITY;
  #stopTimer = () => {};

  constructor(destination: Destination, gate: Gate, clock: Clock) {
    this.destination = destination;
    this.gate = gate;
    this.#clock = clock;
    this.schedule = new Schedule(clock);
  }

  /** Whether this window checks by the schedule at present. */
  get isAllowed(): boolean {
    return this.#clock.monotonicMs() < this.#allowedUntilMs;
  }

  /** How to check what is due. */
  follow(check: (task: FollowedTask) => Promise<Outcome<unknown> | undefined>): void {
    this.#check = check;
  }

  /** Checks by the schedule until then; not at all if that time is over. */
  allowUntil(ms: number): void {
    this.#allowedUntilMs = ms;
    this.proceed();
  }

  /** Lets the next check that the user wants end a pause, even one that begins before its turn. */
  probeNow(): void {
    this.#isProbeWanted = true;
  }

  /** Sends a check that the user wants, as soon as it is its turn; not in a pause. */
  async run<Value>(
    row: number,
    check: () => Promise<Outcome<Value> | undefined>,
    signal: AbortSignal,
  ): Promise<Outcome<Value> | Paused | undefined> {
    const { promise, resolve } = Promise.withResolvers<Outcome<Value> | Paused | undefined>();
    const begin = () => {
      if (this.#isProbeWanted) this.gate.checkNow();
      this.#isProbeWanted = false;
      const pauseMs = this.gate.checkPauseMs;
      resolve(pauseMs > 0 ? { kind: 'paused', pauseMs } : this.#send(row, check));
    };
    const cancel = () => {
      this.#wanted.delete(begin);
      resolve(undefined);
    };
    if (signal.aborted) return undefined;
    signal.addEventListener('abort', cancel);
    this.#wanted.add(begin);
    this.proceed();
    return promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  /** Sends what may be sent now, and continues when more may. Call it whenever the schedule has changed. */
  proceed(): void {
    this.#stopTimer();
    while (this.#inFlight < this.gate.checksAtOnce) {
      const [wanted] = this.#wanted;
      const waitMs = wanted === undefined ? this.#scheduledWaitMs : this.#wantedWaitMs;
      if (waitMs === undefined) return;
      if (waitMs > 0) {
        this.#stopTimer = this.#clock.after(Math.ceil(waitMs), () => this.proceed());
        return;
      }
      if (wanted === undefined) this.#sendNext();
      else {
        this.#wanted.delete(wanted);
        wanted();
      }
    }
  }

  stop(): void {
    this.#allowedUntilMs = Number.NEGATIVE_INFINITY;
    this.#stopTimer();
  }

  get #scheduledWaitMs(): number | undefined {
    const { waitMs } = this.schedule;
    return waitMs === undefined || !this.isAllowed ? undefined : Math.max(waitMs, this.gate.checkWaitMs);
  }

  /** In a pause, the check is sent or given up at once. */
  get #wantedWaitMs(): number {
    return this.gate.checkPauseMs > 0 ? 0 : this.gate.budget.wantedWaitMs;
  }

  #sendNext(): void {
    const task = this.schedule.next();
    if (task !== undefined) void this.#send(task.row, () => this.#check(task));
  }

  async #send<Value>(
    row: number,
    check: () => Promise<Outcome<Value> | undefined>,
  ): Promise<Outcome<Value> | undefined> {
    this.#inFlight += 1;
    this.gate.budget.spend();
    const begun = this.gate.beginCheck();
    let outcome: Outcome<Value> | undefined;
    try {
      outcome = await check();
      return outcome;
    } finally {
      this.gate.endCheck(begun, row, outcome);
      this.#inFlight -= 1;
      this.proceed();
    }
  }
}

/** Whether a check was canceled by whoever wanted it. */
export function isCanceled(outcome: Outcome<unknown>): boolean {
  return 'cause' in outcome && outcome.cause.name === 'CanceledError';
}
