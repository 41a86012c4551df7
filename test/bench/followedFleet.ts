import { Schedule, type Scheduled } from '../../src/tasks/following/schedule';
import { Gate, MAX_CHECKS } from '../../src/tasks/sending/gate';

/** How long the simulated service takes to respond. */
const RESPONSE_MS = 100;

/** What it costs to follow a fleet of tasks. */
export interface Followed {
  readonly requestsPerTask: number;
  /** For each task, the time from its end until we noticed it. */
  readonly delaysMs: readonly number[];
}

type QueryResult = 'unfinished' | 'finished' | 'failed';

/** Chooses the task to check next. Tasks are numbered. */
export interface Policy {
  /** Undefined if no task is due. */
  next(): number | undefined;
  /** Milliseconds until a task is due; undefined if there are no more tasks. */
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
 * Follows tasks that all start together and end at the given times, until it has noticed the end of every finite task. Sends
 * as many queries as a destination allows. If `fails` is true for a task, all its queries fail.
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
  const inFlight: { readonly task: number; readonly doneMs: number; readonly result: QueryResult }[] = [];
  let requests = 0;
  while (delaysMs.length < ending) {
    while (inFlight[0] !== undefined && inFlight[0].doneMs <= clock.nowMs) {
      const { task, result } = inFlight[0];
      inFlight.shift();
      policy.responded(task, result);
      if (result === 'finished') delaysMs.push(clock.nowMs - (endsMs[task] ?? 0));
    }
    const canSend = inFlight.length < MAX_CHECKS;
    const task = canSend && gate.checkWaitMs === 0 ? policy.next() : undefined;
    if (task !== undefined) {
      gate.spendCheck();
      requests += 1;
      const hasEnded = (endsMs[task] ?? 0) <= clock.nowMs + RESPONSE_MS / 2;
      const result = fails(task) ? 'failed' : hasEnded ? 'finished' : 'unfinished';
      inFlight.push({ task, doneMs: clock.nowMs + RESPONSE_MS, result });
      continue;
    }
    const dueMs = canSend ? clock.nowMs + Math.max(gate.checkWaitMs, policy.waitMs() ?? Infinity) : Infinity;
    clock.nowMs = Math.min(dueMs, inFlight[0]?.doneMs ?? Infinity);
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
