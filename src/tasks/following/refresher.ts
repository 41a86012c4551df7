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
import { asSingle, changeOfOne, idsToAsk, taskIdsOf } from '../severalTasks';
import type { TaskList } from '../store/taskList';
import type { TaskChange } from '../store/taskStore';
import type { Clock } from '../timing/clock';
import { gotNoResponse, retried } from '../timing/retrying';
import { failureOf, isUnfinished, keptRefusal, type Phase, type TrackedTask } from '../trackedTask';
import { DestinationQueries, isCanceled, type Paused } from './destinationQueries';
import { type ContractOf, taskReportNow } from './rereadResponses';

/** How long a task is not asked about automatically after a query of it failed. */
const ERROR_PAUSE_MS = 30_000;

/** A query: the task's key, and the id of it or of one of its several tasks. */
interface Question {
  readonly key: number;
  readonly taskId: TaskId;
}

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
  /** Both by question. */
  readonly #asking = new Map<string, Promise<Outcome<TaskReport> | undefined>>();
  readonly #lastAsked = new Map<string, LastAsked>();

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
   * Asks about tasks now, as the user wants to know; returns the result of each, in their order: of one with several ids
   * the worst. Where a query pauses its destination, the remaining tasks of that destination are not asked about.
   */
  async refreshAll(tasks: readonly TrackedTask[], signal: AbortSignal): Promise<Refreshed[]> {
    for (const key of new Set(tasks.map(destinationKey))) this.#queriesOf(key).probeNow();
    const ask = async (question: Question) => (signal.aborted ? undefined : this.#askOnce(question, signal));
    const askAll = (given: TrackedTask) => {
      const task = this.#list.get(given.key) ?? given;
      const queries = this.#queriesOf(destinationKey(task));
      return Promise.all(questionsOf(task).map((question) => queries.run(() => ask(question), true)));
    };
    return Promise.all(tasks.map(async (task) => worst(await askAll(task))));
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
   * Asks about every unfinished task that is due, the longest unasked first, about each of several ids by itself. A
   * destination whose last round has not ended yet is left out, and not waited for.
   */
  async refreshUnfinished(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonicMs();
    // A task whose changes cannot be stored would take more memory with each response.
    const isAskable = (task: TrackedTask) => isUnfinished(task) && !this.#list.isUnsaved(task.key);
    const isDue = (question: Question) =>
      now >= (this.#lastAsked.get(nameOf(question))?.notBeforeMs ?? Number.NEGATIVE_INFINITY);
    const groups = Map.groupBy(this.#list.unfinished.filter(isAskable), destinationKey);
    await Promise.all(
      [...groups].map(([key, tasks]) => {
        const questions = tasks.flatMap(questionsOf).filter(isDue);
        return questions.length > 0 && this.#round(key, questions, signal);
      }),
    );
  }

  async #round(destination: string, questions: readonly Question[], signal: AbortSignal): Promise<void> {
    const running = this.#rounds.get(destination);
    if (running !== undefined) {
      // It may take hours, and the checks of a timer would pile up.
      if (!running.signal.aborted) return;
      // A round that was stopped ends soon, and has left tasks that are still due.
      await running.ended;
      return this.#round(destination, questions, signal);
    }
    const ended = this.#askEach(destination, questions, signal).finally(() => this.#rounds.delete(destination));
    this.#rounds.set(destination, { signal, ended });
    await ended;
  }

  async #askEach(destination: string, questions: readonly Question[], signal: AbortSignal): Promise<void> {
    const queries = this.#queriesOf(destination);
    if (queries.pauseMs > 0) return;
    const lastMs = (question: Question) => this.#lastAsked.get(nameOf(question))?.atMs ?? Number.NEGATIVE_INFINITY;
    const longestUnaskedFirst = questions.toSorted((one, other) =>
      lastMs(one) < lastMs(other) ? -1 : lastMs(one) > lastMs(other) ? 1 : 0,
    );
    let canBeAsked = true;
    const ask = async (question: Question) => {
      // It may have ended or been removed while others were asked about.
      const task = this.#list.get(question.key);
      if (!canBeAsked || signal.aborted || task === undefined) return undefined;
      if (!taskIdsOf(task).includes(question.taskId) || !isUnfinished(asSingle(task, question.taskId)))
        return undefined;
      const outcome = await this.#askOnce(question, signal);
      canBeAsked = outcome !== undefined;
      return outcome;
    };
    await Promise.all(longestUnaskedFirst.map((question) => queries.run(() => ask(question), false)));
  }

  async #askOnce(question: Question, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    const name = nameOf(question);
    const running = this.#asking.get(name);
    if (running !== undefined) {
      const outcome = await running;
      // The caller who asked may have canceled, which is no outcome for this one.
      const asksAgain = outcome !== undefined && isCanceled(outcome) && !signal.aborted;
      return asksAgain ? this.#askOnce(question, signal) : outcome;
    }
    const task = this.#list.get(question.key);
    if (task === undefined || !taskIdsOf(task).includes(question.taskId)) return undefined;
    const asking = this.#ask(task, question, signal).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /** Sends one query and records its outcome. An unexpected error is the outcome of this query alone. */
  async #ask(task: TrackedTask, question: Question, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    const { key, taskId } = question;
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
    const isStillOf = (now: TrackedTask) => taskIdsOf(now).includes(taskId);
    // The user may have chosen another id for it meanwhile.
    const known = this.#list.get(key);
    if (outcome === undefined || isCanceled(outcome) || known === undefined || !isStillOf(known)) return outcome;
    const atMs = this.#clock.monotonicMs();
    this.#lastAsked.set(nameOf(question), { atMs, notBeforeMs: atMs + taskPauseMs(outcome) });
    const isEnded = (one: TrackedTask) => !isUnfinished(asSingle(one, taskId));
    // Another window may have recorded its end meanwhile, which this response from before must not replace.
    const isAskedAbout = (now: TrackedTask) =>
      now.phase.kind === 'accepted' && isStillOf(now) && (!isEnded(now) || isEnded(task));
    if (change === undefined) return outcome;
    const changeOf = (now: TrackedTask) =>
      outcome.kind === 'accepted'
        ? { ...change, phase: this.#phaseNow(outcome, asSingle(now, taskId), taskId) }
        : change;
    await this.#list.update(key, (now) => (isAskedAbout(now) ? changeOfOne(now, taskId, changeOf(now)) : undefined));
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

function questionsOf(task: TrackedTask): Question[] {
  return idsToAsk(task).map((taskId) => ({ key: task.key, taskId }));
}

function nameOf({ key, taskId }: Question): string {
  return `${key} ${taskId}`;
}

/** What the user must know of the results of a task's queries: what gave no report, or was not asked. */
function worst(results: readonly Refreshed[]): Refreshed {
  const isWithoutReport = (result: Refreshed) => result !== undefined && result.kind !== 'accepted';
  const failed = results.find((result) => isWithoutReport(result) && result?.kind !== 'paused');
  return failed ?? results.find(isWithoutReport) ?? results.find((result) => result !== undefined);
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
