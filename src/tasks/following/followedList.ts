import { isDeepStrictEqual } from 'node:util';
import type { TaskId } from '../../service/json/taskId';
import { keptResponse } from '../../service/response/keptResponse';
import { mayBeBadKey, type Outcome } from '../../service/response/outcome';
import type { TaskReport } from '../../service/response/taskReport';
import { reportAfter } from '../../service/response/taskReport';
import { destinationKey } from '../destination';
import { asSingle, changeOfOne, idsToAsk, taskIdsOf } from '../severalTasks';
import type { TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import type { Clock } from '../timing/clock';
import { failureOf, isEnd, isUnfinished, keptRefusal, type TrackedTask } from '../trackedTask';
import type { FollowedRow, FollowedRows, FollowedTask } from './followedRows';

/** The rows of the task list, for following. */
export class FollowedList implements FollowedRows {
  readonly #list: TaskList;
  readonly #clock: Pick<Clock, 'now'>;
  /** The rows with tasks to be checked. */
  readonly #followed = new Set<number>();

  constructor(list: TaskList, clock: Pick<Clock, 'now'>) {
    this.#list = list;
    this.#clock = clock;
  }

  onChange(listener: (rows: readonly FollowedRow[]) => void): void {
    this.#list.events.on('change', (change) => {
      const [tasks, removed] = change.kind === 'list' ? [change.added, change.removed] : [change.tasks, []];
      const rows = [...tasks.map(followedRow), ...removed.map((row) => ({ row, tasks: [] }))];
      listener(rows.filter(({ row, tasks: { length } }) => length > 0 || this.#followed.has(row)));
      for (const {
        row,
        tasks: { length },
      } of rows)
        length > 0 ? this.#followed.add(row) : this.#followed.delete(row);
    });
  }

  tasksToRefresh(row: number): readonly FollowedTask[] {
    const task = this.#list.get(row);
    return task === undefined ? [] : followedTasks(task);
  }

  canStore(row: number): boolean {
    return !this.#list.isUnsaved(row);
  }

  async report({ row, id, hasEnded }: FollowedTask, outcome: Outcome<TaskReport>, isWanted: boolean): Promise<void> {
    const change = changeAfter(outcome, this.#clock.now());
    // Another window may have stored the task's end, which an older response must not replace.
    const isChecked = (now: TrackedTask) =>
      now.phase.kind === 'accepted' && taskIdsOf(now).includes(id) && (hasEnded || !isEnd(reportOf(asSingle(now, id))));
    const changeOf = (now: TrackedTask, storedResponse?: string): TaskChange | undefined => {
      if (change === undefined || !isChecked(now)) return undefined;
      const news = newsOf(asSingle(now, id), change, isWanted, storedResponse);
      return news && changeOfOne(now, id, news);
    };
    const known = this.#list.get(row);
    // Most responses say nothing new.
    if (known === undefined || changeOf(known) === undefined) return;
    // If the store can't be read, the response counts as different.
    const stored = await this.#list.history.responses(row).catch(() => undefined);
    await this.#list.update(row, (now) => changeOf(now, stored?.lastResponse));
  }
}

function followedRow(task: TrackedTask): FollowedRow {
  return { row: task.key, tasks: isUnfinished(task) ? followedTasks(task) : [] };
}

function followedTasks(task: TrackedTask): FollowedTask[] {
  const { key: row, dataset, origin, attempts, createdMs, checkedMs } = task;
  const queuedMs = attempts.at(-1)?.endedMs ?? createdMs;
  return idsToAsk(task).map((id) => ({
    key: keyOf(task, id),
    row,
    id,
    destination: { dataset, origin },
    queuedMs,
    changedMs: checkedMs ?? queuedMs,
    hasEnded: isEnd(reportOf(asSingle(task, id))),
  }));
}

/** A dataset may be renamed. */
function keyOf(task: TrackedTask, id: TaskId): string {
  return `${destinationKey(task)} ${task.key} ${id}`;
}

/**
 * What is to be stored after a check; undefined if nothing differs. A response alone is stored if the user asked for it, or
 * if its status was not recognized, because the user may map it.
 */
function newsOf(
  task: TrackedTask,
  change: TaskChange,
  isWanted: boolean,
  storedResponse: string | undefined,
): TaskChange | undefined {
  const before = reportOf(task);
  const told = reportOf(change);
  const report = told && confirmed(reportAfter(before, told));
  const isSameReport = report === undefined || isSameStored(before, report);
  const isSame = isSameReport && isSameStored(task.lastQueryError, change.lastQueryError);
  const isResponseWanted = isWanted || (change.lastQueryError === undefined && report?.meaning !== 'running');
  const hasResponse = isResponseWanted && change.lastResponse !== undefined && change.lastResponse !== storedResponse;
  if (isSame && !hasResponse) return undefined;
  const phase = report && { phase: { kind: 'accepted' as const, report } };
  // Only a different report is progress.
  return { ...change, ...phase, ...(report && isSameReport && { checkedMs: task.checkedMs }) };
}

/** A failure is reported only once it is confirmed. */
function confirmed({ isUnverified: _, ...report }: TaskReport): TaskReport {
  return report;
}

/** Whether two values are stored alike: undefined is left out. */
function isSameStored(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify([one])), JSON.parse(JSON.stringify([other])));
}

function reportOf({ phase }: Pick<TaskChange, 'phase'>): TaskReport | undefined {
  return phase?.kind === 'accepted' ? phase.report : undefined;
}

/** A busy service says nothing about the task. */
function changeAfter(outcome: Outcome<TaskReport>, checkedMs: number): TaskChange | undefined {
  const text = keptResponse(outcome);
  const lastResponse = text === undefined ? {} : { lastResponse: text };
  switch (outcome.kind) {
    case 'accepted': {
      const phase = { kind: 'accepted', report: outcome.value } as const;
      return { phase, ...lastResponse, checkedMs, lastQueryError: undefined };
    }
    case 'rejected': {
      if (outcome.tryLater) return undefined;
      const badKey = mayBeBadKey(outcome) ? { badKey: true as const } : {};
      const lastQueryError = { kind: 'rejected', refusal: keptRefusal(outcome.refusal), ...badKey } as const;
      return { lastQueryError, ...lastResponse };
    }
    case 'notSent':
    case 'unconfirmed':
      return { lastQueryError: { kind: 'failed', failure: failureOf(outcome.cause) } };
  }
}
