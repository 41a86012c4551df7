import { UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { TaskId } from '../../service/json/taskId';
import { type OurTask, ourTask } from '../../service/places/whose';
import type { Target } from '../../service/request/requests';
import { keptResponse } from '../../service/response/keptResponse';
import type { Outcome } from '../../service/response/outcome';
import { reportAfter } from '../../service/response/reportAfter';
import type { TaskReport } from '../../service/response/taskReport';
import { type Destination, destinationKey, isAt } from '../destination';
import type { TaskList } from '../store/taskList';
import type { TaskChange } from '../store/taskStore';
import type { Clock } from '../timing/clock';
import { gotNoResponse, retried } from '../timing/retrying';
import { failureOf, isUnfinished, keptRefusal, type Phase, type TrackedTask } from '../trackedTask';
import { DestinationQueries, isCanceled, type Paused } from './destinationQueries';
import { type ContractOf, taskReportNow } from './rereadResponses';

/** How long a task is not asked about automatically after a query of it failed. */
const ERROR_PAUSE_MS = 30_000;

/** When a task was asked about last, and until when not to automatically; by the clock's `monotonicMs`. */
interface LastAsked {
  readonly atMs: number;
  readonly notBeforeMs: number;
}

/** One round of queries for the unfinished tasks of a destination. */
interface Round {
  readonly signal: AbortSignal;
  readonly ended: Promise<void>;
}

/** Gives the target of a dataset; undefined where the dataset is not known or has no access key. */
export type FindTarget = (dataset: string) => Promise<Target | undefined>;

/** The result of asking about a task; undefined where it has no id or its destination has no target. */
export type Refreshed = Outcome<TaskReport> | Paused | undefined;

/**
 * Asks for the status of tasks by query-task, and records the responses. Each destination has a queue of its own, so that
 * a slow or silent one delays no other.
 */
export class Refresher {
  readonly #service: ImportService;
  readonly #list: TaskList;
  readonly #findTarget: FindTarget;
  readonly #clock: Clock;
  readonly #contractOf: ContractOf;
  readonly #queries = new Map<string, DestinationQueries>();
  readonly #rounds = new Map<string, Round>();
  readonly #asking = new Map<number, Promise<Outcome<TaskReport> | undefined>>();
  readonly #lastAsked = new Map<number, LastAsked>();

  /** `contractOf` gives the contract by which a report is read as it is stored; without it, that of the target. */
  constructor(
    service: ImportService,
    list: TaskList,
    findTarget: FindTarget,
    clock: Clock,
    contractOf: ContractOf = () => undefined,
  ) {
    this.#service = service;
    this.#list = list;
    this.#findTarget = findTarget;
    this.#clock = clock;
    this.#contractOf = contractOf;
  }

  /** Asks about a task now, as the user wants to know. */
  async refresh(task: TrackedTask, signal: AbortSignal): Promise<Refreshed> {
    const [refreshed] = await this.refreshAll([task], signal);
    return refreshed;
  }

  /**
   * Asks about tasks now, as the user wants to know; returns the result of each, in their order. Where a query pauses its
   * destination, the remaining tasks of that destination are not asked about.
   */
  async refreshAll(tasks: readonly TrackedTask[], signal: AbortSignal): Promise<Refreshed[]> {
    for (const key of new Set(tasks.map(destinationKey))) this.#queriesOf(key).probeNow();
    const ask = async ({ key }: TrackedTask) => (signal.aborted ? undefined : this.#askOnce(key, signal));
    return Promise.all(tasks.map((task) => this.#queriesOf(destinationKey(task)).run(() => ask(task), true)));
  }

  /** How long a destination is sent no automatic query, in milliseconds; 0 where there is no pause. */
  pauseMs(destination: Destination): number {
    return this.#queriesOf(destinationKey(destination)).pauseMs;
  }

  /** Asks about any id once, now, as the user wants to know what the service responds; records nothing of it. */
  async probe(destination: Destination, taskId: TaskId, signal: AbortSignal): Promise<Refreshed> {
    const queries = this.#queriesOf(destinationKey(destination));
    queries.probeNow();
    return queries.run(() => this.lookUp(destination, taskId, signal, () => false), true);
  }

  /** Asks about a task, tracked or not, and records nothing. Undefined where its destination has no target. */
  async lookUp(
    destination: Destination,
    taskId: TaskId,
    signal: AbortSignal,
    isPassing: (outcome: Outcome<TaskReport>) => boolean = gotNoResponse,
  ): Promise<Outcome<TaskReport> | undefined> {
    const target = await this.#findTarget(destination.dataset);
    // A service at another origin may have other tasks under the same ids.
    if (target === undefined || !isAt(destination, target.baseUrl)) return undefined;
    const queries = this.#queriesOf(destinationKey(destination));
    const ask = () => this.#service.queryTask(target, taskId, { signal });
    const outcome = await retried(ask, (one) => isPassing(one) && queries.pauseMs === 0, signal, this.#clock);
    // The user may have replaced the key meanwhile.
    const isOutdated = outcome.kind === 'rejected' && outcome.badKey && (await this.#hasOtherKey(destination, target));
    return isOutdated ? this.lookUp(destination, taskId, signal, isPassing) : outcome;
  }

  async #hasOtherKey({ dataset }: Destination, { accessKey }: Target): Promise<boolean> {
    const now = await this.#findTarget(dataset);
    return now !== undefined && now.accessKey !== accessKey;
  }

  /** Ends the pauses of tasks and destinations that no service asked for, as the cause may be mended. */
  endPauses(): void {
    for (const [key, { atMs }] of this.#lastAsked) this.#lastAsked.set(key, { atMs, notBeforeMs: atMs });
    for (const queries of this.#queries.values()) queries.endBackoff();
  }

  /**
   * Asks about every unfinished task that is due, the longest unasked first. A destination whose last round has not
   * ended yet is left out, and not waited for.
   */
  async refreshUnfinished(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonicMs();
    // A task whose changes cannot be stored would take more memory with each response.
    const isDue = (task: TrackedTask) =>
      isUnfinished(task) &&
      !this.#list.isUnsaved(task.key) &&
      now >= (this.#lastAsked.get(task.key)?.notBeforeMs ?? Number.NEGATIVE_INFINITY);
    const groups = Map.groupBy(this.#list.tasks.filter(isDue), destinationKey);
    await Promise.all([...groups].map(([key, tasks]) => this.#round(key, tasks, signal)));
  }

  async #round(destination: string, tasks: readonly TrackedTask[], signal: AbortSignal): Promise<void> {
    const running = this.#rounds.get(destination);
    if (running !== undefined) {
      // It may take hours, and the checks of a timer would pile up.
      if (!running.signal.aborted) return;
      // A round that was stopped ends soon, and has left tasks that are still due.
      await running.ended;
      return this.#round(destination, tasks, signal);
    }
    const ended = this.#askEach(destination, tasks, signal).finally(() => this.#rounds.delete(destination));
    this.#rounds.set(destination, { signal, ended });
    await ended;
  }

  async #askEach(destination: string, tasks: readonly TrackedTask[], signal: AbortSignal): Promise<void> {
    const queries = this.#queriesOf(destination);
    if (queries.pauseMs > 0) return;
    const lastMs = ({ key }: TrackedTask) => this.#lastAsked.get(key)?.atMs ?? Number.NEGATIVE_INFINITY;
    const longestUnaskedFirst = tasks.toSorted((one, other) =>
      lastMs(one) < lastMs(other) ? -1 : lastMs(one) > lastMs(other) ? 1 : 0,
    );
    let canBeAsked = true;
    const ask = async (key: number) => {
      // It may have ended or been removed while others were asked about.
      const task = this.#list.get(key);
      if (!canBeAsked || signal.aborted || task === undefined || !isUnfinished(task)) return undefined;
      const outcome = await this.#askOnce(key, signal);
      canBeAsked = outcome !== undefined;
      return outcome;
    };
    await Promise.all(longestUnaskedFirst.map(({ key }) => queries.run(() => ask(key), false)));
  }

  async #askOnce(key: number, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    const running = this.#asking.get(key);
    if (running !== undefined) {
      const outcome = await running;
      // The caller who asked may have canceled, which is no outcome for this one.
      const asksAgain = outcome !== undefined && isCanceled(outcome) && !signal.aborted;
      return asksAgain ? this.#askOnce(key, signal) : outcome;
    }
    const task = this.#list.get(key);
    if (task?.taskId === undefined) return undefined;
    const asking = this.#ask(task, task.taskId, signal).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Sends one query and records its outcome. An unexpected error is the outcome of this query alone. */
  async #ask(task: TrackedTask, taskId: TaskId, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    const { key } = task;
    let outcome: Outcome<TaskReport> | undefined;
    let change: TaskChange | undefined;
    try {
      outcome = await this.lookUp(task, taskId, signal);
      const ours = ourTask(taskId, this.#contractOf(task)?.fileTask.taskId);
      change = outcome && changeAfter(outcome, this.#clock.now(), ours);
    } catch (cause) {
      outcome = { kind: 'unconfirmed', cause: new UnexpectedError({ cause }), sentBytes: 0, totalBytes: 0 };
      change = changeAfter(outcome, this.#clock.now());
    }
    // The user may have chosen another id for it meanwhile.
    if (outcome === undefined || isCanceled(outcome) || this.#list.get(key)?.taskId !== taskId) return outcome;
    const atMs = this.#clock.monotonicMs();
    this.#lastAsked.set(key, { atMs, notBeforeMs: atMs + taskPauseMs(outcome) });
    // Another window may have recorded its end meanwhile, which this response from before must not replace.
    const isAskedAbout = (now: TrackedTask) =>
      now.phase.kind === 'accepted' && now.taskId === taskId && (isUnfinished(now) || !isUnfinished(task));
    if (change === undefined) return outcome;
    const changeOf = (now: TrackedTask) =>
      outcome.kind === 'accepted' ? { ...change, phase: this.#phaseNow(outcome, now, taskId) } : change;
    await this.#list.update(key, (now) => (isAskedAbout(now) ? changeOf(now) : undefined));
    return outcome;
  }

  #phaseNow(outcome: Outcome<TaskReport> & { kind: 'accepted' }, task: TrackedTask, taskId: TaskId): Phase {
    const before = task.phase.kind === 'accepted' ? task.phase.report : undefined;
    const report = taskReportNow(outcome, this.#contractOf(task), taskId);
    return { kind: 'accepted', report: reportAfter(before, report) };
  }

  #queriesOf(destination: string): DestinationQueries {
    const queries = this.#queries.get(destination) ?? new DestinationQueries(this.#clock);
    this.#queries.set(destination, queries);
    return queries;
  }
}

/** How long a task is not asked about after an outcome. A busy service pauses the whole destination instead. */
function taskPauseMs(outcome: Outcome<TaskReport>): number {
  if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && outcome.tryLater)) return 0;
  return 'retryAfterMs' in outcome ? 0 : ERROR_PAUSE_MS;
}

function changeAfter(outcome: Outcome<TaskReport>, now: number, ours?: OurTask): TaskChange | undefined {
  const lastResponse = keptResponse(outcome, ours);
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
      // A busy service says nothing of the task.
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
