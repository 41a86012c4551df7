import { l10n, type QuickPickItem, window } from 'vscode';
import type { TaskList } from '../tasks/taskList';
import { type TrackedTask, taskState } from '../tasks/trackedTask';
import { plainText } from './plainText';
import { taskLabel } from './taskItem';
import { isTaskNode } from './tasksTree';
import { ageWords, stateWords } from './words';

/** The tasks that a command was given by the view, all that are selected; or the one that the user picks. */
export async function pickTasks(
  list: TaskList,
  target: unknown,
  selected: unknown,
  fits: (task: TrackedTask) => boolean = () => true,
): Promise<TrackedTask[]> {
  await list.loaded();
  if (isTaskNode(target)) {
    const nodes = Array.isArray(selected) && selected.length > 0 ? selected.filter(isTaskNode) : [target];
    return nodes
      .map(({ taskKey }) => list.get(taskKey))
      .filter((task) => task !== undefined && fits(task)) as TrackedTask[];
  }
  const now = Date.now();
  const items = list.tasks.filter(fits).map((task): QuickPickItem & { task: TrackedTask } => ({
    label: plainText(taskLabel(task)),
    description: plainText(
      [stateWords(taskState(task), task), task.dataset, ageWords(task.createdMs, now)].join(' · '),
    ),
    task,
  }));
  const placeHolder = items.length > 0 ? l10n.t('Choose a task') : l10n.t('There is no such task yet');
  const picked = await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked === undefined ? [] : [picked.task];
}
