import { setImmediate as immediate } from 'node:timers/promises';
import { KEY_MASK } from '../service/accessKey';
import type { Contract } from '../service/contract';
import type { Dataset } from '../service/dataset';
import { isSuccessCode } from '../service/envelope';
import { isJsonObject, type Json, parseJson } from '../service/json';
import type { Outcome } from '../service/outcome';
import { type BegunTask, readBegunTask, readTaskReport, type TaskReport } from '../service/taskReport';
import { isCut } from './cutEnvelope';
import { type Destination, isOf } from './destination';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import { isUnfinished, type TrackedTask } from './trackedTask';

/** The answers of so many tasks, or with so many characters, are read before others have their turn: about 20 ms. */
const READ_AT_ONCE = { tasks: 100, characters: 100_000 } as const;

type Accepted<Taken> = Outcome<Taken> & { readonly kind: 'accepted' };

/** The contract that a destination has now; undefined where there is no such dataset, or it is at another origin. */
export type ContractOf = (destination: Destination) => Contract | undefined;

/** A change of the contract by which the answers of a dataset, where it is now, are read. */
export interface Rereading {
  readonly dataset: Pick<Dataset, 'name' | 'baseUrl'>;
  readonly before: Contract;
  readonly after: Contract;
  /** The task from whose answer a person chose. */
  readonly chosenFrom?: number | undefined;
}

/** The tasks that a change of the contract would change. */
export async function tasksToRead(list: TaskList, rereading: Rereading): Promise<readonly number[]> {
  const keys: number[] = [];
  for (const some of inGroups(list, rereading)) {
    keys.push(...some.flatMap((task) => (changeBy(rereading, task) === undefined ? [] : [task.key])));
    await immediate();
  }
  return keys;
}

/**
 * Reads the kept answers of a destination's tasks once more, by a contract that has changed.
 *
 * Which task a change touches: the one without an id gets one; one whose id came from the very place that was chosen
 * before, and which has not ended, gets what it would have got without that choice; the one from whose answer a person
 * chose gets the chosen id where nothing was ever reported under the one it has. Every other task that has an id keeps
 * it. Status, progress and message are read again of tasks that have not ended. One that has ended keeps its end, unless
 * that came from the very choice that is changed: what its status was said to mean, or where its status was said to be.
 */
export async function readAnswersAgain(list: TaskList, rereading: Rereading): Promise<void> {
  for (const some of inGroups(list, rereading)) {
    await list.updateAll(some.map(({ key }) => [key, (task) => changeBy(rereading, task)]));
  }
}

function* inGroups(list: TaskList, { dataset }: Rereading): Generator<readonly TrackedTask[]> {
  let group: TrackedTask[] = [];
  let characters = 0;
  for (const task of list.tasks.filter((task) => isOf(task, dataset))) {
    group.push(task);
    characters += (task.importAnswer?.length ?? 0) + (task.lastAnswer?.length ?? 0);
    if (group.length < READ_AT_ONCE.tasks && characters < READ_AT_ONCE.characters) continue;
    yield group;
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield group;
}

function changeBy(rereading: Rereading, task: TrackedTask): TaskChange | undefined {
  if (task.phase.kind !== 'accepted') return undefined;
  const id = idChange(rereading, task);
  if (id !== undefined && 'phase' in id) return id;
  const report = reportChange(rereading, task);
  return id === undefined && report === undefined ? undefined : { ...id, ...report };
}

function idChange({ before, after, chosenFrom }: Rereading, task: TrackedTask): TaskChange | undefined {
  const { taskId, taskIdFrom, importAnswer, phase } = task;
  const isChanged = before.fileTask.taskId !== after.fileTask.taskId;
  if (importAnswer === undefined || (taskId !== undefined && !isChanged)) return undefined;
  const isByFormerChoice = taskIdFrom?.how === 'mapped' && taskIdFrom.pointer === before.fileTask.taskId;
  const isChosenFrom = task.key === chosenFrom && phase.kind === 'accepted' && phase.report === undefined;
  const waits = taskId === undefined || (!hasEnded(task) && isByFormerChoice) || isChosenFrom;
  const begun = waits ? begunTaskIn(answerData(importAnswer), after) : undefined;
  // What was cut may hold one that is not kept; the one that is known holds.
  if (begun === undefined || (begun.taskId === undefined && isCutText(importAnswer))) return undefined;
  const { taskId: newId, from } = begun;
  if (newId === taskId) return isSame(from, taskIdFrom) ? undefined : { taskIdFrom: from };
  const unasked = { kind: 'accepted', report: undefined } as const;
  return { taskId: newId, taskIdFrom: from, phase: unasked, trouble: undefined, lastAnswer: importAnswer };
}

/** What an answer of file-task tells as it may be shown; undefined where the id in it is masked, as a key is in that. */
function begunTaskIn(data: Json, contract: Contract): BegunTask | undefined {
  const begun = readBegunTask(data, contract.fileTask);
  return begun.taskId?.includes(KEY_MASK) ? undefined : begun;
}

/** What an answer of file-task tells by the contract that holds by now, as a person may have changed it since it was sent for. */
export function begunTaskNow({ answer, taken }: Accepted<BegunTask>, contract: Contract | undefined): BegunTask {
  const pointer = contract?.fileTask.taskId;
  const isReadSo =
    taken.from !== undefined && pointer === (taken.from.how === 'mapped' ? taken.from.pointer : undefined);
  if (contract === undefined || isReadSo) return taken;
  return begunTaskIn(answer.envelope['data'] ?? null, contract) ?? taken;
}

/** As {@link begunTaskNow}, of an answer of query-task. */
export function taskReportNow({ answer, taken }: Accepted<TaskReport>, contract: Contract | undefined): TaskReport {
  return contract === undefined ? taken : readTaskReport(answer.envelope['data'] ?? null, contract.queryTask);
}

function reportChange({ before, after }: Rereading, task: TrackedTask): TaskChange | undefined {
  if (isSame(before.queryTask, after.queryTask)) return undefined;
  const report = task.phase.kind === 'accepted' ? task.phase.report : undefined;
  const answer = reportAnswer(task);
  if (report === undefined || answer === undefined) return undefined;
  if (hasEnded(task) && !endsByChoice(before.queryTask, after.queryTask, report)) return undefined;
  const again = readTaskReport(answerData(answer), after.queryTask);
  if (again.status === undefined && isCutText(answer)) return undefined;
  return isSame(again, report) ? undefined : { phase: { kind: 'accepted', report: again } };
}

/** Whether a task ended by a choice that is not the same any more. */
function endsByChoice(
  before: Contract['queryTask'],
  after: Contract['queryTask'],
  { status, meaning, from }: TaskReport,
): boolean {
  const isByPlace = from.status?.how === 'mapped' && from.status.pointer === before.status;
  if (isByPlace && before.status !== after.status) return true;
  if (status === undefined || !Object.hasOwn(before.statusMeanings, status)) return false;
  return before.statusMeanings[status] === meaning && after.statusMeanings[status] !== meaning;
}

function hasEnded(task: TrackedTask): boolean {
  return task.taskId !== undefined && !isUnfinished(task);
}

function isSame(one: object | undefined, other: object | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Query-task's last answer about a task; undefined where there is none, or it is a refusal and tells nothing of the task. */
export function reportAnswer({ phase, lastAnswer, trouble }: TrackedTask): string | undefined {
  if (phase.kind !== 'accepted' || phase.report === undefined || lastAnswer === undefined) return undefined;
  if (trouble?.kind === 'rejected' && trouble.refusal.by === 'envelope') return undefined;
  const envelope = parseJson(lastAnswer);
  return isJsonObject(envelope) && isSuccessCode(envelope['code']) ? lastAnswer : undefined;
}

/** Whether an answer was cut when it was kept, so that what it lacks may have been in it. */
function isCutText(answer: string | undefined): boolean {
  const envelope = answer === undefined ? null : parseJson(answer);
  return isJsonObject(envelope) && isCut(envelope);
}

/** The `data` of an answer that was kept. */
export function answerData(answer: string): Json {
  const envelope = parseJson(answer);
  return (isJsonObject(envelope) ? envelope['data'] : undefined) ?? null;
}
