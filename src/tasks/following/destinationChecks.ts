import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../service/contract/contract';
import type { TaskId } from '../../service/json/taskId';
import { mayBeBadKey, type Outcome, responseData, storedResponse, unexpected } from '../../service/response/outcome';
import { readTaskIds } from '../../service/response/taskIds';
import type { TaskReport } from '../../service/response/taskReport';
import { statusMeaning } from '../../service/response/usualNames';
import type { Gate } from '../sending/gate';
import { causeOf, type Failed } from '../sending/importEnd';
import type { Affected } from '../store/checking';
import type { ImportStore } from '../store/importStore';
import type { Cause, Destination, DestinationRow, TaskFacts, UnfinishedTask } from '../store/model';
import type { Clock } from '../timing/clock';
import { type CheckResult, Schedule, type Scheduled } from './schedule';

/** The part of a contract that determines the results of status checks. */
type Mapping = Contract['queryTask'] & Pick<Contract['fileTask'], 'taskId'>;

/** How long to reuse the result of `passedStatuses`. The query takes about a second if there are 100,000 tasks. */
const PASSED_MS = 60_000;

/** A scheduled task. `queuedMs` and `changedMs` are on the `monotonicMs` clock. */
type FollowedTask = UnfinishedTask & Scheduled;

export interface CheckPorts {
  readonly store: Pick<
    ImportStore,
    'unfinishedTasks' | 'report' | 'checkAgain' | 'passedStatuses' | 'responses' | 'attach'
  >;
  readonly clock: Clock;
  /** Queries a task. Returns undefined if this window has no dataset or key for the destination. */
  lookUp(destination: Destination, id: TaskId): Promise<Outcome<TaskReport> | undefined>;
  /** Whether this window holds the destination's lease. */
  isServing(destination: number): boolean;
  /** The destination's current contract, or undefined if the dataset doesn't exist or has a different origin. */
  contractOf(destination: Destination): Contract | undefined;
  /** Reloads the access keys, because another window may have changed them. */
  readKeysAgain(): void;
  /** Called with unexpected errors, and with store errors that would otherwise go unnoticed. */
  onError(error: unknown): void;
}

/** Sends a destination's status checks when they are due and the gate allows them. */
export class DestinationChecks {
  #row: DestinationRow;
  #schedule: Schedule<FollowedTask>;
  /** For each file row, the keys of its tasks in `#schedule`. */
  readonly #keys = new Map<number, readonly string[]>();
  /** The store's version at the last read, or undefined before the first read. */
  #version: number | undefined;
  #reading: Promise<void> | undefined;
  #mapping: Mapping | undefined;
  /** Where stored responses were last searched for task IDs. Undefined for the usual names. */
  #searchedIn: string | undefined;
  #passed = { readMs: 0, source: undefined as string | null | undefined, statuses: [] as readonly string[] };
  #inFlight = 0;
  #stopTimer = () => {};

  constructor(
    private readonly ports: CheckPorts,
    private readonly gate: Gate,
    row: DestinationRow,
  ) {
    this.#row = row;
    this.#schedule = new Schedule(ports.clock);
    this.#mapping = this.#currentMapping();
  }

  /** Applies a new mapping if the store failed before, and reads changes to unfinished tasks. @throws StoreFault */
  async read(row: DestinationRow): Promise<void> {
    await this.#applyMapping();
    if (row.window !== null && !this.ports.isServing(row.id)) this.#schedule.forgetUnconfirmed();
    if (!row.unfinished && this.#keys.size === 0) return;
    this.#reading ??= this.#readAll(row).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Reads one page at a time, because reading 100,000 tasks at once would block the extension host. */
  async #readAll(row: DestinationRow): Promise<void> {
    const since = this.#version ?? 0;
    const schedule = this.#schedule;
    let version: number | undefined;
    for (let after: number | null = 0; after !== null; ) {
      const page = await this.ports.store.unfinishedTasks({ destination: row.id, since, after });
      if (row.id !== this.#row.id || page.version < since) {
        // The database was set aside, and a new one was created.
        this.clear();
        this.#row = row;
        return this.#readAll(row);
      }
      // Keep the first page's version, so that the next read returns changes made during this read.
      version ??= page.version;
      this.#note(page.files, page.tasks);
      after = page.last;
    }
    // If all tasks were dropped during this read, the next read returns them all again.
    if (this.#schedule === schedule) this.#version = version;
  }

  #note(files: readonly number[], tasks: readonly UnfinishedTask[]): void {
    const byFile = Map.groupBy(tasks, ({ file }) => file);
    // If only some tasks of a file are still wanted, the others have been checked or have ended since the user asked.
    const isNew = byFile.entries().some(([file, all]) => {
      const { length } = this.#keys.get(file) ?? [];
      return all.length >= length && all.every(({ checkedMs }) => checkedMs === 0);
    });
    for (const file of files) if (!byFile.has(file)) byFile.set(file, []);
    for (const [file, unfinished] of byFile) this.#noteKeys(file, unfinished.map(keyOf));
    for (const task of tasks.toSorted((one, other) => one.queuedMs - other.queuedMs)) this.#add(task);
    for (const task of tasks) if (task.checkedMs === 0) this.#schedule.want(keyOf(task));
    if (isNew) this.gate.checkNow();
  }

  /** Sends the checks that are due, and sets a timer for the next one. Call this when the schedule or the lease may have changed. */
  proceed(): void {
    this.#stopTimer();
    while (this.#inFlight < this.gate.checksAtOnce && this.ports.isServing(this.#row.id)) {
      const { waitMs } = this.#schedule;
      if (waitMs === undefined) return;
      const pauseMs = Math.max(waitMs, this.gate.checkWaitMs);
      if (pauseMs > 0) {
        this.#stopTimer = this.ports.clock.after(Math.ceil(pauseMs), () => this.proceed());
        return;
      }
      const task = this.#schedule.next();
      if (task !== undefined) void this.#check(task);
    }
  }

  /**
   * Call this after a change to the settings or to a key. Failed checks may now succeed, and a new mapping may change
   * results.
   */
  async targetChanged(): Promise<void> {
    this.gate.tryOne();
    this.#schedule.retryFailed();
    await this.#applyMapping();
    this.proceed();
  }

  /** If the mapping has changed, attaches missing task IDs, and checks affected tasks again. @throws StoreFault */
  async #applyMapping(): Promise<void> {
    const before = this.#mapping;
    const now = this.#currentMapping();
    if (now === undefined) return;
    this.#mapping = now;
    try {
      // The setting may have changed while no window was open.
      if (now.taskId !== this.#searchedIn) await this.attachIds();
      this.#searchedIn = now.taskId;
      if (before === undefined || isDeepStrictEqual(now, before)) return;
      await this.ports.store.checkAgain({ destination: this.#row.id, ...affectedBy(before, now) });
    } catch (error) {
      this.#mapping = before;
      throw error;
    }
  }

  /** Looks for task IDs in the stored responses of imports that lack one. @throws StoreFault */
  async attachIds(): Promise<void> {
    const { store, contractOf } = this.ports;
    const contract = contractOf(this.#row);
    if (contract === undefined) return;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const responses = await store.responses({ destination: this.#row.id, kind: 'import', after });
      const idsIn = (text: string) => readTaskIds(responseData(text) ?? null, contract.fileTask).ids;
      const rows = responses.map(({ import: id, text }) => ({ import: id, ids: idsIn(text) }));
      await store.attach({ rows, byMapping: true });
      after = responses.at(-1)?.import;
    }
  }

  /** Whether a check may be due within `ms`. */
  isDueWithin(ms: number): boolean {
    const { waitMs } = this.#schedule;
    // `waitMs` is undefined while all tasks are being checked.
    return this.#version === undefined || waitMs === undefined || waitMs <= ms;
  }

  /**
   * Drops all tasks. Call this if the destination was renamed, this window can't serve it or the database was set aside.
   */
  clear(): void {
    this.#stopTimer();
    this.#schedule = new Schedule(this.ports.clock);
    this.#keys.clear();
    this.#version = undefined;
  }

  #noteKeys(file: number, keys: readonly string[]): void {
    for (const key of this.#keys.get(file) ?? []) if (!keys.includes(key)) this.#schedule.remove(key);
    if (keys.length > 0) this.#keys.set(file, keys);
    else this.#keys.delete(file);
  }

  #add(task: UnfinishedTask): void {
    const { clock } = this.ports;
    const monotonicMs = (wallMs: number) => clock.monotonicMs() - Math.max(0, clock.now() - wallMs);
    const [queuedMs, changedMs] = [monotonicMs(task.queuedMs), monotonicMs(task.changedMs)];
    this.#schedule.add({ ...task, key: keyOf(task), queuedMs, changedMs });
  }

  /** The current mapping, or undefined if the destination isn't in the settings. */
  #currentMapping(): Mapping | undefined {
    const contract = this.ports.contractOf(this.#row);
    return contract && { ...contract.queryTask, taskId: contract.fileTask.taskId };
  }

  /**
   * Whether any task has moved on from this status to a different one. If so, the status must mean that a task is
   * running.
   */
  async #isPassed(status: string, source: string | null): Promise<boolean> {
    const { store, clock } = this.ports;
    const [destination, nowMs] = [this.#row.id, clock.monotonicMs()];
    if (this.#passed.source !== source || nowMs - this.#passed.readMs > PASSED_MS)
      this.#passed = { readMs: nowMs, source, statuses: await store.passedStatuses({ destination, source }) };
    return this.#passed.statuses.includes(status);
  }

  async #check(task: FollowedTask): Promise<void> {
    this.#inFlight += 1;
    const check = this.gate.beginCheck();
    // An unexpected error is the outcome of this check only, so that other checks continue.
    const outcome = await this.ports.lookUp(this.#row, task.id).catch(unexpected);
    this.gate.endCheck(check, task.key, outcome);
    const result = await this.#store(task, outcome).catch((error: unknown): CheckResult => {
      // The result is lost, so let the task be checked again.
      this.ports.onError(error);
      return 'unreachable';
    });
    this.#schedule.done(task.key, result);
    this.#inFlight -= 1;
    this.proceed();
  }

  /**
   * Stores the outcome of a check, unless the task is reported as failed for the first time, because another check has
   * to confirm that.
   * @throws StoreFault
   */
  async #store(task: FollowedTask, outcome: Outcome<TaskReport> | undefined): Promise<CheckResult> {
    if (outcome === undefined) {
      // If this window no longer has the key, reloading the keys makes it release the lease, so that another window can
      // serve the destination.
      this.ports.readKeysAgain();
      return 'failed';
    }
    if (outcome.kind !== 'accepted' && isTransient(outcome)) return 'busy';
    const read = outcome.kind === 'accepted' ? outcome.value : null;
    const facts = read && (await this.#factsOf(read));
    if (facts?.meaning === 'failed' && !this.#schedule.confirmsFailure(task.key)) return 'failedOnce';
    const cause = outcome.kind === 'accepted' ? null : checkCauseOf(outcome);
    const response = storedResponse(outcome);
    const { import: importId, id, revision } = task;
    const result = { facts, source: read?.source ?? null, cause, ...(response !== undefined && { response }) };
    if (!(await this.ports.store.report({ import: importId, id, revision, ...result }))) {
      await this.read(this.#row);
      return 'dropped';
    }
    if (facts === null) return cause?.['rejected'] !== true && cause?.status !== 500 ? 'unreachable' : 'failed';
    return facts.meaning === 'succeeded' || facts.meaning === 'failed' ? 'finished' : 'unfinished';
  }

  async #factsOf(report: TaskReport): Promise<TaskFacts> {
    const { meaning, status = null, progress = null, message = null, byMapping } = report;
    const isUnmapped = meaning === 'unknown' && report.byExpression === undefined && status !== null;
    const isRunning = isUnmapped && (await this.#isPassed(status, report.source));
    return { meaning: isRunning ? 'running' : meaning, byMapping, status, progress, message };
  }
}

/** Returns what a change to the mapping affects. */
function affectedBy(before: Mapping, now: Mapping): Pick<Affected, 'statuses' | 'messages'> {
  const isAny = before.status !== now.status || before.state !== now.state;
  const [old, current] = [before.statusMeanings, now.statusMeanings];
  const mapped = [...Object.keys(old), ...Object.keys(current)];
  const changed = mapped.filter((each) => statusMeaning(each, old) !== statusMeaning(each, current));
  return { statuses: isAny ? null : changed, messages: before.message !== now.message };
}

function keyOf({ import: importId, id }: Pick<UnfinishedTask, 'import' | 'id'>): string {
  return `${importId} ${id}`;
}

/** True if the outcome tells us nothing about the task, because the service is busy or we canceled the check. */
function isTransient(outcome: Failed): boolean {
  const isBusy = outcome.kind === 'rejected' ? outcome.tryLater : 'retryAfterMs' in outcome;
  return isBusy || ('cause' in outcome && outcome.cause.name === 'CanceledError');
}

/** Returns the cause of a failed check. A captive portal or a bad key doesn't mean that the task is forgotten. */
function checkCauseOf(outcome: Failed): Cause {
  const cause = causeOf(outcome);
  const isFinal = cause.name === 'BadResponseError' && cause.reason !== 'serverError';
  if (outcome.kind !== 'rejected') return isFinal ? { ...cause, rejected: true } : cause;
  const forgotten = outcome.rejection.by !== 'redirect' && !mayBeBadKey(outcome);
  return { ...cause, rejected: true, ...(forgotten && { forgotten }) };
}
