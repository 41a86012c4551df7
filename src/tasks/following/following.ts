import type { ImportService } from '../../service/importService';
import type { TaskId } from '../../service/json/taskId';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import type { TaskReport } from '../../service/response/taskReport';
import type { Gate } from '../sending/gate';
import { type Destination, type DestinationRow, destinationKey, isAt } from '../store/model';
import { gotNoResponse, retried } from '../timing/retrying';
import { type CheckPorts, DestinationChecks } from './destinationChecks';

/** A window keeps a lease for a status check only if the check is due within this time. */
const SOON_MS = 60_000;

export interface FollowingPorts extends Omit<CheckPorts, 'lookUp'> {
  readonly service: Pick<ImportService, 'queryTask'>;
  /** The gate shared by a destination's uploads and status checks. */
  gateOf(destination: Destination): Gate;
  /** The dataset's target, including the access key. Undefined if the dataset or its key is missing. May be slow. */
  findTarget(dataset: string): Promise<Target | undefined>;
  /** Whether the destination's dataset has the destination's origin and, as far as we know, a key. */
  canServe(destination: Destination): boolean;
}

/**
 * For each destination that this window serves, checks the tasks until they end, even if no view is open. A slow
 * destination doesn't delay the others.
 */
export class Following {
  readonly #all = new Map<string, DestinationChecks>();
  readonly #stop = new AbortController();

  constructor(private readonly ports: FollowingPorts) {}

  /** Reads changed tasks, and sends the checks that are due. Call this after each serving turn. @throws StoreFault */
  async onTurn(rows: readonly DestinationRow[]): Promise<void> {
    const keys = rows.map(destinationKey);
    for (const [key, checks] of this.#all) {
      if (keys.includes(key)) continue;
      checks.clear();
      this.#all.delete(key);
    }
    for (const row of rows) {
      const checks = this.#of(row);
      if (this.ports.canServe(row)) await checks.read(row);
      else checks.clear();
      if (!this.#stop.signal.aborted) checks.proceed();
    }
  }

  /** Whether a destination has a check due within a minute. */
  isDueSoon(row: DestinationRow): boolean {
    return row.unfinished && this.#of(row).isDueWithin(SOON_MS);
  }

  /** Call this after a change to the settings or to an access key. @throws StoreFault */
  async targetsChanged(): Promise<void> {
    for (const checks of this.#all.values()) await checks.targetChanged();
  }

  /** Call this when a destination's access key may have changed. @throws StoreFault */
  async targetChanged(row: DestinationRow): Promise<void> {
    await this.#all.get(destinationKey(row))?.targetChanged();
  }

  /** Looks for task IDs in the stored responses of imports that lack one. @throws StoreFault */
  async attachIds(destination: Destination): Promise<void> {
    await this.#all.get(destinationKey(destination))?.attachIds();
  }

  /**
   * Queries any task ID without storing the report. Returns undefined if this window has no dataset or key for the destination.
   */
  async lookUp(
    destination: Destination,
    id: TaskId,
    signal: AbortSignal,
    isRetried: (outcome: Outcome<unknown>) => boolean = gotNoResponse,
  ): Promise<Outcome<TaskReport> | undefined> {
    const { service, gateOf, findTarget, clock } = this.ports;
    const target = await findTarget(destination.dataset);
    // At another origin, the same ID may belong to a different task.
    if (target === undefined || !isAt(destination, target.baseUrl)) return undefined;
    const gate = gateOf(destination);
    let tries = 0;
    const attempt = () => {
      if (tries++ > 0) gate.spendCheck();
      return service.queryTask(target, id, { signal });
    };
    return retried(attempt, (outcome) => isRetried(outcome) && gate.checkPauseMs === 0, signal, clock);
  }

  /** Cancels checks in flight, and stops sending new ones. */
  dispose(): void {
    this.#stop.abort();
    for (const checks of this.#all.values()) checks.clear();
  }

  #of(row: DestinationRow): DestinationChecks {
    const key = destinationKey(row);
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    const lookUp = (destination: Destination, id: TaskId) => this.lookUp(destination, id, this.#stop.signal);
    const isServing = (id: number) => !this.#stop.signal.aborted && this.ports.isServing(id);
    const checks = new DestinationChecks({ ...this.ports, lookUp, isServing }, this.ports.gateOf(row), row);
    this.#all.set(key, checks);
    return checks;
  }
}
