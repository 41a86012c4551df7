import { Schedule, type Scheduled } from '../../src/tasks/following/schedule';
import { Gate, MAX_CHECKS } from '../../src/tasks/sending/gate';

/** How long the simulated service takes to respond. */
const RESPONSE_MS = 100;

/** What following a fleet has cost. */
export interface Followed {
  readonly requestsPerTask: number;
  /** From the end of a task to its notice, by task. */
  readonly delaysMs: readonly number[];
}

/** What a query finds. */
type QueryResult = 'unfinished' | 'finished' | 'failed';

/** Which task to ask about next; tasks are named by their number. */
export interface Policy {
  /** Undefined where none is due. */
  next(): number | undefined;
  /** Milliseconds until one is due; undefined where none is left. */
  waitMs(): number | undefined;
  responded(task: number, result: QueryResult): void;
}

/** Time that passes when it is told to. */
export class SimulatedClock {
  nowMs = 0;

  constructor(readonly random: () => number) {}

  readonly monotonicMs = () => this.nowMs;
}

/**
 * Follows tasks that all begin at once, each of which ends after its time, within the budget of a destination, until all
 * have ended that do. Every query of one that fails does. No time passes but in the simulation.
 */
export function followFleet(
  endsMs: readonly number[],
  clock: SimulatedClock,
  policy: Policy,
  fails: (task: number) => boolean = () => false,
): Followed {
  const ending = endsMs.filter((ms, task) => Number.isFinite(ms) && !fails(task)).length;
  const gate = new Gate(clock, () => 1);
  const delaysMs: number[] = [];
  const underWay: { readonly task: number; readonly doneMs: number; readonly result: QueryResult }[] = [];
  let requests = 0;
  while (delaysMs.length < ending) {
    while (underWay[0] !== undefined && underWay[0].doneMs <= clock.nowMs) {
      const { task, result } = underWay[0];
      underWay.shift();
      policy.responded(task, result);
      if (result === 'finished') delaysMs.push(clock.nowMs - (endsMs[task] ?? 0));
    }
    const canSend = underWay.length < MAX_CHECKS;
    const task = canSend && gate.checkWaitMs === 0 ? policy.next() : undefined;
    if (task !== undefined) {
      gate.spendCheck();
      requests += 1;
      const hasEnded = (endsMs[task] ?? 0) <= clock.nowMs + RESPONSE_MS / 2;
      const result = fails(task) ? 'failed' : hasEnded ? 'finished' : 'unfinished';
      underWay.push({ task, doneMs: clock.nowMs + RESPONSE_MS, result });
      continue;
    }
    const dueMs = canSend ? clock.nowMs + Math.max(gate.checkWaitMs, policy.waitMs() ?? Infinity) : Infinity;
    clock.nowMs = Math.min(dueMs, underWay[0]?.doneMs ?? Infinity);
  }
  return { requestsPerTask: requests / ending, delaysMs };
}

/** The extension's own schedule. */
export function ownTask(count: number, clock: SimulatedClock): Policy {
  const schedule = new Schedule<Scheduled>(clock);
  for (let task = 0; task < count; task++) schedule.add({ key: String(task), queuedMs: 0, changedMs: 0 });
  return {
    next() {
      const task = schedule.next();
      return task && Number(task.key);
    },
    waitMs: () => schedule.waitMs,
    responded: (task, result) => schedule.done(String(task), result),
  };
}

/** The longest unasked first, all of them in turn. */
export function roundRobin(count: number): Policy {
  const waiting = Array.from({ length: count }, (_, task) => task);
  let from = 0;
  return {
    next: () => waiting[from++],
    waitMs: () => (from < waiting.length ? 0 : undefined),
    responded(task, result) {
      if (result !== 'finished') waiting.push(task);
    },
  };
}
