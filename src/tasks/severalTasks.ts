import type { TaskId } from '../service/json/taskId';
import type { BegunTask, TaskReport } from '../service/response/taskReport';
import type { TaskChange } from './store/taskChange';
import { type Accepted, isEnd, type TaskPart, type TrackedTask } from './trackedTask';

/** What file-task's response reports, as a task has it. */
export function acceptedAs({ taskId, from, ids, leftOut }: BegunTask) {
  const parts = ids?.map((id): TaskPart => ({ taskId: id, report: undefined }));
  const several = parts === undefined ? {} : { parts, ...(leftOut !== undefined && { leftOut }) };
  const phase: Accepted = { kind: 'accepted', report: undefined, ...several };
  return { taskId, taskIdFrom: from, phase };
}

/** The several tasks that came of one file; undefined where there is only one, or none. */
export function partsOf({ phase }: TrackedTask): readonly TaskPart[] | undefined {
  return phase.kind === 'accepted' ? phase.parts : undefined;
}

/** All ids of a task. */
export function taskIdsOf(task: TrackedTask): readonly TaskId[] {
  const parts = partsOf(task);
  if (parts !== undefined) return parts.map(({ taskId }) => taskId);
  return task.taskId === undefined ? [] : [task.taskId];
}

/** The ids that are queried: of several those that have not ended, or all where all have. */
export function idsToAsk(task: TrackedTask): readonly TaskId[] {
  const unfinished = (partsOf(task) ?? []).filter(({ report }) => !isEnd(report));
  return unfinished.length > 0 ? unfinished.map(({ taskId }) => taskId) : taskIdsOf(task);
}

/** A task as if one of its ids were its only one. */
export function asSingle(task: TrackedTask, taskId: TaskId): TrackedTask {
  const part = partsOf(task)?.find((one) => one.taskId === taskId);
  if (part === undefined) return task;
  return { ...task, taskId, phase: { kind: 'accepted', report: part.report }, lastQueryError: part.queryError };
}

/** A task as if the one of its several ids that its last response is about were its only one. */
export function shownTask(task: TrackedTask): TrackedTask {
  const { phase } = task;
  return phase.kind === 'accepted' && phase.lastPart !== undefined ? asSingle(task, phase.lastPart) : task;
}

/** Each of a task's several tasks as if it were the only one, or the task itself. */
export function singlesOf(task: TrackedTask): readonly TrackedTask[] {
  return partsOf(task)?.map(({ taskId }) => asSingle(task, taskId)) ?? [task];
}

/** What is reported of each of a task's ids. */
export function reportsOf(task: TrackedTask): readonly TaskReport[] {
  return singlesOf(task).flatMap(({ phase }) => (phase.kind === 'accepted' ? (phase.report ?? []) : []));
}

/** The id of a task of which the last response lists several tasks, and none is known to be it. */
export function unlistedId(task: TrackedTask): TaskId | undefined {
  return singlesOf(task).find((one) => reportsOf(one).some(({ elements }) => elements !== undefined))?.taskId;
}

/** How many of several tasks have ended, as far as was reported. */
export function endedCount(parts: readonly TaskPart[]): number {
  return parts.filter(({ report }) => isEnd(report) || report?.meaning === 'failed').length;
}

/**
 * What the reports of several tasks come to: failed where any has failed, succeeded where all have, unknown where any
 * is unknown, else running; none where nothing is reported of any yet. The words are those of the first task that it
 * comes from. Undefined where none has a report.
 */
export function combinedReport(parts: readonly TaskPart[]): TaskReport | undefined {
  const reports = parts.map(({ report }) => report);
  if (reports.every((report) => report === undefined)) return undefined;
  const first = (wanted: TaskReport['meaning']) => reports.find((report) => report?.meaning === wanted);
  const succeeded = reports.filter((report) => report?.meaning === 'succeeded');
  const isAllSucceeded = succeeded.length === reports.length;
  const none = succeeded.length === 0 ? first('none') : undefined;
  const failed = reports.find((report) => report?.meaning === 'failed' && isEnd(report)) ?? first('failed');
  const words = failed ?? (isAllSucceeded ? reports[0] : (first('unknown') ?? first('running') ?? none));
  const { progress: _progress, ...from } = words?.from ?? {};
  const progress = meanProgress(reports);
  return {
    status: words?.status,
    // Where some have succeeded and the others are not known yet.
    meaning: words?.meaning ?? 'running',
    progress,
    message: words?.message,
    ...(words?.elements && { elements: words.elements }),
    from,
    ...(words?.byExpression !== undefined && { byExpression: words.byExpression }),
    ...(words?.isUnverified && { isUnverified: true }),
  };
}

/** Each one that has ended counts as whole. Undefined where the progress of one is not known. */
function meanProgress(reports: readonly (TaskReport | undefined)[]): number | undefined {
  const each = reports.map((report) => (isEnd(report) ? 1 : report?.progress));
  const known = each.filter((progress) => progress !== undefined);
  return known.length < each.length ? undefined : known.reduce((sum, one) => sum + one, 0) / each.length;
}

/** The phase with other parts, and their report. */
export function withParts(phase: Accepted, parts: readonly TaskPart[]): Accepted {
  return { ...phase, parts, report: combinedReport(parts) };
}

/** A change of one id's task as a change of the whole: what was reported of it, and of the others before. */
export function changeOfOne(task: TrackedTask, taskId: TaskId, change: TaskChange): TaskChange {
  const { phase } = task;
  if (phase.kind !== 'accepted' || phase.parts === undefined) return change;
  const { lastResponse, lastQueryError, phase: told, ...others } = change;
  const parts = phase.parts.map((part): TaskPart => {
    if (part.taskId !== taskId) return part;
    const report = told?.kind === 'accepted' ? told.report : part.report;
    return { taskId, report, ...(lastQueryError !== undefined && { queryError: lastQueryError }) };
  });
  const isShown = lastResponse !== undefined && isWorthMore(parts, taskId, phase.lastPart);
  return {
    ...others,
    phase: { ...withParts(phase, parts), ...(isShown && { lastPart: taskId }) },
    lastQueryError: parts.find(({ queryError }) => queryError !== undefined)?.queryError,
    ...(isShown && { lastResponse }),
  };
}

/** Whether the response about one of several tasks is rather shown than that about another one, which came before. */
function isWorthMore(parts: readonly TaskPart[], taskId: TaskId, other: TaskId | undefined): boolean {
  const [one, before] = [weight(parts, taskId), weight(parts, other)];
  if (one !== before || one < 3) return one >= before;
  // Of those that failed, the words of the first one are shown.
  return parts.findIndex((part) => part.taskId === taskId) <= parts.findIndex((part) => part.taskId === other);
}

/** How much the response about one of several tasks is worth to the user, who sees only one. */
function weight(parts: readonly TaskPart[], taskId: TaskId | undefined): number {
  const part = parts.find((one) => one.taskId === taskId);
  if (part?.report?.meaning === 'failed') return 3;
  if (part?.queryError !== undefined || part?.report?.meaning === 'unknown') return 2;
  return part === undefined || part.report?.meaning === 'none' ? 0 : 1;
}
