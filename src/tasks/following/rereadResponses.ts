import type { Contract } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import type { TaskId } from '../../service/json/taskId';
import { statusMeaning } from '../../service/response/statusMeaning';
import { readBegunTask, readTaskReport, reportAfter, type TaskReport } from '../../service/response/taskReport';
import { isOf } from '../destination';
import type { TaskWithResponses } from '../history/taskHistory';
import { newestFirst, readTasks, tasksById } from '../history/walk';
import { acceptedAs, asSingle, singlesOf, taskIdsOf, withParts } from '../severalTasks';
import type { TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import { type Accepted, type Responses, type TaskPart, type TrackedTask, taskState } from '../trackedTask';
import { isRepeatedId, ownTaskOf, queryResponse, responseData } from './keptResponses';

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

/** A task that a change of the contract would change, and whether it has finished and would get another result. */
export interface TouchedTask {
  readonly key: number;
  readonly changesEnd: boolean;
}

/** The tasks that a change of the contract would change. */
export async function tasksToRead(list: TaskList, rereading: Rereading): Promise<readonly TouchedTask[]> {
  const touched: TouchedTask[] = [];
  for await (const some of inGroups(list, rereading)) {
    for (const { task, responses } of some) {
      const change = changeBy(rereading, task, responses);
      const states = change && singlesOf({ ...task, ...change }).map(taskState);
      const isFinished = (state: string) => state === 'succeeded' || state === 'failed';
      const before = singlesOf(task).map(taskState);
      const changesEnd = before.some((state, index) => isFinished(state) && state !== states?.[index]);
      if (change !== undefined) touched.push({ key: task.key, changesEnd });
    }
  }
  return touched;
}

/**
 * Reads the stored responses of a destination's tasks again, by a changed contract. Task IDs: where there is none or it was
 * not trusted, or where it was picked and nothing has come of it. Reports: of unfinished tasks, and of results that the
 * changed mapping decided; if the response isn't stored, the service is asked again. Every other result is final.
 */
export async function rereadResponses(list: TaskList, rereading: Rereading): Promise<void> {
  for await (const group of inGroups(list, rereading)) {
    for (let some = group; some.length > 0; ) {
      const revisions = new Map(some.map(({ task }) => [task.key, task.revision]));
      const isAsRead = ({ key, revision }: TrackedTask) => revision === revisions.get(key);
      const trusted = await withoutRepeatedIds(list, rereading, some);
      const changed = await list.updateAll(
        trusted.map(({ task: { key }, responses }) => [
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

/** Without the imports whose response still has no task ID, or the one of another file, by the changed contract. */
async function withoutRepeatedIds(list: TaskList, { after }: Rereading, tasks: readonly TaskWithResponses[]) {
  const ids = new Set<TaskId>();
  const trusted: TaskWithResponses[] = [];
  for (const each of tasks) {
    if (!isRepeatedId(each.task)) {
      trusted.push(each);
      continue;
    }
    const data = responseData(each.responses.importResponse ?? '');
    const own =
      data === undefined ? [] : taskIdsOf({ ...each.task, ...acceptedAs(readBegunTask(data, after.fileTask)) });
    const isNew = own.every((id) => !ids.has(id)) && (await tasksById(list.history, own)).length === 0;
    for (const id of own) ids.add(id);
    if (own.length > 0 && isNew) trusted.push(each);
  }
  return trusted;
}

async function* inGroups(list: TaskList, { dataset }: Rereading): AsyncGenerator<readonly TaskWithResponses[]> {
  for await (const tasks of newestFirst(list.history, dataset.name)) {
    const read = tasks.filter((task) => isOf(task, dataset) && (task.phase.kind === 'accepted' || isRepeatedId(task)));
    while (read.length > 0) yield list.history.withResponses(read.splice(0, READ_AT_ONCE));
  }
}

function changeBy(rereading: Rereading, task: TrackedTask, responses: Responses): TaskChange | undefined {
  const id = idChange(rereading, task, responses);
  if (task.phase.kind !== 'accepted' || (id !== undefined && 'phase' in id)) return id;
  const report = reportChange(rereading, task, task.phase, responses.lastResponse);
  return id === undefined && report === undefined ? undefined : { ...id, ...report };
}

function idChange(
  { before, after, chosenFrom }: Rereading,
  task: TrackedTask,
  { importResponse }: Responses,
): TaskChange | undefined {
  const { taskId, taskIdFrom, phase } = task;
  const hasNewPlace = before.fileTask.taskId !== after.fileTask.taskId;
  const wasPicked = taskIdFrom?.how === 'mapped' && taskIdFrom.pointer === before.fileTask.taskId;
  const report = phase.kind === 'accepted' ? phase.report : undefined;
  const isFinished = report?.meaning === 'succeeded' || report?.meaning === 'failed';
  const isUnproven = (wasPicked && !isFinished) || (task.key === chosenFrom && report === undefined);
  if (importResponse === undefined || (taskId !== undefined && !(hasNewPlace && isUnproven))) return undefined;
  const data = responseData(importResponse);
  if (data === undefined) return undefined;
  const begun = readBegunTask(data, after.fileTask);
  const read = acceptedAs(begun);
  if (isSame(taskIdsOf({ ...task, ...read }), taskIdsOf(task)))
    return isSame(begun.from, taskIdFrom) ? undefined : { taskIdFrom: begun.from };
  return { ...read, lastQueryError: undefined, lastResponse: importResponse };
}

function reportChange(
  rereading: Rereading,
  task: TrackedTask,
  phase: Accepted,
  lastResponse: string | undefined,
): TaskChange | undefined {
  if (isSame(rereading.before.queryTask, rereading.after.queryTask)) return undefined;
  if (phase.parts === undefined) {
    const report = reportAgain(rereading, task, phase.report, lastResponse);
    return isSame(report, phase.report) ? undefined : { phase: { kind: 'accepted', report } };
  }
  // Of several tasks, only one response is stored.
  const parts = phase.parts.map((part): TaskPart => {
    const response = part.taskId === phase.lastPart ? lastResponse : undefined;
    return { ...part, report: reportAgain(rereading, asSingle(task, part.taskId), part.report, response) };
  });
  return isSame(parts, phase.parts) ? undefined : { phase: withParts(phase, parts) };
}

/** A task's report by the changed contract; undefined if the service must be asked again. */
function reportAgain(
  { before, after }: Rereading,
  task: TrackedTask,
  report: TaskReport | undefined,
  lastResponse: string | undefined,
): TaskReport | undefined {
  if (report === undefined) return undefined;
  const isFinished = report.meaning === 'succeeded' || report.meaning === 'failed';
  const isFinal = isFinished && !isDecidedBy(before.queryTask, after.queryTask, report);
  if (isFinal && before.queryTask.message === after.queryTask.message) return report;
  const response = queryResponse(task, lastResponse);
  const data = response === undefined ? undefined : responseData(response);
  if (data !== undefined) {
    const again = reportAfter(report, readTaskReport(data, after.queryTask, ownTaskOf(task, after)));
    if (!isFinal) return again;
    // A message only explains the result.
    const { message, from } = again;
    if (message === undefined || from.message === undefined) return report;
    return { ...report, message, from: { ...report.from, message: from.message } };
  }
  if (isFinal) return report;
  const { status, state, statusMeanings } = after.queryTask;
  const isSamePlace = status === before.queryTask.status && state === before.queryTask.state;
  if (!isSamePlace || report.byExpression !== undefined) return isFinished ? undefined : report;
  return report.status === undefined ? report : { ...report, meaning: statusMeaning(report.status, statusMeanings) };
}

/** Whether a result comes from a part of the mapping that is changed. */
function isDecidedBy(
  before: Contract['queryTask'],
  after: Contract['queryTask'],
  { status, meaning, from, byExpression }: TaskReport,
): boolean {
  const hasNewExpression = before.state !== after.state;
  if (byExpression !== undefined) return hasNewExpression;
  const wasPicked = from.status?.how === 'mapped' && from.status.pointer === before.status;
  if (wasPicked && (before.status !== after.status || hasNewExpression)) return true;
  if (status === undefined || !Object.hasOwn(before.statusMeanings, status)) return false;
  return before.statusMeanings[status] === meaning && (after.statusMeanings[status] !== meaning || hasNewExpression);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
