import type { Contract } from '../service/contract';
import { isJsonObject, type Json, parseJson } from '../service/json';
import { readBegunTask, readTaskReport } from '../service/taskReport';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import type { TrackedTask } from './trackedTask';

/**
 * Reads the answers kept of a dataset's tasks once more, by a contract that has changed: a task without an id gets
 * one, one whose id was taken from the wrong place gets the right one, and every status its meaning.
 */
export async function readAnswersAgain(list: TaskList, dataset: string, contract: Contract): Promise<void> {
  for (const task of list.tasks) {
    const change = task.dataset === dataset ? changeBy(contract, task) : undefined;
    if (change !== undefined) await list.change(task.key, change);
  }
}

function changeBy(contract: Contract, task: TrackedTask): TaskChange | undefined {
  if (task.phase.kind !== 'accepted') return undefined;
  const { report } = task.phase;
  if (task.importAnswer !== undefined) {
    const begun = readBegunTask(answerData(task.importAnswer), contract.fileTask);
    if (begun.taskId !== task.taskId) {
      const phase = { kind: 'accepted', report: undefined } as const;
      const { taskId, from: taskIdFrom } = begun;
      return { taskId, taskIdFrom, phase, trouble: undefined, lastAnswer: task.importAnswer };
    }
  }
  if (report === undefined || task.lastAnswer === undefined || task.trouble?.kind === 'rejected') return undefined;
  const again = readTaskReport(answerData(task.lastAnswer), contract.queryTask);
  return JSON.stringify(again) === JSON.stringify(report) ? undefined : { phase: { kind: 'accepted', report: again } };
}

/** The `data` of an answer that was kept. */
export function answerData(answer: string): Json {
  const envelope = parseJson(answer);
  return (isJsonObject(envelope) ? envelope['data'] : undefined) ?? null;
}
