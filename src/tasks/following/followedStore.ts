import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { keptResponse } from '../../service/response/keptResponse';
import type { Outcome } from '../../service/response/outcome';
import { statusMeaning } from '../../service/response/statusMeaning';
import type { TaskReport } from '../../service/response/taskReport';
import { causeOf } from '../sending/importEnd';
import type { ImportStore } from '../store/importStore';
import type { Cause, DestinationRow, Report, UnfinishedTask } from '../store/model';
import type { FollowedRow, FollowedRows, FollowedTask } from './followedRows';

/** The unfinished tasks of the destinations that this window serves, as the store last had them. */
export class FollowedStore implements FollowedRows {
  readonly #store: Pick<ImportStore, 'unfinishedTasks' | 'report'>;
  /** The version of the store that was read last, by destination. */
  readonly #versions = new Map<number, number>();
  readonly #rows = new Map<number, readonly FollowedTask[]>();
  readonly #stored = new Map<string, UnfinishedTask>();
  /** The digest of the last response about a task, if only the response was worth storing. */
  readonly #responses = new Map<string, string>();
  #listener: (rows: readonly FollowedRow[]) => void = () => {};

  constructor(store: Pick<ImportStore, 'unfinishedTasks' | 'report'>) {
    this.#store = store;
  }

  onChange(listener: (rows: readonly FollowedRow[]) => void): void {
    this.#listener = listener;
  }

  tasksToRefresh(row: number): readonly FollowedTask[] {
    return this.#rows.get(row) ?? [];
  }

  /** The store's operations are repeated until they succeed. */
  canStore(): boolean {
    return true;
  }

  /** Reads what has changed at a destination. Returns the rows that another window wants to be checked now. @throws StoreFault */
  async read({ id, dataset, origin }: DestinationRow): Promise<readonly number[]> {
    const since = this.#versions.get(id) ?? 0;
    const { version, files, tasks } = await this.#store.unfinishedTasks({ destination: id, since });
    this.#versions.set(id, version);
    const byFile = Map.groupBy(tasks, ({ file }) => file);
    const isWanted = ({ checkedMs, ...task }: UnfinishedTask) =>
      checkedMs === null && (this.#stored.get(keyOf(task))?.checkedMs ?? null) !== null;
    const wanted = new Set(tasks.filter(isWanted).map(({ file }) => file));
    const rows = [...new Set([...files, ...byFile.keys()])].map((file): FollowedRow => {
      const stored = byFile.get(file) ?? [];
      return { row: file, tasks: stored.map((task) => this.#followed(task, { dataset, origin })) };
    });
    for (const { row, tasks: now } of rows) {
      const keys = new Set(now.map(({ key }) => key));
      for (const { key } of this.#rows.get(row) ?? []) if (!keys.has(key)) this.#forget(key);
      if (now.length > 0) this.#rows.set(row, now);
      else this.#rows.delete(row);
    }
    this.#listener(rows);
    return [...wanted];
  }

  async report({ key }: FollowedTask, outcome: Outcome<TaskReport>, isWanted: boolean): Promise<void> {
    const stored = this.#stored.get(key);
    if (stored === undefined || (outcome.kind === 'rejected' && outcome.tryLater)) return;
    const report = reportAfter(stored, outcome);
    const response = keptResponse(outcome);
    // The user may map a status that was not recognized, and reads the response after asking for it.
    const digest = isWanted || report.meaning === 'unknown' ? hash('sha256', response ?? '') : undefined;
    const hasNewResponse = digest !== undefined && digest !== this.#responses.get(key);
    if (digest !== undefined) this.#responses.set(key, digest);
    // A task that is checked again after its end has the same report, and must end again.
    const isFinal = report.meaning === 'succeeded' || report.meaning === 'failed';
    if (!hasNewResponse && !isFinal && isSameStored(reportOf(stored), report)) {
      // It was checked, even if there is nothing to store.
      this.#stored.set(key, { ...stored, checkedMs: stored.checkedMs ?? stored.queuedMs });
      return;
    }
    await this.#store.report({ ...report, ...(response !== undefined && { response }) });
  }

  #forget(key: string): void {
    this.#stored.delete(key);
    this.#responses.delete(key);
  }

  #followed(task: UnfinishedTask, destination: { readonly dataset: string; readonly origin: string }): FollowedTask {
    const { file: row, id, queuedMs, checkedMs } = task;
    const key = keyOf(task);
    this.#stored.set(key, task);
    return { key, row, id, destination, queuedMs, changedMs: checkedMs ?? queuedMs, hasEnded: false };
  }
}

function keyOf({ import: importId, id }: Pick<UnfinishedTask, 'import' | 'id'>): string {
  return `${importId} ${id}`;
}

function reportOf({
  import: importId,
  id,
  meaning,
  status,
  progress,
  message,
  cause,
  byMapping,
}: UnfinishedTask): Report {
  return { import: importId, id, meaning: meaning ?? 'none', status, progress, message, cause, byMapping };
}

/** Undefined is not stored. */
function isSameStored(one: Report, other: Report): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/** The report after a check. Without one, the last report stays, with the cause. */
function reportAfter(stored: UnfinishedTask, outcome: Outcome<TaskReport>): Report {
  const last = reportOf(stored);
  if (outcome.kind !== 'accepted') return { ...last, cause: checkCauseOf(outcome) };
  const { meaning, status = null, progress = null, message = null, byExpression, from } = outcome.value;
  const isDefault = meaning === 'none' || status === null || statusMeaning(status, {}) === meaning;
  const byMapping = byExpression !== undefined || from.status?.how === 'mapped' || !isDefault;
  return { ...last, meaning, status, progress, message, cause: null, byMapping };
}

/** Marks a response that no further check will change. */
function checkCauseOf(outcome: Exclude<Outcome<unknown>, { readonly kind: 'accepted' }>): Cause {
  const cause = causeOf(outcome);
  const isFinal = cause.name === 'BadResponseError' && cause.reason !== 'serverError';
  return outcome.kind === 'rejected' || isFinal ? { ...cause, rejected: true } : cause;
}
