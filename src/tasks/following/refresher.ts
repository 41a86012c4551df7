import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { UnexpectedError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { TaskId } from '../../service/json/taskId';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import type { TaskReport } from '../../service/response/taskReport';
import { type Destination, destinationKey, isAt } from '../destination';
import { type ContractOf, taskReportNow } from '../responseNow';
import type { Gates } from '../sending/gate';
import type { Clock } from '../timing/clock';
import { gotNoResponse, retried } from '../timing/retrying';
import { DestinationChecks, isCanceled, type Paused } from './destinationChecks';
import type { FollowedRows, FollowedTask } from './followedRows';
import type { CheckResult } from './schedule';

/** Gives the target of a dataset; undefined if the dataset is unknown or has no access key. */
export type FindTarget = (dataset: string) => Promise<Target | undefined>;

type CheckOutcome = Outcome<TaskReport>;

/** The result of a check; undefined if it wasn't sent: there is no such task, or no target, or the user canceled. */
export type Refreshed = CheckOutcome | Paused | undefined;

export interface RefresherDeps {
  readonly service: Pick<ImportService, 'queryTask'>;
  readonly rows: FollowedRows;
  readonly findTarget: FindTarget;
  /** Reports are read by this contract; if it's undefined, by the target's. */
  readonly contractOf: ContractOf;
  /** Shared with the imports. */
  readonly gates: Gates;
  readonly clock: Clock;
}

/** Checks tasks by query-task and has the results stored. Destinations don't delay each other. */
export class Refresher {
  /** A task was checked. */
  readonly events = new EventEmitter<{ checked: [FollowedTask] }>();
  readonly #deps: RefresherDeps;
  /** By destination. */
  readonly #checks = new Map<string, DestinationChecks>();
  /** Checks in flight, by task. */
  readonly #inFlight = new Map<string, Promise<CheckOutcome | undefined>>();

  constructor(deps: RefresherDeps) {
    this.#deps = deps;
  }

  /**
   * Checks rows now, because the user wants to know. Returns the result of each; for a row with several tasks, the worst.
   * If a check pauses its destination, the destination's other rows are not checked.
   */
  refreshAll(rows: readonly (Destination & { readonly key: number })[], signal: AbortSignal): Promise<Refreshed[]> {
    for (const row of rows) this.checksOf(row).probeNow();
    const refresh = (task: FollowedTask) =>
      this.checksOf(task.destination).run(task.row, () => this.check(task, signal, true), signal);
    return Promise.all(
      rows.map(async ({ key }) => worst(await Promise.all(this.#deps.rows.tasksToRefresh(key).map(refresh)))),
    );
  }

  /** Whether this window can check a destination's tasks: it knows the dataset at this origin, and a key. */
  async canAsk(destination: Destination): Promise<boolean> {
    return (await this.#targetOf(destination)) !== undefined;
  }

  checksOf({ dataset, origin }: Destination): DestinationChecks {
    const destination = { dataset, origin };
    const key = destinationKey(destination);
    const { gates, clock } = this.#deps;
    const checks = this.#checks.get(key) ?? new DestinationChecks(destination, gates.of(destination), clock);
    this.#checks.set(key, checks);
    return checks;
  }

  get allChecks(): Iterable<DestinationChecks> {
    return this.#checks.values();
  }

  /** Checks a task and stores the result. If the task is being checked already, the result is that check's. */
  async check(task: FollowedTask, signal: AbortSignal, isWanted: boolean): Promise<CheckOutcome | undefined> {
    const inFlight = this.#inFlight.get(task.key);
    if (inFlight === undefined) {
      const check = this.#check(task, signal, isWanted).finally(() => this.#inFlight.delete(task.key));
      this.#inFlight.set(task.key, check);
      return check;
    }
    const outcome = await inFlight;
    this.checksOf(task.destination).schedule.done(task.key, 'dropped');
    // Canceled by whoever started it.
    const isLost = outcome !== undefined && isCanceled(outcome) && !signal.aborted;
    return isLost ? this.check(task, signal, isWanted) : outcome;
  }

  /** Asks about any id and stores nothing. Undefined if its destination has no target. */
  async lookUp(
    destination: Destination,
    id: TaskId,
    signal: AbortSignal,
    isRetried: (outcome: CheckOutcome) => boolean = gotNoResponse,
  ): Promise<CheckOutcome | undefined> {
    const target = await this.#targetOf(destination);
    if (target === undefined) return undefined;
    const gate = this.#deps.gates.of(destination);
    let tries = 0;
    const ask = () => {
      if (tries++ > 0) gate.budget.spend();
      return this.#deps.service.queryTask(target, id, { signal });
    };
    const outcome = await retried(ask, (one) => isRetried(one) && gate.checkPauseMs === 0, signal, this.#deps.clock);
    // The user may have replaced the key or changed the request since it was sent.
    const isOutdated = outcome.kind === 'rejected' && (await this.#hasChanged(destination, target));
    return isOutdated ? this.lookUp(destination, id, signal, isRetried) : outcome;
  }

  /** A service at another origin may have other tasks under the same ids. */
  async #targetOf(destination: Destination): Promise<Target | undefined> {
    const target = await this.#deps.findTarget(destination.dataset);
    return target !== undefined && isAt(destination, target.baseUrl) ? target : undefined;
  }

  async #hasChanged({ dataset }: Destination, before: Target): Promise<boolean> {
    const now = await this.#deps.findTarget(dataset);
    const isSame = now?.accessKey === before.accessKey && isDeepStrictEqual(now.contract, before.contract);
    return now !== undefined && !isSame;
  }

  async #check(task: FollowedTask, signal: AbortSignal, isWanted: boolean): Promise<CheckOutcome | undefined> {
    const { schedule } = this.checksOf(task.destination);
    const outcome = await this.#ask(task, signal);
    const result = resultOf(outcome);
    const isFirstFailure = isFailure(outcome) && !task.hasEnded && !schedule.confirmsFailure(task.key);
    schedule.done(task.key, isFirstFailure ? 'failedOnce' : result);
    if (outcome !== undefined && result !== 'dropped' && !isFirstFailure)
      await this.#deps.rows.report(task, outcome, isWanted);
    this.events.emit('checked', task);
    return outcome;
  }

  /** An unexpected error is the outcome of this check alone. */
  async #ask({ destination, id }: FollowedTask, signal: AbortSignal): Promise<CheckOutcome | undefined> {
    try {
      const outcome = await this.lookUp(destination, id, signal);
      if (outcome?.kind !== 'accepted') return outcome;
      return { ...outcome, value: taskReportNow(outcome, this.#deps.contractOf(destination), id) };
    } catch (cause) {
      return { kind: 'unconfirmed', cause: new UnexpectedError({ cause }), sentBytes: 0, totalBytes: 0 };
    }
  }
}

/** The result that the user must know: a failed check, else one that was not sent. */
function worst(results: readonly Refreshed[]): Refreshed {
  const withoutReport = results.filter((result) => result !== undefined && result.kind !== 'accepted');
  const failed = withoutReport.find((result) => result?.kind !== 'paused');
  return failed ?? withoutReport[0] ?? results.find((result) => result !== undefined);
}

/** A busy service says nothing about the task. It pauses its destination. */
function resultOf(outcome: CheckOutcome | undefined): CheckResult {
  if (outcome === undefined || isCanceled(outcome)) return 'dropped';
  if (outcome.kind === 'accepted') {
    const { meaning } = outcome.value;
    return meaning === 'succeeded' || meaning === 'failed' ? 'finished' : 'unfinished';
  }
  const isBusy = 'retryAfterMs' in outcome || (outcome.kind === 'rejected' && outcome.tryLater);
  return isBusy ? 'unfinished' : 'failed';
}

function isFailure(outcome: CheckOutcome | undefined): boolean {
  return outcome?.kind === 'accepted' && outcome.value.meaning === 'failed';
}
