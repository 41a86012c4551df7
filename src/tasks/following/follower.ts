import type { Outcome } from '../../service/response/outcome';
import { type Destination, destinationKey } from '../destination';
import type { LeaseState } from '../leases/leases';
import type { ServingWindow } from '../serving/servingWindow';
import type { Clock } from '../timing/clock';
import type { DestinationChecks } from './destinationChecks';
import type { FollowedRow, FollowedRows, FollowedTask } from './followedRows';
import type { Refresher } from './refresher';
import type { NextCheck } from './schedule';

export interface FollowerDeps {
  readonly rows: FollowedRows;
  readonly refresher: Refresher;
  readonly serving: Pick<ServingWindow, 'canAsk' | 'forgetKeys' | 'pauseElsewhere' | 'events'>;
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
    deps.serving.events.on('turn', (state) => this.#onTurn(state));
  }

  /** Cancels all checks in flight. */
  dispose(): void {
    this.#stop.abort();
    for (const checks of this.#deps.refresher.allChecks) checks.stop();
  }

  /** Makes failed checks due again, because a dataset or a key has changed. */
  endPauses(): void {
    this.#deps.serving.forgetKeys();
    for (const checks of this.#deps.refresher.allChecks) {
      checks.gate.tryOne();
      checks.schedule.retryFailed();
      checks.proceed();
    }
  }

  /** Who checks a row; undefined if nobody does: its tasks have ended, or the destination can't be reached. */
  followingOf(row: Destination & { readonly key: number }): Following | undefined {
    const { refresher, serving } = this.#deps;
    const tasks = this.#tasks.get(row.key);
    if (tasks === undefined) return undefined;
    const { gate, schedule, isAllowed } = refresher.checksOf(row);
    if (!isAllowed) return serving.pauseElsewhere(row) === undefined ? undefined : { by: 'otherWindow' };
    const next = tasks.flatMap(({ key }) => schedule.nextCheck(key, gate.budget.intervalMs) ?? []);
    const [first] = next.sort((one, other) => one.inMs - other.inMs);
    return first && { by: 'thisWindow', ...first, inMs: Math.max(first.inMs, gate.checkWaitMs) };
  }

  #onTurn({ held, heldUntilMs }: LeaseState): void {
    const { refresher, serving } = this.#deps;
    if (this.#stop.signal.aborted) return;
    for (const checks of refresher.allChecks) {
      const { destination } = checks;
      const isAllowed = held.has(destinationKey(destination)) && serving.canAsk(destination);
      checks.allowUntil(isAllowed ? heldUntilMs : Number.NEGATIVE_INFINITY);
    }
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
    const { rows, refresher, serving, onError } = this.#deps;
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
        serving.forgetKeys(destination);
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
