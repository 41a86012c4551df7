import { l10n, type QuickPickItem } from 'vscode';
import { groupOf } from '../../tasks/history/levels';
import { newestTasks, tasksOfGroup } from '../../tasks/history/walk';
import type { TaskList } from '../../tasks/store/taskList';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatAge } from '../platform/formatNumbers';
import { window } from '../platform/window';
import { formatState } from '../rows/formatState';
import { taskLabel } from '../rows/taskItem';
import { isBatchNode, isGroupNode, isSelectedRows, isTaskNode } from '../rows/tasksNode';

/** Max tasks to pick from: the newest ones. */
const MAX_OFFERED = 1000;

/** The task of the clicked row, or one that the user picks. */
export async function pickTask(
  list: TaskList,
  target: unknown,
  fits: (task: TrackedTask) => boolean,
): Promise<TrackedTask | undefined> {
  const [task] = await pickTasks(list, target, undefined, fits);
  return task;
}

/**
 * The tasks of the clicked row, or of all selected rows where it is one of them. Without a clicked row, those of the
 * selected rows that fit; where none does, one that the user picks.
 */
export async function pickTasks(
  list: TaskList,
  target: unknown,
  selected: unknown,
  fits: (task: TrackedTask) => boolean = () => true,
): Promise<TrackedTask[]> {
  const meant = await tasksOfRows(list, target, selected);
  if (meant !== undefined) return meant.filter(fits);
  const selectedFit = isSelectedRows(target) ? (await tasksOfAll(list, target.selectedRows)).filter(fits) : [];
  if (selectedFit.length > 0) return selectedFit;
  const now = Date.now();
  const newest = await newestTasks(list.history, fits, MAX_OFFERED);
  const items = newest.map((task): QuickPickItem & { task: TrackedTask } => ({
    label: taskLabel(task),
    description: [formatState(taskState(task), task), task.dataset, formatAge(task.createdMs, now)].join(' · '),
    task,
  }));
  const placeHolder = items.length > 0 ? l10n.t('Select a task') : l10n.t('No matching tasks');
  const picked = await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked === undefined ? [] : [picked.task];
}

/** The tasks of the clicked row, or of all selected rows where it is one of them; undefined without a row. */
export async function tasksOfRows(
  list: TaskList,
  target: unknown,
  selected: unknown,
): Promise<TrackedTask[] | undefined> {
  await list.loaded();
  if (!isTaskNode(target) && !isBatchNode(target) && !isGroupNode(target)) return undefined;
  const rows: readonly unknown[] = Array.isArray(selected) ? selected : [];
  const nodes = rows.some((row) => isSameRow(row, target)) ? rows : [target];
  return tasksOfAll(list, nodes);
}

/** The tasks of rows, each once. */
async function tasksOfAll(list: TaskList, nodes: readonly unknown[]): Promise<TrackedTask[]> {
  const tasks = (await Promise.all(nodes.map((node) => tasksOf(list, node)))).flat();
  return [...new Map(tasks.map((task) => [task.key, task])).values()];
}

function isSameRow(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return isTaskNode(one)
    ? isTaskNode(other) && one.taskKey === other.taskKey
    : isBatchNode(one) && isBatchNode(other) && one.batchId === other.batchId;
}

async function tasksOf(list: TaskList, node: unknown): Promise<readonly TrackedTask[]> {
  if (isBatchNode(node)) return tasksOfGroup(list.history, groupOf('batch', node.batchId), node.filter);
  if (isGroupNode(node)) return tasksOfGroup(list.history, groupOf(node.groupBy, node.value), node.filter);
  const task = isTaskNode(node) ? await list.find(node.taskKey) : undefined;
  return task === undefined ? [] : [task];
}
