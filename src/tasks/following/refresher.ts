import { UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { TaskId } from '../../service/json/taskId';
import type { Target } from '../../service/request/requests';
import { keptResponse } from '../../service/response/keptResponse';
import type { Outcome } from '../../service/response/outcome';
import type { TaskReport } from '../../service/response/taskReport';
import { type Destination, destinationKey, isAt } from '../destination';
import type { TaskList } from '../store/taskList';
import type { TaskChange } from '../store/taskStore';
import type { Clock } from '../timing/clock';
import { gotNoResponse, retried } from '../timing/retrying';
import { failureOf, isUnfinished, keptRefusal, type TrackedTask } from '../trackedTask';
import { DestinationQueries, isCanceled, type Paused } from './destinationQueries';

/** How long a task that gave no report is not asked about by itself. */
const TROUBLE_PAUSE_MS = 30_000;

/** When a task was asked about last, and before when it is not to be by itself; by the clock that only goes forward. */
interface LastAsked {
  readonly atMs: number;
  readonly notBeforeMs: number;
}

/** The turns of a destination's unfinished tasks that are under way. */
interface Round {
  readonly signal: AbortSignal;
  readonly ended: Promise<void>;
}

/** The dataset's service, ready to be asked; undefined where it is not known or has no access key. */
export type FindTarget = (dataset: string) => Promise<Target | undefined>;

/** What came of asking about a task. Undefined where it has no id or its destination cannot be asked. */
export type Refreshed = Outcome<TaskReport> | Paused | undefined;

/**
 * Asks the service how tasks are doing, through query-task, and records what it says. Each destination has turns of its
 * own, so that one which is silent or slow holds up no other.
 */
export class Refresher {
  readonly #service: ImportService;
  readonly #list: TaskList;
  readonly #findTarget: FindTarget;
  readonly #clock: Clock;
  readonly #queries = new Map<string, DestinationQueries>();
  readonly #rounds = new Map<string, Round>();
  readonly #asking = new Map<number, Promise<Outcome<TaskReport> | undefined>>();
  readonly #lastAsked = new Map<number, LastAsked>();

  constructor(service: ImportService, list: TaskList, findTarget: FindTarget, clock: Clock) {
    this.#service = service;
    this.#list = list;
    this.#findTarget = findTarget;
    this.#clock = clock;
  }

  /** Asks at once about a task, at most once at a time, as a person wants to know. */
  async refresh(task: TrackedTask, signal: AbortSignal): Promise<Refreshed> {
    const [refreshed] = await this.refreshAll([task], signal);
    return refreshed;
  }

  /**
   * Asks at once about tasks, as a person wants to know; gives what came of each, in their order. Where a destination
   * turns out to need a pause, its other tasks are not asked about.
   */
  async refreshAll(tasks: readonly TrackedTask[], signal: AbortSignal): Promise<Refreshed[]> {
    for (const key of new Set(tasks.map(destinationKey))) this.#queriesOf(key).probeNow();
    return Promise.all(
      tasks.map((task) => this.#queriesOf(destinationKey(task)).run(() => this.#askOnce(task.key, signal), true)),
    );
  }

  /** How long nothing is asked of a destination by itself; 0 where something may be. */
  pauseMs(destination: Destination): number {
    return this.#queriesOf(destinationKey(destination)).pauseMs;
  }

  /** Asks once about a task that need not be tracked, and keeps nothing. Undefined where it cannot be asked. */
  async lookUp(
    destination: Destination,
    taskId: TaskId,
    signal: AbortSignal,
  ): Promise<Outcome<TaskReport> | undefined> {
    const target = await this.#findTarget(destination.dataset);
    // Its ids mean nothing to a service at another origin, or other tasks.
    if (target === undefined || !isAt(destination, target.baseUrl)) return undefined;
    const queries = this.#queriesOf(destinationKey(destination));
    const ask = () => this.#service.queryTask(target, taskId, { signal });
    return retried(ask, (outcome) => gotNoResponse(outcome) && queries.pauseMs === 0, signal, this.#clock);
  }

  /** Ends the pauses of tasks and destinations, unless the service asked for them: what stood in the way may be mended. */
  endPauses(): void {
    for (const [key, { atMs }] of this.#lastAsked) this.#lastAsked.set(key, { atMs, notBeforeMs: atMs });
    for (const queries of this.#queries.values()) queries.endBackoff();
  }

  /**
   * Asks about every unfinished task that is due, those first that were not asked about for longest. A destination
   * whose last turns are still under way gets no more of them.
   */
  async refreshUnfinished(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonicMs();
    const isDue = (task: TrackedTask) =>
      isUnfinished(task) && now >= (this.#lastAsked.get(task.key)?.notBeforeMs ?? Number.NEGATIVE_INFINITY);
    const groups = Map.groupBy(this.#list.tasks.filter(isDue), destinationKey);
    await Promise.all([...groups].map(([key, tasks]) => this.#round(key, tasks, signal)));
  }

  async #round(destination: string, tasks: readonly TrackedTask[], signal: AbortSignal): Promise<void> {
    for (let round = this.#rounds.get(destination); round !== undefined; round = this.#rounds.get(destination)) {
      await round.ended;
      // One that was stopped has left tasks that are still due.
      if (!round.signal.aborted) return;
    }
    const ended = this.#askEach(destination, tasks, signal).finally(() => this.#rounds.delete(destination));
    this.#rounds.set(destination, { signal, ended });
    await ended;
  }

  async #askEach(destination: string, tasks: readonly TrackedTask[], signal: AbortSignal): Promise<void> {
    const queries = this.#queriesOf(destination);
    if (queries.pauseMs > 0) return;
    const lastMs = ({ key }: TrackedTask) => this.#lastAsked.get(key)?.atMs ?? Number.NEGATIVE_INFINITY;
    const inTurn = tasks.toSorted((one, other) =>
      lastMs(one) < lastMs(other) ? -1 : lastMs(one) > lastMs(other) ? 1 : 0,
    );
    let canBeAsked = true;
    const ask = async (key: number) => {
      // It may have ended, or gone, while others were asked about.
      const task = this.#list.get(key);
      if (!canBeAsked || signal.aborted || task === undefined || !isUnfinished(task)) return undefined;
      const outcome = await this.#askOnce(key, signal);
      canBeAsked = outcome !== undefined;
      return outcome;
    };
    await Promise.all(inTurn.map(({ key }) => queries.run(() => ask(key), false)));
  }

  async #askOnce(key: number, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    for (let asking = this.#asking.get(key); asking !== undefined; asking = this.#asking.get(key)) {
      const outcome = await asking;
      // Whoever asked may have stopped: that is no response for us.
      if (outcome === undefined || !isCanceled(outcome) || signal.aborted) return outcome;
    }
    const task = this.#list.get(key);
    if (task?.taskId === undefined) return undefined;
    const asking = this.#ask(task, task.taskId, signal).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Whatever is thrown on the way is this one query's outcome. */
  async #ask(task: TrackedTask, taskId: TaskId, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    const { key } = task;
    let outcome: Outcome<TaskReport> | undefined;
    let change: TaskChange | undefined;
    try {
      outcome = await this.lookUp(task, taskId, signal);
      change = outcome && changeAfter(outcome, this.#clock.now());
    } catch (cause) {
      outcome = { kind: 'unconfirmed', cause: new UnexpectedError({ cause }), sentBytes: 0, totalBytes: 0 };
      change = changeAfter(outcome, this.#clock.now());
    }
    // Its id may have turned out to be another one meanwhile: this says nothing of it then.
    if (outcome === undefined || isCanceled(outcome) || this.#list.get(key)?.taskId !== taskId) return outcome;
    const atMs = this.#clock.monotonicMs();
    this.#lastAsked.set(key, { atMs, notBeforeMs: atMs + taskPauseMs(outcome) });
    const isAskedAbout = (task: TrackedTask) => task.phase.kind === 'accepted' && task.taskId === taskId;
    if (change !== undefined) await this.#list.change(key, change, isAskedAbout);
    return outcome;
  }

  #queriesOf(destination: string): DestinationQueries {
    const queries = this.#queries.get(destination) ?? new DestinationQueries(this.#clock);
    this.#queries.set(destination, queries);
    return queries;
  }
}

/** A service that is busy has said nothing of the task: it waits with all the others of its destination, and no longer. */
function taskPauseMs(outcome: Outcome<TaskReport>): number {
  if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && outcome.tryLater)) return 0;
  return 'retryAfterMs' in outcome ? 0 : TROUBLE_PAUSE_MS;
}

function changeAfter(outcome: Outcome<TaskReport>, now: number): TaskChange | undefined {
  const lastResponse = keptResponse(outcome);
  const kept = lastResponse === undefined ? {} : { lastResponse };
  switch (outcome.kind) {
    case 'accepted':
      return {
        phase: { kind: 'accepted', report: outcome.taken },
        ...kept,
        checkedMs: now,
        lastQueryError: undefined,
      };
    case 'rejected':
      // A service that is busy has said nothing of the task.
      if (outcome.tryLater) return undefined;
      return {
        lastQueryError: {
          kind: 'rejected',
          refusal: keptRefusal(outcome.refusal),
          ...(outcome.badKey ? { badKey: true } : {}),
        },
        checkedMs: now,
        ...kept,
      };
    case 'notSent':
    case 'unconfirmed':
      return { lastQueryError: { kind: 'failed', failure: failureOf(outcome.cause) } };
  }
}
