import type { Contract } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { reportAfter } from '../../service/response/reportAfter';
import { statusMeaning } from '../../service/response/statusMeaning';
import { readBegunTask, readTaskReport, type TaskReport } from '../../service/response/taskReport';
import { isOf } from '../destination';
import type { TaskWithResponses } from '../history/taskHistory';
import { newestFirst, readTasks } from '../history/walk';
import { acceptedAs, asSingle, singlesOf, taskIdsOf, withParts } from '../severalTasks';
import type { TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import {
  type Accepted as AcceptedPhase,
  isEnd,
  type Responses,
  type TaskPart,
  type TrackedTask,
  taskState,
} from '../trackedTask';
import { ownTaskOf, queryResponse, responseData } from './keptResponses';

/** Responses read in one turn of the event loop: of the longest, 64 KiB each, about 20 ms. */
const READ_AT_ONCE = 10;

/** A change of the contract by which a dataset's responses are read. */
export interface Rereading {
  readonly dataset: Pick<Dataset, 'name' | 'baseUrl'>;
  readonly before: Contract;
  readonly after: Contract;
  /** The key of the task from whose response the user chose a field. */
  readonly chosenFrom?: number | undefined;
}

/** A task that a change of the contract would change. */
export interface TouchedTask {
  readonly key: number;
  /** Whether it has ended, or one of its parts has, and would end otherwise or be unfinished again. */
  readonly changesEnd: boolean;
}

/** The tasks that a change of the contract would change. */
export async function tasksToRead(list: TaskList, rereading: Rereading): Promise<readonly TouchedTask[]> {
  const touched: TouchedTask[] = [];
  for await (const some of inGroups(list, rereading)) {
    for (const { task, responses } of some) {
      const change = changeBy(rereading, task, responses);
      if (change !== undefined) touched.push({ key: task.key, changesEnd: changesEnd(task, { ...task, ...change }) });
    }
  }
  return touched;
}

function changesEnd(before: TrackedTask, after: TrackedTask): boolean {
  const states = singlesOf(after).map(taskState);
  return singlesOf(before).some((one, index) => isFinishedAtService(one) && states[index] !== taskState(one));
}

/**
 * Reads the stored responses of a destination's tasks again, by a changed contract.
 *
 * A task gets a new id only if it has none; or it is unfinished and its id was read by the pointer that is changed; or the
 * user chose the id from its response, and nothing was ever reported for the current one.
 *
 * Status, progress and message are read again for unfinished tasks. A finished task keeps its result, unless the setting
 * that is changed decided it: the state expression, the pointer of the status, or the meaning of its value. A message only
 * explains the result, so it is read again if its pointer changes.
 */
export async function rereadResponses(list: TaskList, rereading: Rereading): Promise<void> {
  for await (const group of inGroups(list, rereading)) {
    for (let some = group; some.length > 0; ) {
      const revisions = new Map(some.map(({ task }) => [task.key, task.revision]));
      const isAsRead = ({ key, revision }: TrackedTask) => revision === revisions.get(key);
      const changed = await list.updateAll(
        some.map(({ task: { key }, responses }) => [
          key,
          (task) => (isAsRead(task) ? changeBy(rereading, task, responses) : undefined),
        ]),
      );
      // Read tasks again that changed in the meantime.
      const now = await readTasks(list.history, [...revisions.keys()]);
      some = await list.history.withResponses(now.filter((task) => !changed.has(task.key) && !isAsRead(task)));
    }
  }
}

async function* inGroups(list: TaskList, { dataset }: Rereading): AsyncGenerator<readonly TaskWithResponses[]> {
  for await (const tasks of newestFirst(list.history, dataset.name)) {
    const accepted = tasks.filter((task) => isOf(task, dataset) && task.phase.kind === 'accepted');
    while (accepted.length > 0) yield list.history.withResponses(accepted.splice(0, READ_AT_ONCE));
  }
}

function changeBy(rereading: Rereading, task: TrackedTask, responses: Responses): TaskChange | undefined {
  const { phase } = task;
  if (phase.kind !== 'accepted') return undefined;
  const id = idChange(rereading, task, responses);
  if (id !== undefined && 'phase' in id) return id;
  const { lastResponse } = responses;
  const report =
    phase.parts === undefined
      ? reportChange(rereading, task, lastResponse)
      : partsChange(rereading, task, phase, lastResponse);
  return id === undefined && report === undefined ? undefined : { ...id, ...report };
}

function idChange(
  { before, after, chosenFrom }: Rereading,
  task: TrackedTask,
  { importResponse }: Responses,
): TaskChange | undefined {
  const { taskId, taskIdFrom, phase } = task;
  const isChanged = before.fileTask.taskId !== after.fileTask.taskId;
  if (importResponse === undefined || (taskId !== undefined && !isChanged)) return undefined;
  const isByFormerChoice = taskIdFrom?.how === 'mapped' && taskIdFrom.pointer === before.fileTask.taskId;
  const isChosenFrom = task.key === chosenFrom && phase.kind === 'accepted' && phase.report === undefined;
  const waits = taskId === undefined || (!isFinishedAtService(task) && isByFormerChoice) || isChosenFrom;
  const data = waits ? responseData(importResponse) : undefined;
  const begun = data === undefined ? undefined : readBegunTask(data, after.fileTask);
  if (begun === undefined) return undefined;
  const begins = { ...task, ...acceptedAs(begun) };
  const { from } = begun;
  if (isSame(taskIdsOf(begins), taskIdsOf(task))) return isSame(from, taskIdFrom) ? undefined : { taskIdFrom: from };
  return { ...acceptedAs(begun), lastQueryError: undefined, lastResponse: importResponse };
}

function reportChange(
  rereading: Rereading,
  task: TrackedTask,
  lastResponse: string | undefined,
): TaskChange | undefined {
  const { before, after } = rereading;
  if (isSame(before.queryTask, after.queryTask)) return undefined;
  const report = task.phase.kind === 'accepted' ? task.phase.report : undefined;
  if (report === undefined) return undefined;
  const keepsEnd = isFinishedAtService(task) && !endsByChoice(before.queryTask, after.queryTask, report);
  if (keepsEnd && before.queryTask.message === after.queryTask.message) return undefined;
  const response = queryResponse(task, lastResponse);
  const data = response === undefined ? undefined : responseData(response);
  if (data === undefined) return keepsEnd ? undefined : withoutResponse(rereading, report);
  const ownTask = ownTaskOf(task, after);
  const read = readTaskReport(data, after.queryTask, ownTask);
  if (keepsEnd) return messageChange(report, read);
  const again = reportAfter(report, read);
  return isSame(shown(again), shown(report)) ? undefined : { phase: { kind: 'accepted', report: again } };
}

function withoutResponse(rereading: Rereading, report: TaskReport): TaskChange | undefined {
  const again = reportWithoutResponse(rereading, report);
  return again === report ? undefined : { phase: { kind: 'accepted', report: again } };
}

/** The message that was read again, of a task that keeps its end; undefined where there is none, or no other one. */
function messageChange(report: TaskReport, { message, from }: TaskReport): TaskChange | undefined {
  if (message === undefined || message === report.message) return undefined;
  const again = { ...report, message, from: { ...report.from, ...(from.message && { message: from.message }) } };
  return { phase: { kind: 'accepted', report: again } };
}

/** What people see of a report. */
function shown({ seen: _, ...report }: TaskReport): object {
  return report;
}

/** As {@link reportChange}, of several tasks: the response about one of them is kept. */
function partsChange(
  rereading: Rereading,
  task: TrackedTask,
  phase: AcceptedPhase,
  lastResponse: string | undefined,
): TaskChange | undefined {
  const { before, after } = rereading;
  if (phase.parts === undefined || isSame(before.queryTask, after.queryTask)) return undefined;
  const parts = phase.parts.map((part): TaskPart => {
    const one = asSingle(task, part.taskId);
    if (part.taskId !== phase.lastPart || queryResponse(one, lastResponse) === undefined)
      return { ...part, report: reportWithoutResponse(rereading, part.report) };
    const again = reportChange(rereading, one, lastResponse)?.phase;
    return again?.kind === 'accepted' ? { ...part, report: again.report } : part;
  });
  return isSame(parts, phase.parts) ? undefined : { phase: withParts(phase, parts) };
}

/** A report of which the response is not kept, by a changed contract; undefined where it must be asked for again. */
function reportWithoutResponse({ before, after }: Rereading, report: TaskReport | undefined): TaskReport | undefined {
  if (report === undefined || (isEnd(report) && !endsByChoice(before.queryTask, after.queryTask, report)))
    return report;
  const hasOtherPlaces =
    before.queryTask.status !== after.queryTask.status || before.queryTask.state !== after.queryTask.state;
  if (hasOtherPlaces || report.byExpression !== undefined) return isEnd(report) ? undefined : report;
  if (report.status === undefined) return report;
  return { ...report, meaning: statusMeaning(report.status, after.queryTask.statusMeanings) };
}

/** Whether a task ended by a setting that is changed. */
function endsByChoice(
  before: Contract['queryTask'],
  after: Contract['queryTask'],
  { status, meaning, from, byExpression }: TaskReport,
): boolean {
  const hasOtherExpression = before.state !== after.state;
  if (byExpression !== undefined) return hasOtherExpression;
  const isByPlace = from.status?.how === 'mapped' && from.status.pointer === before.status;
  if (isByPlace && (before.status !== after.status || hasOtherExpression)) return true;
  if (status === undefined || !Object.hasOwn(before.statusMeanings, status)) return false;
  return before.statusMeanings[status] === meaning && (after.statusMeanings[status] !== meaning || hasOtherExpression);
}

function isFinishedAtService(task: TrackedTask): boolean {
  const state = taskState(task);
  return state === 'succeeded' || state === 'failed';
}

function isSame(one: object | undefined, other: object | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
