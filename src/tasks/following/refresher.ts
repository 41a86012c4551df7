import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../service/contract/contract';
import { UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { TaskId } from '../../service/json/taskId';
import type { Target } from '../../service/request/requests';
import { keptResponse } from '../../service/response/keptResponse';
import { mayBeBadKey, type Outcome } from '../../service/response/outcome';
import { reportAfter } from '../../service/response/reportAfter';
import type { TaskReport } from '../../service/response/taskReport';
import { type Destination, destinationKey, isAt } from '../destination';
import { type ContractOf, taskReportNow } from '../responseNow';
import type { Gate } from '../sending/gate';
import { Gates } from '../serving/gates';
import { asSingle, changeOfOne, idsToAsk, taskIdsOf } from '../severalTasks';
import type { TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import type { Clock } from '../timing/clock';
import { gotNoResponse, retried } from '../timing/retrying';
import {
  type Accepted,
  failureOf,
  isRunningState,
  isUnfinished,
  keptRefusal,
  type TrackedTask,
  taskState,
} from '../trackedTask';
import { DestinationQueries, isCanceled, type Paused } from './destinationQueries';
import { nameOf, type Question } from './schedule';
import { isMarkedStalled, Stalls, withStalledMark } from './stalls';

/** Gives the target of a dataset; undefined where the dataset is not known or has no access key. */
export type FindTarget = (dataset: string) => Promise<Target | undefined>;

/** The result of asking about a task; undefined where it is gone, has no id or its destination has no target. */
export type Refreshed = Outcome<TaskReport> | Paused | undefined;

/** A query that has ended, as any part of this window wanted it. */
export interface AskedQuestion {
  readonly destination: Destination;
  readonly question: Question;
  readonly outcome: Outcome<TaskReport>;
}

/**
 * Asks for the status of tasks by query-task, and records the responses. Each destination has a queue of its own, so that
 * a slow or silent one delays no other.
 */
export class Refresher {
  readonly events = new EventEmitter<{ asked: [AskedQuestion] }>();
  readonly #service: ImportService;
  readonly #list: TaskList;
  readonly #findTarget: FindTarget;
  readonly #clock: Clock;
  readonly #contractOf: ContractOf;
  readonly #gates: Gates;
  readonly #stalls: Stalls;
  readonly #queries = new Map<string, DestinationQueries>();
  /** By question. */
  readonly #asking = new Map<string, Promise<Outcome<TaskReport> | undefined>>();

  /**
   * `contractOf` gives the contract by which a report is read as it is stored; without it, that of the target. The `gates`
   * are those of the imports too.
   */
  constructor(
    service: ImportService,
    list: TaskList,
    findTarget: FindTarget,
    clock: Clock,
    contractOf: ContractOf = () => undefined,
    gates = new Gates(clock),
  ) {
    this.#service = service;
    this.#list = list;
    this.#findTarget = findTarget;
    this.#clock = clock;
    this.#contractOf = contractOf;
    this.#gates = gates;
    this.#stalls = new Stalls(list.history, clock);
  }

  /** Asks about a task now, as the user wants to know. */
  async refresh(task: TrackedTask, signal: AbortSignal): Promise<Refreshed> {
    const [refreshed] = await this.refreshAll([task], signal);
    return refreshed;
  }

  /**
   * Asks about tasks now, as the user wants to know; returns the result of each, in their order: of one with several ids
   * the worst. Where a query pauses its destination, the remaining tasks of that destination are not queried.
   */
  async refreshAll(tasks: readonly TrackedTask[], signal: AbortSignal): Promise<Refreshed[]> {
    for (const task of tasks) this.#queriesOf(task).probeNow();
    const ask = async (question: Question) => (signal.aborted ? undefined : this.#askOnce(question, signal, false));
    const askAll = (given: TrackedTask) => {
      const task = this.#list.get(given.key) ?? given;
      const queries = this.#queriesOf(task);
      return Promise.all(
        questionsOf(task).map((question) => queries.run(question.key, () => ask(question), signal, true)),
      );
    };
    return Promise.all(tasks.map(async (task) => worst(await askAll(task))));
  }

  /**
   * Asks one question automatically, once its turn comes; not in a pause of its destination. As with every query, a
   * response that says nothing new is not recorded.
   */
  async ask(destination: Destination, question: Question, signal: AbortSignal): Promise<Refreshed> {
    const ask = async () => {
      // It may have ended or been removed while it waited.
      const task = this.#list.get(question.key);
      const isOver = task === undefined || !isUnfinished(asSingle(task, question.taskId));
      return signal.aborted || isOver ? undefined : this.#askOnce(question, signal, true);
    };
    return this.#queriesOf(destination).run(question.key, ask, signal, false);
  }

  /** Whether this window can ask a destination: it knows the dataset at its origin, and a key. */
  async canAsk(destination: Destination): Promise<boolean> {
    const target = await this.#findTarget(destination.dataset);
    return target !== undefined && isAt(destination, target.baseUrl);
  }

  /** What decides how many automatic queries a destination may be sent, and when. */
  gateOf(destination: Destination): Gate {
    return this.#gates.of(destination);
  }

  /** Asks about any id once, now, as the user wants to know what the service responds; records nothing of it. */
  async probe(destination: Destination, taskId: TaskId, signal: AbortSignal): Promise<Refreshed> {
    const queries = this.#queriesOf(destination);
    queries.probeNow();
    return queries.run(undefined, () => this.lookUp(destination, taskId, signal, () => false), signal, true);
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
    const gate = this.#gates.of(destination);
    let tries = 0;
    const ask = () => {
      if (tries++ > 0) gate.budget.spend();
      return this.#service.queryTask(target, taskId, { signal });
    };
    const outcome = await retried(ask, (one) => isPassing(one) && gate.checkPauseMs === 0, signal, this.#clock);
    // The user may have replaced the key or changed the request meanwhile.
    const isOutdated = outcome.kind === 'rejected' && (await this.#hasOtherTarget(destination, target));
    return isOutdated ? this.lookUp(destination, taskId, signal, isPassing) : outcome;
  }

  async #hasOtherTarget({ dataset }: Destination, before: Target): Promise<boolean> {
    const now = await this.#findTarget(dataset);
    const isSame = now?.accessKey === before.accessKey && isDeepStrictEqual(now.contract, before.contract);
    return now !== undefined && !isSame;
  }

  /** Ends the pauses of destinations that no service asked for, as the cause may be mended. */
  endPauses(): void {
    for (const { gate } of this.#queries.values()) gate.tryOne();
  }

  async #askOnce(
    question: Question,
    signal: AbortSignal,
    isAutomatic: boolean,
  ): Promise<Outcome<TaskReport> | undefined> {
    const name = nameOf(question);
    const running = this.#asking.get(name);
    if (running !== undefined) {
      const outcome = await running;
      // The caller who asked may have canceled, which is no outcome for this one.
      const asksAgain = outcome !== undefined && isCanceled(outcome) && !signal.aborted;
      return asksAgain ? this.#askOnce(question, signal, isAutomatic) : outcome;
    }
    const task = this.#list.get(question.key);
    if (task === undefined || !taskIdsOf(task).includes(question.taskId)) return undefined;
    const asking = this.#ask(task, question, signal, isAutomatic).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /** Sends one query and records its outcome. An unexpected error is the outcome of this query alone. */
  async #ask(
    task: TrackedTask,
    question: Question,
    signal: AbortSignal,
    isAutomatic: boolean,
  ): Promise<Outcome<TaskReport> | undefined> {
    const { key, taskId } = question;
    let contract: Contract | undefined;
    let outcome: Outcome<TaskReport> | undefined;
    let change: TaskChange | undefined;
    try {
      const responded = await this.lookUp(task, taskId, signal);
      contract = this.#contractOf(task);
      const isReport = responded?.kind === 'accepted';
      outcome = isReport ? { ...responded, value: taskReportNow(responded, contract, taskId) } : responded;
      change = outcome && changeAfter(outcome, this.#clock.now());
    } catch (cause) {
      outcome = { kind: 'unconfirmed', cause: new UnexpectedError({ cause }), sentBytes: 0, totalBytes: 0 };
      change = changeAfter(outcome, this.#clock.now());
    }
    const isStillOf = (now: TrackedTask) => taskIdsOf(now).includes(taskId);
    // The user may have chosen another id for it meanwhile.
    const known = this.#list.get(key);
    if (outcome === undefined || isCanceled(outcome) || known === undefined || !isStillOf(known)) return outcome;
    const isStalled = outcome.kind === 'accepted' && (await this.#stalls.isStalled(known));
    const isEnded = (one: TrackedTask) => !isUnfinished(asSingle(one, taskId));
    // Another window may have recorded its end meanwhile, which this response from before must not replace.
    const isStillQueried = (now: TrackedTask) =>
      now.phase.kind === 'accepted' && isStillOf(now) && (!isEnded(now) || isEnded(task));
    const changeOf = (now: TrackedTask, keptResponse?: string): TaskChange | undefined => {
      if (change === undefined || !isStillQueried(now)) return undefined;
      const one = asSingle(now, taskId);
      const phase = outcome.kind === 'accepted' && this.#phaseNow(outcome, one, taskId, contract);
      if (!phase) return isNews(one, change, isAutomatic, keptResponse) ? changeOfOne(now, taskId, change) : undefined;
      const isQuiet = isRunningState(taskState(now)) && isSameStored([reportOf(one)], [phase.report]);
      const news = { ...change, phase, ...(isQuiet && { checkedMs: now.checkedMs }) };
      const isMarked = isQuiet && isStalled;
      return isNews(one, news, isAutomatic, keptResponse) || isMarked !== isMarkedStalled(now)
        ? withStalledMark(changeOfOne(now, taskId, news), isMarked)
        : undefined;
    };
    // Most responses say nothing new, which is not worth a transaction.
    if (changeOf(known) !== undefined) {
      // Where the store cannot be read, the response counts as another one.
      const kept = await this.#list.history.responses(key).catch(() => undefined);
      await this.#list.update(key, (now) => changeOf(now, kept?.lastResponse));
    }
    this.events.emit('asked', { destination: task, question, outcome });
    return outcome;
  }

  /** `readBy` is the contract by which the report was read: the user may have changed it since. */
  #phaseNow(
    outcome: Outcome<TaskReport> & { kind: 'accepted' },
    task: TrackedTask,
    taskId: TaskId,
    readBy: Contract | undefined,
  ): Accepted {
    const contract = this.#contractOf(task);
    const report = contract === readBy ? outcome.value : taskReportNow(outcome, contract, taskId);
    return { kind: 'accepted', report: reportAfter(reportOf(task), report) };
  }

  #queriesOf(destination: Destination): DestinationQueries {
    const key = destinationKey(destination);
    const queries = this.#queries.get(key) ?? new DestinationQueries(this.#clock, this.#gates.of(destination));
    this.#queries.set(key, queries);
    return queries;
  }
}

/** What is queried for a task: of each of several ids that has not ended by itself. */
export function questionsOf(task: TrackedTask): Question[] {
  return idsToAsk(task).map((taskId) => ({ key: task.key, taskId }));
}

/** What the user must know of the results of a task's queries: what gave no report, or was not asked. */
function worst(results: readonly Refreshed[]): Refreshed {
  const isWithoutReport = (result: Refreshed) => result !== undefined && result.kind !== 'accepted';
  const failed = results.find((result) => isWithoutReport(result) && result?.kind !== 'paused');
  return failed ?? results.find(isWithoutReport) ?? results.find((result) => result !== undefined);
}

/**
 * Whether a change says anything that was not known of a task. Of the response itself all counts that a person may want:
 * always where that person asked, otherwise only while no state is recognized in it, as the user may choose what decides it there.
 */
function isNews(
  task: TrackedTask,
  { phase, lastQueryError, lastResponse }: TaskChange,
  isAutomatic: boolean,
  keptResponse: string | undefined,
): boolean {
  const report = phase?.kind === 'accepted' ? phase.report : reportOf(task);
  const isSame = isSameStored([reportOf(task), task.lastQueryError], [report, lastQueryError]);
  const isWanted = !isAutomatic || (lastQueryError === undefined && report?.meaning !== 'running');
  if (!isSame || !isWanted || lastResponse === undefined) return !isSame;
  return keptResponse !== lastResponse;
}

/** Whether two values are the same as they are stored, where what is undefined is left out. */
function isSameStored(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

function reportOf({ phase }: TrackedTask): TaskReport | undefined {
  return phase.kind === 'accepted' ? phase.report : undefined;
}

function changeAfter(outcome: Outcome<TaskReport>, now: number): TaskChange | undefined {
  const lastResponse = keptResponse(outcome);
  const kept = lastResponse === undefined ? {} : { lastResponse };
  switch (outcome.kind) {
    case 'accepted':
      return {
        phase: { kind: 'accepted', report: outcome.value },
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
          ...(mayBeBadKey(outcome) ? { badKey: true } : {}),
        },
        checkedMs: now,
        ...kept,
      };
    case 'notSent':
    case 'unconfirmed':
      return { lastQueryError: { kind: 'failed', failure: failureOf(outcome.cause) } };
  }
}
