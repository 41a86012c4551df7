import { type Destination, destinationKey } from '../destination';
import { asSingle, taskIdsOf } from '../severalTasks';
import type { Store } from '../store/store';
import type { TaskList } from '../store/taskList';
import type { Clock } from '../timing/clock';
import { wait } from '../timing/wait';
import { isUnfinished, isUnverified, type TrackedTask } from '../trackedTask';
import { askedBy, DestinationFollower } from './destinationFollower';
import { type AskedQuestion, questionsOf, type Refresher } from './refresher';
import { type NextCheck, nameOf, type Question } from './schedule';
import type { WhyNotAsked } from './whyNotAsked';

/** How often to look for what other windows have changed, and for destinations that nobody follows. */
const PAUSE_MS = 1000;

export interface FollowerDeps {
  readonly list: Pick<TaskList, 'unfinished' | 'get' | 'sync' | 'isUnsaved' | 'events'>;
  readonly refresher: Pick<Refresher, 'ask' | 'budgetOf' | 'canAsk' | 'events' | 'endPauses'>;
  readonly leases: Store['leases'];
  readonly clock: Clock;
  /** Whether there is a task database; without one there is nothing to follow, and none is made. */
  readonly exists: () => boolean;
  /** Why a destination cannot be asked; undefined where it can, as far as is known. */
  readonly whyNotAsked: (destination: Destination) => WhyNotAsked | undefined;
  /** Gets unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** Who checks a task that has not ended, and when next. */
export type Following =
  | ({
      readonly by: 'thisWindow';
      /** Whether it is later than it could be, as reading the responses of its destination takes long. */
      readonly isSlowed: boolean;
    } & NextCheck)
  | { readonly by: 'otherWindow' };

/** What is queried for a task, and where. */
interface Followed {
  readonly at: DestinationFollower;
  readonly questions: readonly Question[];
}

/**
 * Follows every task to its end, whether or not a view is open: one window at a time asks about the tasks of a
 * destination, the one that holds its lease. Nothing that one destination does holds up another.
 */
export class Follower {
  readonly #deps: FollowerDeps;
  readonly #destinations = new Map<string, DestinationFollower>();
  /** By the tasks' keys. */
  readonly #followed = new Map<number, Followed>();
  /** The destinations that this window was able to ask, by their keys. */
  readonly #able = new Set<string>();
  readonly #learning = new Set<string>();
  #elsewhere: ReadonlySet<string> = new Set();
  /** Keys of the tasks that a person looks at in this window; undefined while no view is visible. */
  #looked: readonly number[] | undefined;
  #isListChanged = true;
  #stop: AbortController | undefined;
  #turns: Promise<void> = Promise.resolve();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    deps.list.events.on('change', (change) => {
      if (change.kind === 'list') this.#isListChanged = true;
      else for (const task of change.tasks) this.#note(task);
    });
    deps.refresher.events.on('asked', (asked) => this.#onAsked(asked));
  }

  /** Begins to follow. No effect where it does already. */
  start(): void {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    this.#turns = this.#run(this.#stop.signal);
  }

  /** Ends it, with all queries under way, and lets another window follow at once. */
  async stop(): Promise<void> {
    this.#stop?.abort();
    await this.#turns;
    for (const destination of this.#destinations.values()) destination.dispose();
    await this.#deps.leases.release().catch(this.#deps.onError);
  }

  /** Says which tasks a person looks at in this window; undefined while no view is visible. */
  show(looked: readonly number[] | undefined): void {
    this.#looked = looked;
  }

  /** Makes failed queries due again, as their cause may be mended: a dataset or a key has changed. */
  endPauses(): void {
    this.#able.clear();
    this.#deps.refresher.endPauses();
    for (const destination of this.#destinations.values()) {
      destination.schedule.retryFailed();
      destination.proceed();
    }
  }

  /** Who checks a task; undefined where nobody does: it has ended, or its destination cannot be asked. */
  followingOf(task: TrackedTask): Following | undefined {
    const followed = this.#followed.get(task.key);
    if (followed === undefined) return undefined;
    const { at, questions } = followed;
    if (!at.isAllowed) return this.#elsewhere.has(destinationKey(task)) ? { by: 'otherWindow' } : undefined;
    const budget = this.#deps.refresher.budgetOf(task);
    const { slowdown } = at.schedule;
    const next = questions.flatMap((question) => at.schedule.nextCheck(question, budget.intervalMs(slowdown)) ?? []);
    const [first] = next.sort((one, other) => one.inMs - other.inMs);
    if (first === undefined) return undefined;
    const waitMs = budget.waitMs(slowdown);
    const isSlowed = budget.isSlowedByReading(slowdown) && (first.isLatest || waitMs > first.inMs);
    return { by: 'thisWindow', ...first, inMs: Math.max(first.inMs, waitMs), isSlowed };
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#deps.exists()) await this.#turn().catch(this.#deps.onError);
      await wait(this.#deps.clock, PAUSE_MS, signal);
    }
  }

  async #turn(): Promise<void> {
    const { list, leases } = this.#deps;
    // The view says why the task database cannot be read.
    await list.sync().catch(() => {});
    if (this.#isListChanged) this.#noteAll();
    const wanted = [...this.#destinations].filter(([key, { destination, schedule }]) => {
      return schedule.size > 0 && this.#canAsk(key, destination);
    });
    const state = await leases.update(
      wanted.map(([key]) => key),
      this.#looked,
    );
    this.#elsewhere = state.elsewhere;
    for (const [key, destination] of this.#destinations) {
      destination.schedule.watch(state.isWatched, state.looked);
      destination.allowUntil(state.held.has(key) ? state.heldUntilMs : Number.NEGATIVE_INFINITY);
    }
  }

  /** Whether this window can ask a destination, as far as is known: its key is read once, and not waited for. */
  #canAsk(key: string, destination: Destination): boolean {
    const { whyNotAsked, refresher, onError } = this.#deps;
    if (whyNotAsked(destination) !== undefined) {
      this.#able.delete(key);
      return false;
    }
    if (this.#able.has(key)) return true;
    if (this.#learning.has(key)) return false;
    this.#learning.add(key);
    refresher
      .canAsk(destination)
      .then((canAsk) => canAsk && this.#able.add(key), onError)
      .finally(() => this.#learning.delete(key));
    return false;
  }

  #noteAll(): void {
    this.#isListChanged = false;
    for (const task of this.#deps.list.unfinished) this.#note(task);
    for (const [key, { at, questions }] of this.#followed) {
      if (this.#deps.list.get(key) !== undefined) continue;
      for (const question of questions) at.schedule.remove(question);
      this.#followed.delete(key);
    }
  }

  /** Puts into the schedule what is to be queried for a task, and removes what is not any more. */
  #note(task: TrackedTask): void {
    const before = this.#followed.get(task.key);
    const isFollowed = isUnfinished(task);
    if (before === undefined && !isFollowed) return;
    const questions = isFollowed ? questionsOf(task) : [];
    const at = isFollowed ? this.#at(task) : before?.at;
    const names = new Set(questions.map(nameOf));
    for (const question of before?.questions ?? []) {
      if (at === before?.at && names.has(nameOf(question))) continue;
      if (at === before?.at && hasEnded(task, question)) before?.at.schedule.end(question);
      else before?.at.schedule.remove(question);
    }
    if (!isFollowed || at === undefined) {
      this.#followed.delete(task.key);
      return;
    }
    this.#followed.set(task.key, { at, questions });
    const { attempts, createdMs, checkedMs } = task;
    const bornMs = this.#monotonicMs(attempts.at(-1)?.endedMs ?? createdMs);
    const changedMs = checkedMs === undefined ? bornMs : this.#monotonicMs(checkedMs);
    for (const question of questions) {
      const { phase } = asSingle(task, question.taskId);
      at.schedule.set(question, { bornMs, changedMs, isUnverified: isUnverified(phase) });
    }
    at.proceed();
  }

  #at(task: Destination): DestinationFollower {
    const key = destinationKey(task);
    const known = this.#destinations.get(key);
    if (known !== undefined) return known;
    const { refresher, clock, list, onError } = this.#deps;
    const { dataset, origin } = task;
    const destination = new DestinationFollower(
      { dataset, origin },
      {
        ...{ refresher, clock, onError },
        isUnsaved: (taskKey) => list.isUnsaved(taskKey),
        onUnable: () => this.#able.delete(key),
      },
    );
    this.#destinations.set(key, destination);
    return destination;
  }

  #onAsked({ question, outcome }: AskedQuestion): void {
    const followed = this.#followed.get(question.key);
    followed?.at.schedule.asked(question, askedBy(outcome));
    followed?.at.proceed();
  }

  /** A time of the wall clock by the clock that durations are measured with. */
  #monotonicMs(wallMs: number): number {
    const { clock } = this.#deps;
    return clock.monotonicMs() - Math.max(0, clock.now() - wallMs);
  }
}

/** Whether a task that is not queried any more, or one of its ids, has ended: otherwise it was removed or corrected. */
function hasEnded(task: TrackedTask, { taskId }: Question): boolean {
  return task.phase.kind === 'accepted' && taskIdsOf(task).includes(taskId);
}
