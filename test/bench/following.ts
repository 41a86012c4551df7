import { seeded } from '../kill/random';
import type { Comparison } from './comparison';
import { type Followed, followFleet, ownTask, type Policy, roundRobin, SimulatedClock } from './followedFleet';

const OURS = 'Dataset Import';
/** How many tasks of a fleet end a second; as many queries are allowed. */
const ENDS_A_SECOND = 10;
const POLL_MS = 5000;

/** The figures of one way to follow tasks. */
interface Figures {
  readonly requests: number;
  readonly delayMs: number;
}

/**
 * Requests a task and the mean delay from a task's end to its notice, at a simulated service and in simulated time: for
 * single tasks that take 3 s to 1 h, beside a fixed poll every 5 s; and for fleets of tasks that begin at once and end 10
 * a second, beside all of them in turn at the same budget, a fixed poll without a budget, and the least that any schedule
 * can reach.
 */
export async function following(short: boolean): Promise<Comparison[]> {
  const count = short ? 500 : 10_000;
  const fleetMs = (1000 * count) / ENDS_A_SECOND;
  const endsMs = Array.from({ length: count }, (_, task) => (fleetMs * (task + 1)) / count);
  const shuffledMs = shuffled(endsMs);
  const fleets: readonly (readonly [name: string, endsMs: readonly number[], least: string, leastFigures: Figures])[] =
    [
      ['end in order', endsMs, 'the least for who knows when each ends', { requests: 1, delayMs: 100 }],
      ['end in reverse', endsMs.toReversed(), 'the least for who knows when each ends', { requests: 1, delayMs: 100 }],
      ['end at random', shuffledMs, 'the least for who knows no order', leastWithoutOrder(fleetMs)],
    ];
  return [
    ...singleTasks(short ? 50 : 2000),
    ...fleets.flatMap(([name, ends, least, figures]) =>
      comparisons(`${count} tasks that ${name}, ${ENDS_A_SECOND} a second`, {
        [OURS]: figuresOf(follow(ends, ownTask)),
        'all in turn, as before': figuresOf(follow(ends, roundRobin)),
        'every 5 s, without a budget': meanOf(ends.map(polled)),
        [least]: figures,
      }),
    ),
  ];
}

/** Durations log-uniform from 3 s to 1 h. */
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

function follow(endsMs: readonly number[], policyOf: (count: number, clock: SimulatedClock) => Policy): Followed {
  const clock = new SimulatedClock(seeded(1));
  return followFleet(endsMs, clock, policyOf(endsMs.length, clock));
}

/** One task, asked about every 5 s from its begin on. */
function polled(endMs: number): Figures {
  const requests = Math.ceil(endMs / POLL_MS);
  return { requests, delayMs: requests * POLL_MS - endMs };
}

/**
 * What no schedule can beat that cannot know the order: a query finds an end most likely at the task that was unasked for
 * the longest. All are asked once while they end, one half of them in vain, and these a second time. In the time T of
 * the fleet, a task asked at s has ended before with probability s / T, by s / 2 on average; otherwise it ends at
 * (s + T) / 2, and its second turn comes at T + s - s² / 2T. The mean over s is T / 6 + 7 T / 24.
 */
function leastWithoutOrder(fleetMs: number): Figures {
  return { requests: 1.5, delayMs: fleetMs * (1 / 6 + 7 / 24) };
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
    { title: `${title}: requests a task`, runs: [{ ms: figure('requests') }], show: (one) => one.toFixed(2) },
    {
      title: `${title}: mean delay from the end to its notice`,
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
