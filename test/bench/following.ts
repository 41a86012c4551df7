import { Schedule, type Scheduled } from '../../src/tasks/following/schedule';
import { Gate, MAX_CHECKS } from '../../src/tasks/sending/gate';
import { seeded } from '../unit/tasks/seeded';
import type { Comparison } from './comparison';

const OURS = 'Dataset Import';
/** How many of the simulated tasks end per second. This is also the maximum number of queries per second. */
const ENDS_A_SECOND = 10;
const POLL_MS = 5000;

/** The results for one scheduling policy. */
interface Figures {
  readonly requests: number;
  readonly delayMs: number;
}

/**
 * Simulates a service and a clock to measure the requests per task and the mean delay before we notice that a task has
 * ended. For single tasks that take 3 s to 1 h, compares our schedule with polling every 5 s. For fleets of tasks that
 * start together and end at a rate of 10 per second, compares it with checking all tasks in turn at the same rate.
 */
export async function following(short: boolean): Promise<Comparison[]> {
  const count = short ? 500 : 10_000;
  const fleetMs = (1000 * count) / ENDS_A_SECOND;
  const endsMs = Array.from({ length: count }, (_, task) => (fleetMs * (task + 1)) / count);
  const shuffledMs = shuffled(endsMs);
  // The service processes tasks in four lanes, at rates of 4, 3, 2 and 1 tasks per second.
  const lanesMs = endsMs.map((_, task) => (1000 * (Math.floor(task / 4) + 1)) / (4 - (task % 4)));
  const fleets: readonly (readonly [name: string, endsMs: readonly number[], fails?: (task: number) => boolean])[] = [
    ['end in order', endsMs],
    ['end in order, 100 at a time', endsMs.map((ms) => Math.ceil(ms / 10_000) * 10_000)],
    ['end in order in four lanes, each at its own pace', lanesMs],
    ['end at random', shuffledMs],
    ['end in reverse', endsMs.toReversed()],
    ['end in order, except every other task, which never ends', endsMs.map((ms, task) => (task % 2 ? ms : Infinity))],
    ['end in order, except one in a hundred, whose queries always fail', endsMs, (task) => task % 100 === 0],
  ];
  return [
    ...singleTasks(short ? 50 : 2000),
    ...fleets.flatMap(([name, ends, fails]) =>
      comparisons(`${count} tasks that ${name}`, {
        [OURS]: figuresOf(follow(ends, ownTask, fails)),
        'all in turn': figuresOf(follow(ends, roundRobin, fails)),
      }),
    ),
  ];
}

/** Compares our schedule with polling for tasks whose durations are log-uniformly distributed from 3 s to 1 h. */
function singleTasks(count: number): Comparison[] {
  const durations = Array.from({ length: count }, (_, index) => 3000 * 1200 ** ((index + 0.5) / count));
  const own = durations.map((ms) => figuresOf(follow([ms], ownTask)));
  const fixed = durations.map(polled);
  return comparisons('One task that takes 3 s to 1 h', { [OURS]: meanOf(own), 'every 5 s': meanOf(fixed) });
}

function follow(
  endsMs: readonly number[],
  policyOf: (count: number, clock: SimulatedClock) => Policy,
  fails?: (task: number) => boolean,
): Followed {
  const clock = new SimulatedClock(seeded(1));
  return followFleet(endsMs, clock, policyOf(endsMs.length, clock), fails);
}

/** Polls one task every 5 s. */
function polled(endMs: number): Figures {
  const requests = Math.ceil(endMs / POLL_MS);
  return { requests, delayMs: requests * POLL_MS - endMs };
}

function figuresOf({ requestsPerTask, delaysMs }: Followed): Figures {
  return { requests: requestsPerTask, delayMs: mean(delaysMs) };
}

function meanOf(all: readonly Figures[]): Figures {
  return { requests: mean(all.map(({ requests }) => requests)), delayMs: mean(all.map(({ delayMs }) => delayMs)) };
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

function comparisons(title: string, ways: Readonly<Record<string, Figures>>): Comparison[] {
  const figure = (name: keyof Figures) =>
    Object.fromEntries(Object.entries(ways).map(([way, all]) => [way, all[name]]));
  return [
    { title: `${title}: requests per task`, runs: [{ ms: figure('requests') }], show: (one) => one.toFixed(2) },
    {
      title: `${title}: mean delay until the end is noticed`,
      runs: [{ ms: figure('delayMs') }],
      show: (ms) => `${(ms / 1000).toFixed(1)} s`,
    },
  ];
}

function shuffled(all: readonly number[]): number[] {
  const random = seeded(2);
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** How long the simulated service takes to respond. */
const RESPONSE_MS = 100;

/** The results of tracking a fleet of tasks. */
interface Followed {
  readonly requestsPerTask: number;
  /** For each task, how long it took us to notice that it had ended. */
  readonly delaysMs: readonly number[];
}

type QueryResult = 'unfinished' | 'finished' | 'failed';

/** Chooses the task to check next. Tasks are identified by number. */
interface Policy {
  /** Returns undefined if no task is due. */
  next(): number | undefined;
  /** Returns how many milliseconds remain until a task is due, or undefined if there are no more tasks. */
  waitMs(): number | undefined;
  responded(task: number, result: QueryResult): void;
}

/** A clock that the simulation advances. */
class SimulatedClock {
  nowMs = 0;

  constructor(readonly random: () => number) {}

  readonly monotonicMs = () => this.nowMs;
}

/**
 * Tracks tasks that all start together and end at the given times. Sends as many queries as a destination allows. If
 * `fails` returns true for a task, all of its queries fail. Stops once it has noticed that all tasks have ended, except
 * for those that never end or whose queries fail.
 */
function followFleet(
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
function ownTask(count: number, clock: SimulatedClock): Policy {
  const schedule = new Schedule<Scheduled>(clock);
  for (let task = 0; task < count; task++)
    schedule.add({ key: String(task), queuedMs: 0, changedMs: 0, isFailing: false });
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
function roundRobin(count: number): Policy {
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
