import type { Outcome } from '../../service/response/outcome';
import type { Destination } from '../destination';
import type { Clock } from '../timing/clock';
import type { DestinationChecks } from './destinationChecks';
import type { FollowedRow, FollowedRows, FollowedTask } from './followedRows';
import type { Refresher } from './refresher';
import type { NextCheck } from './schedule';

/** Which window checks a destination. */
export interface CheckingRights {
  /** Until when this window may check it, by the clock's `monotonicMs`; in the past if it may not. */
  untilMs(destination: Destination): number;
  isElsewhere(destination: Destination): boolean;
  /** It turned out that this window can't, or might be able to again: the access keys are to be read again. */
  readAgain(destination?: Destination): void;
}

export interface FollowerDeps {
  readonly rows: FollowedRows;
  readonly refresher: Refresher;
  readonly rights: CheckingRights;
  readonly clock: Clock;
  /** Gets unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** Who checks an unfinished task, and when next. */
export type Following = ({ readonly by: 'thisWindow' } & NextCheck) | { readonly by: 'otherWindow' };

/** Checks the tasks of the destinations that this window serves until they end, whether or not a view is open. */
export class Follower {
  readonly #deps: FollowerDeps;
  /** The tasks to be checked, by row. */
  readonly #tasks = new Map<number, readonly FollowedTask[]>();
  readonly #stop = new AbortController();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    deps.rows.onChange((rows) => this.#note(rows));
  }

  /** Cancels all checks in flight. */
  dispose(): void {
    this.#stop.abort();
    for (const checks of this.#deps.refresher.allChecks) checks.stop();
  }

  /** Makes failed checks due again, because a dataset or a key has changed. */
  endPauses(): void {
    this.#deps.rights.readAgain();
    for (const checks of this.#deps.refresher.allChecks) {
      checks.gate.tryOne();
      checks.schedule.retryFailed();
      checks.proceed();
    }
  }

  /** Who checks a row; undefined if nobody does: its tasks have ended, or the destination can't be reached. */
  followingOf(row: Destination & { readonly key: number }): Following | undefined {
    const { refresher, rights } = this.#deps;
    const tasks = this.#tasks.get(row.key);
    if (tasks === undefined) return undefined;
    const { gate, schedule, isAllowed } = refresher.checksOf(row);
    if (!isAllowed) return rights.isElsewhere(row) ? { by: 'otherWindow' } : undefined;
    const next = tasks.flatMap(({ key }) => schedule.nextCheck(key, gate.budget.intervalMs) ?? []);
    const [first] = next.sort((one, other) => one.inMs - other.inMs);
    return first && { by: 'thisWindow', ...first, inMs: Math.max(first.inMs, gate.checkWaitMs) };
  }

  /** The windows have just agreed on who serves what. Call it after each turn. */
  onTurn(): void {
    const { refresher, rights } = this.#deps;
    if (this.#stop.signal.aborted) return;
    for (const checks of refresher.allChecks) checks.allowUntil(rights.untilMs(checks.destination));
  }

  /** Schedules what is to be checked, the oldest first, and removes what isn't anymore. */
  #note(rows: readonly FollowedRow[]): void {
    const touched = new Set<DestinationChecks>();
    for (const { row, tasks } of rows) {
      const keys = new Set(tasks.map(({ key }) => key));
      for (const { key, destination } of this.#tasks.get(row) ?? [])
        if (!keys.has(key)) this.#deps.refresher.checksOf(destination).schedule.remove(key);
      if (tasks.length === 0) this.#tasks.delete(row);
      else this.#tasks.set(row, tasks);
    }
    const tasks = rows.flatMap((row) => row.tasks).sort((one, other) => one.queuedMs - other.queuedMs);
    for (const task of tasks) {
      const checks = this.#deps.refresher.checksOf(task.destination);
      checks.follow((due) => this.#check(due));
      const [queuedMs, changedMs] = [this.#monotonicMs(task.queuedMs), this.#monotonicMs(task.changedMs)];
      checks.schedule.add({ ...task, queuedMs, changedMs });
      touched.add(checks);
    }
    for (const checks of touched) checks.proceed();
  }

  async #check(task: FollowedTask): Promise<Outcome<unknown> | undefined> {
    const { rows, refresher, rights, onError } = this.#deps;
    const { destination } = task;
    const checks = refresher.checksOf(destination);
    // Each result would take memory until it can be stored.
    if (!rows.canStore(task.row)) {
      checks.schedule.done(task.key, 'unfinished');
      return undefined;
    }
    try {
      const outcome = await refresher.check(task, this.#stop.signal, false);
      if (outcome === undefined) {
        // This window can't check the destination: other windows may, until this one is allowed to again.
        checks.stop();
        rights.readAgain(destination);
      }
      return outcome;
    } catch (error) {
      onError(error);
      checks.schedule.done(task.key, 'failed');
      return undefined;
    }
  }

  /** Converts wall-clock time into the time that durations are measured with. */
  #monotonicMs(wallMs: number): number {
    const { clock } = this.#deps;
    return clock.monotonicMs() - Math.max(0, clock.now() - wallMs);
  }
}
