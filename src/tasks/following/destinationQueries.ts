import type { Outcome } from '../../service/response/outcome';
import type { Gate } from '../sending/gate';
import type { Clock } from '../timing/clock';
import { wait } from '../timing/wait';

/** A query that was not sent, as its destination is paused for so long. */
export interface Paused {
  readonly kind: 'paused';
  readonly pauseMs: number;
}

/** The queries of one destination: each waits for its turn, urgent ones go first, and as many at once as the gate allows. */
export class DestinationQueries {
  readonly gate: Gate;
  readonly #clock: Clock;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #isProbeWanted = false;

  constructor(clock: Clock, gate: Gate) {
    this.#clock = clock;
    this.gate = gate;
  }

  /** Lets the next urgent query end any pause, also one that begins before its turn: the user wants to know now. */
  probeNow(): void {
    this.#isProbeWanted = true;
  }

  /**
   * Sends a query once it is its turn; not where there is a pause by then. Who sends automatic ones keeps to the budget; urgent
   * ones are held to it here. `key` is that of the task, where it is tracked.
   */
  async run<Value>(
    key: number | undefined,
    ask: () => Promise<Outcome<Value> | undefined>,
    signal: AbortSignal,
    isUrgent: boolean,
  ): Promise<Outcome<Value> | Paused | undefined> {
    const { gate } = this;
    if (!isUrgent) gate.budget.spend();
    await this.#turn(isUrgent);
    try {
      if (isUrgent && this.#isProbeWanted) {
        this.#isProbeWanted = false;
        gate.checkNow();
      }
      if (isUrgent && gate.checkPauseMs === 0 && !signal.aborted) {
        const waitMs = gate.budget.reserve();
        if (waitMs > 0) await wait(this.#clock, waitMs, signal);
      }
      if (gate.checkPauseMs > 0) return { kind: 'paused', pauseMs: gate.checkPauseMs };
      const check = gate.beginCheck();
      const outcome = await ask().catch((error: unknown) => {
        gate.endCheck(check, key, undefined);
        throw error;
      });
      gate.endCheck(check, key, outcome);
      return outcome;
    } finally {
      this.#underWay -= 1;
      this.#next();
    }
  }

  #turn(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => {
      (isUrgent ? this.#urgent : this.#waiting).push(resolve);
      this.#next();
    });
  }

  #next(): void {
    while (this.#underWay < this.gate.checksAtOnce) {
      const begin = this.#urgent.shift() ?? this.#waiting.shift();
      if (begin === undefined) return;
      this.#underWay += 1;
      begin();
    }
  }
}

/** Whether a query was stopped by whoever asked. */
export function isCanceled(outcome: Outcome<unknown>): boolean {
  return 'cause' in outcome && outcome.cause.name === 'CanceledError';
}
