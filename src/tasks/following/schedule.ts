import type { UnfinishedTask } from '../store/model';
import type { Clock } from '../timing/clock';

/**
 * If there are at least this many tasks, check the oldest first. If it has finished, check the next oldest, and so on.
 */
const MANY = 50;
/**
 * How long to wait before a task that was reported as failed is checked again to confirm the failure. That check takes
 * priority over all others.
 */
const CONFIRM_MS = 10_000;
const MIN_INTERVAL_MS = 2000;
/** If the service is busy, how many times to retry after the minimum interval. Each retry may pause all other checks. */
const BUSY_RETRIES = 2;
const MAX_INTERVAL_MS = 60_000;
/** A task that hasn't changed for this long is checked only once an hour. */
const QUIET_AFTER_MS = 24 * 60 * 60_000;
const QUIET_INTERVAL_MS = 60 * 60_000;
/** How long to wait after a failed check. Each further failure quadruples the wait, up to an hour. */
const FAILED_INTERVAL_MS = 30_000;
const FAILED_FACTOR = 4;
const MAX_FAILED_INTERVAL_MS = 60 * 60_000;
/**
 * If the oldest task hasn't finished, check this many other tasks before checking the oldest again. At worst, this
 * increases the number of checks by 12.5%.
 */
const IN_TURN = 8;
/** Max tasks to look at when searching for the oldest one that wasn't checked recently. */
const REACH = 32;

/** A task to check. Times are on the `monotonicMs` clock. Times before the clock started are negative. */
export interface Scheduled extends Pick<UnfinishedTask, 'queuedMs' | 'changedMs' | 'isFailing'> {
  readonly key: string;
}

export type CheckResult =
  | 'unfinished'
  /** The task was reported as failed, but this isn't confirmed yet. */
  | 'failedOnce'
  | 'finished'
  /** There was no report about this task. */
  | 'failed'
  /** The service asked to try later. */
  | 'busy'
  /** The service couldn't be reached, or the report couldn't be stored. */
  | 'unreachable'
  /** The check was canceled or stale. */
  | 'dropped';

interface Entry<Task> {
  task: Task;
  dueMs: number;
  /** Undefined before the first check. */
  checkedMs: number | undefined;
  /** The number of consecutive failed checks. */
  failures: number;
  /** The number of consecutive checks for which the service was busy. */
  busy: number;
  /** When the task was first reported as failed, or undefined if there is no failure to confirm. */
  failedMs: number | undefined;
  /** Whether the task is being checked because it was the oldest. */
  asOldest: boolean;
}

/**
 * Decides which of a destination's unfinished tasks to check next, and when. If there are only a few tasks, each is
 * checked at intervals that grow with its age. If there are many, the oldest is checked first, because most services
 * process tasks in order. If it hasn't finished, the tasks that have waited longest are checked next. Uses neither
 * timers nor the network.
 */
export class Schedule<Task extends Scheduled> {
  /** All tasks, oldest first. */
  readonly #all = new Map<string, Entry<Task>>();
  /** Tasks that aren't being checked, with the longest-waiting task first. */
  readonly #waiting = new Map<string, Entry<Task>>();
  /** Tasks that take priority over all others once they are due. */
  readonly #ahead = new Set<Entry<Task>>();
  /** When a check was last answered. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  /** How many tasks to check in turn before the oldest is checked again. */
  #inTurn = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** Adds or updates a task. New tasks must be added oldest first. */
  add(task: Task): void {
    const known = this.#all.get(task.key);
    if (known === undefined) {
      const dueMs = task.queuedMs + MIN_INTERVAL_MS;
      const entry = { task, dueMs, checkedMs: undefined, failures: 0, busy: 0, failedMs: undefined, asOldest: false };
      this.#all.set(task.key, entry);
      this.#waiting.set(task.key, entry);
      return;
    }
    const hasChanged = task.changedMs > known.task.changedMs;
    known.task = task;
    if (!hasChanged) return;
    // If the row changed some time after our last check, a check in another window may have succeeded.
    const hasChangedSince = known.checkedMs !== undefined && task.changedMs > known.checkedMs + MIN_INTERVAL_MS;
    if (hasChangedSince && !task.isFailing) known.failures = 0;
    this.#defer(known);
  }

  /** Forgets failures that aren't confirmed yet, because another window may have found the tasks running again. */
  forgetUnconfirmed(): void {
    for (const entry of this.#ahead) entry.failedMs = undefined;
  }

  remove(key: string): void {
    const entry = this.#all.get(key);
    if (entry !== undefined) this.#ahead.delete(entry);
    this.#all.delete(key);
    this.#waiting.delete(key);
  }

  /** Makes a task due now after the user asks for a check. */
  want(key: string): void {
    const entry = this.#all.get(key);
    if (entry === undefined) return;
    entry.dueMs = this.clock.monotonicMs();
    this.#ahead.add(entry);
  }

  /** Returns a task to check now, or undefined if none is due. The task counts as being checked until `done` is called. */
  next(): Task | undefined {
    const nowMs = this.clock.monotonicMs();
    const isDue = ({ task, dueMs }: Entry<Task>) => dueMs <= nowMs && this.#waiting.has(task.key);
    const inTurn = this.#waiting.values().find(isDue);
    if (inTurn === undefined) return undefined;
    const ahead = this.#ahead.values().find(isDue);
    const oldest = this.#all.size < MANY || this.#inTurn > 0 ? undefined : this.#oldestDue(nowMs);
    const next = ahead ?? oldest ?? inTurn;
    next.asOldest = next === oldest;
    if (next === inTurn) this.#inTurn = Math.max(0, this.#inTurn - 1);
    this.#waiting.delete(next.task.key);
    return next.task;
  }

  /** Milliseconds until the next task is due, or undefined if no task is waiting. */
  get waitMs(): number | undefined {
    const nowMs = this.clock.monotonicMs();
    let dueMs = Number.POSITIVE_INFINITY;
    for (const entry of this.#waiting.values()) {
      if (entry.dueMs <= nowMs) return 0;
      dueMs = Math.min(dueMs, entry.dueMs);
    }
    return this.#waiting.size === 0 ? undefined : dueMs - nowMs;
  }

  /**
   * Whether a task was first reported as failed at least 10 s ago. Some services keep processing a task after they
   * report a failure.
   */
  confirmsFailure(key: string): boolean {
    const failedMs = this.#all.get(key)?.failedMs;
    return failedMs !== undefined && this.clock.monotonicMs() - failedMs >= CONFIRM_MS;
  }

  done(key: string, given: CheckResult): void {
    const entry = this.#all.get(key);
    if (entry === undefined) return;
    const { asOldest, failedMs, checkedMs = Number.NEGATIVE_INFINITY } = entry;
    const nowMs = this.clock.monotonicMs();
    // In an outage, no task is answered. Otherwise, the problem lies with this task.
    const isOutage = given === 'unreachable' && this.#answeredMs <= checkedMs;
    const result = given !== 'unreachable' ? given : isOutage ? 'busy' : 'failed';
    if (given !== 'unreachable' && given !== 'dropped') this.#answeredMs = nowMs;
    entry.asOldest = false;
    if (result === 'finished') {
      if (asOldest) this.#inTurn = 0;
      this.remove(key);
      return;
    }
    this.#waiting.delete(key);
    this.#waiting.set(key, entry);
    if (result === 'dropped') return;
    if (asOldest) this.#inTurn = IN_TURN;
    entry.checkedMs = nowMs;
    entry.failures = result === 'failed' ? entry.failures + 1 : 0;
    entry.busy = result === 'busy' ? entry.busy + 1 : 0;
    if (result !== 'failed' && result !== 'busy')
      entry.failedMs = result === 'failedOnce' ? (failedMs ?? nowMs) : undefined;
    if (entry.failedMs !== undefined) this.#ahead.add(entry);
    else if (result !== 'busy') this.#ahead.delete(entry);
    this.#defer(entry);
  }

  /** Makes tasks due now if their last check failed, because the user may have fixed the cause. */
  retryFailed(): void {
    for (const entry of this.#all.values()) {
      if (entry.failures + entry.busy === 0) continue;
      entry.failures = entry.busy = 0;
      entry.dueMs = this.clock.monotonicMs();
    }
  }

  /**
   * The oldest task whose last check was at least the minimum interval ago. Skips tasks whose last check failed or that
   * were reported as failed, because they have their own intervals.
   */
  #oldestDue(nowMs: number): Entry<Task> | undefined {
    let reach = REACH;
    for (const entry of this.#all.values()) {
      const { task, checkedMs, dueMs, failures, busy, failedMs } = entry;
      if (failures + busy > 0 || failedMs !== undefined) continue;
      const oldestDueMs = checkedMs === undefined ? dueMs : checkedMs + MIN_INTERVAL_MS;
      if (oldestDueMs <= nowMs && this.#waiting.has(task.key)) return entry;
      if (--reach === 0) return undefined;
    }
    return undefined;
  }

  /** Sets the next due time of a task that was just checked. */
  #defer(entry: Entry<Task>): void {
    const { checkedMs, failures, busy, failedMs } = entry;
    if (checkedMs === undefined) return;
    const isRetried = busy > 0 && busy <= BUSY_RETRIES;
    const confirmMs = failures === 0 && failedMs !== undefined ? failedMs + CONFIRM_MS : checkedMs;
    const waitMs = isRetried ? 0 : Math.max(intervalMs(entry.task, checkedMs), failedIntervalMs(failures));
    entry.dueMs = confirmMs > checkedMs ? confirmMs : checkedMs + Math.max(MIN_INTERVAL_MS, waitMs);
  }
}

function intervalMs({ queuedMs, changedMs }: Scheduled, nowMs: number): number {
  if (nowMs - Math.max(queuedMs, changedMs) >= QUIET_AFTER_MS) return QUIET_INTERVAL_MS;
  const rootMs = Math.round(1000 * Math.sqrt(Math.max(0, nowMs - queuedMs) / 1000));
  return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, rootMs));
}

function failedIntervalMs(failures: number): number {
  if (failures === 0) return 0;
  return Math.min(FAILED_INTERVAL_MS * FAILED_FACTOR ** (failures - 1), MAX_FAILED_INTERVAL_MS);
}
