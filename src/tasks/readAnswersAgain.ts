import { KEY_MASK } from '../service/accessKey';
import type { Contract } from '../service/contract';
import { isSuccessCode } from '../service/envelope';
import { isJsonObject, type Json, parseJson } from '../service/json';
import { readBegunTask, readTaskReport } from '../service/taskReport';
import { isCut } from './cutEnvelope';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import type { TrackedTask } from './trackedTask';

/** How many answers are read before others have their turn. */
const READ_AT_ONCE = 100;

/**
 * Reads the answers kept of a dataset's tasks once more, by a contract that has changed: a task without an id gets
 * one, one whose id was taken from the wrong place gets the right one, and every status its meaning.
 */
export async function readAnswersAgain(list: TaskList, dataset: string, contract: Contract): Promise<void> {
  const keys = list.tasks.filter((task) => task.dataset === dataset).map(({ key }) => key);
  for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
    const some = keys.slice(at, at + READ_AT_ONCE);
    await list.updateAll(some.map((key) => [key, (task) => changeBy(contract, task)]));
  }
}

function changeBy(contract: Contract, task: TrackedTask): TaskChange | undefined {
  const { phase, taskId, taskIdFrom, importAnswer } = task;
  if (phase.kind !== 'accepted') return undefined;
  const read = importAnswer === undefined ? undefined : readBegunTask(answerData(importAnswer), contract.fileTask);
  // What is masked is no id, and what was cut may hold one that is not kept; the one that is known holds.
  const isUnknown = read?.taskId?.includes(KEY_MASK) || (read?.taskId === undefined && isCutText(importAnswer));
  const begun = isUnknown ? undefined : read;
  // At the same place is the same id, even where the answer was kept with a part of it masked.
  if (begun !== undefined && begun.taskId !== taskId && begun.from?.pointer !== taskIdFrom?.pointer) {
    const unasked = { kind: 'accepted', report: undefined } as const;
    const { taskId, from: taskIdFrom } = begun;
    return { taskId, taskIdFrom, phase: unasked, trouble: undefined, lastAnswer: importAnswer };
  }
  const answer = reportAnswer(task);
  const again = answer === undefined ? undefined : readTaskReport(answerData(answer), contract.queryTask);
  const report = again === undefined || (again.status === undefined && isCutText(answer)) ? phase.report : again;
  const change: TaskChange = {
    ...(begun === undefined || isSame(begun.from, taskIdFrom) ? {} : { taskIdFrom: begun.from }),
    ...(isSame(report, phase.report) ? {} : { phase: { kind: 'accepted', report } }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
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
