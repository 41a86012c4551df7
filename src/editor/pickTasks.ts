import { l10n, type QuickPickItem } from 'vscode';
import type { TaskList } from '../tasks/taskList';
import { type TrackedTask, taskState } from '../tasks/trackedTask';
import { tasksOfBatch } from './batches';
import { taskLabel } from './taskItem';
import { isBatchNode, isTaskNode } from './tasksTree';
import { window } from './window';
import { ageWords, stateWords } from './words';

/** The tasks that a command was given by the view, all that are selected; or the one that the user picks. */
export async function pickTasks(
  list: TaskList,
  target: unknown,
  selected: unknown,
  fits: (task: TrackedTask) => boolean = () => true,
): Promise<TrackedTask[]> {
  await list.loaded();
  if (isTaskNode(target) || isBatchNode(target)) {
    const nodes: unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [target];
    return [...new Set(nodes.flatMap((node) => tasksOf(list, node)))].filter(fits);
  }
  const now = Date.now();
  const items = list.tasks.filter(fits).map((task): QuickPickItem & { task: TrackedTask } => ({
    label: taskLabel(task),
    description: [stateWords(taskState(task), task), task.dataset, ageWords(task.createdMs, now)].join(' · '),
    task,
  }));
  const placeHolder = items.length > 0 ? l10n.t('Choose a task') : l10n.t('There is no such task yet');
  const picked = await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked === undefined ? [] : [picked.task];
}

/** The tasks that a row of the view stands for. */
function tasksOf(list: TaskList, node: unknown): readonly TrackedTask[] {
  if (isBatchNode(node)) return tasksOfBatch(list, node.batchId);
  const task = isTaskNode(node) ? list.get(node.taskKey) : undefined;
  return task === undefined ? [] : [task];
}
