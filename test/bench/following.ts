import { seeded } from '../kill/random';
import type { Comparison } from './comparison';
import { type Followed, followFleet, ownTask, type Policy, roundRobin, SimulatedClock } from './followedFleet';

const OURS = 'Dataset Import';
/** How many tasks in a fleet end per second. The same number of queries per second is allowed. */
const ENDS_A_SECOND = 10;
const POLL_MS = 5000;

/** The results for one policy. */
interface Figures {
  readonly requests: number;
  readonly delayMs: number;
}

/**
 * Simulates a service and a clock to measure requests per task, and the mean delay before we notice that a task has ended. For
 * single tasks that take 3 s to 1 h, compares our schedule with polling every 5 s. For fleets of tasks that start together
 * and end at 10 per second, compares it with checking all tasks in turn at the same rate.
 */
export async function following(short: boolean): Promise<Comparison[]> {
  const count = short ? 500 : 10_000;
  const fleetMs = (1000 * count) / ENDS_A_SECOND;
  const endsMs = Array.from({ length: count }, (_, task) => (fleetMs * (task + 1)) / count);
  const shuffledMs = shuffled(endsMs);
  const fleets: readonly (readonly [name: string, endsMs: readonly number[], fails?: (task: number) => boolean])[] = [
    ['end in order', endsMs],
    ['end in order, 100 at a time', endsMs.map((ms) => Math.ceil(ms / 10_000) * 10_000)],
    ['end in order in four lanes, each at its own pace', endsMs.map((_, task) => laneEndMs(task))],
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

/** Tasks whose durations are log-uniform from 3 s to 1 h. */
function singleTasks(count: number): Comparison[] {
  const durations = Array.from({ length: count }, (_, index) => 3000 * 1200 ** ((index + 0.5) / count));
  const own = durations.map((ms) => figuresOf(follow([ms], ownTask)));
  const fixed = durations.map(polled);
  const share = (all: readonly Figures[]) =>
    (100 * all.reduce((sum, { delayMs }, index) => sum + delayMs / (durations[index] ?? 1), 0)) / count;
  return [
    ...comparisons('One task that takes 3 s to 1 h', { [OURS]: meanOf(own), 'every 5 s': meanOf(fixed) }),
    {
      title: 'One task that takes 3 s to 1 h: mean of the delay in % of the age',
      runs: [{ ms: { [OURS]: share(own), 'every 5 s': share(fixed) } }],
      show: (percent) => `${percent.toFixed(1)} %`,
    },
  ];
}

/** When a task ends if four lanes process 4, 3, 2 and 1 tasks per second. */
function laneEndMs(task: number): number {
  return (1000 * (Math.floor(task / 4) + 1)) / (4 - (task % 4));
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
