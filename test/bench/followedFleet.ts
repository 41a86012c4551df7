import { Schedule, type Scheduled } from '../../src/tasks/following/schedule';
import { Gate, MAX_CHECKS } from '../../src/tasks/sending/gate';

/** How long the simulated service takes to respond. */
const RESPONSE_MS = 100;

/** The cost of following a fleet. */
export interface Followed {
  readonly requestsPerTask: number;
  /** The delay from the end of each task until it was noticed. */
  readonly delaysMs: readonly number[];
}

/** The result of a query. */
type QueryResult = 'unfinished' | 'finished' | 'failed';

/** Chooses the task to check next. Tasks are named by their numbers. */
export interface Policy {
  /** Undefined if no task is due. */
  next(): number | undefined;
  /** Milliseconds until a task is due; undefined if no task is left. */
  waitMs(): number | undefined;
  responded(task: number, result: QueryResult): void;
}

/** A clock that the simulation sets. */
export class SimulatedClock {
  nowMs = 0;

  constructor(readonly random: () => number) {}

  readonly monotonicMs = () => this.nowMs;
}

/**
 * Follows tasks that all start together and end at the given times, within the budget of a destination, until all finite
 * tasks have been noticed. If `fails` is true for a task, all its queries fail.
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

/** Checks all tasks in turn. */
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
