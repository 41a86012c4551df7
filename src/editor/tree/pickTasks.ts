import { l10n, type QuickPickItem } from 'vscode';
import { groupOf } from '../../tasks/history/levels';
import { newestTasks, pagesOf, tasksOfGroup } from '../../tasks/history/walk';
import type { TaskList } from '../../tasks/store/taskList';
import { type TaskState, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatAge, formatCount } from '../platform/formatNumbers';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { formatState } from '../taskItems/formatState';
import { taskLabel } from '../taskItems/taskItem';
import { type AnyGroupNode, isBatchNode, isTaskNode, type TaskNode } from '../taskItems/tasksNode';

/** The rows that stand for tasks. */
export type TasksRow = TaskNode | AnyGroupNode;

type PickServices = Pick<Services, 'list' | 'picks'>;

/** Max tasks to pick from: the newest ones. */
const MAX_OFFERED = 1000;

/** The task of the clicked row. Without one, the selected task or one that the user picks. */
export async function pickTask(
  services: PickServices,
  target: CommandTarget<TaskNode>,
  fits: (task: TrackedTask) => boolean,
): Promise<TrackedTask | undefined> {
  const { list } = services;
  const meant = (await tasksOfRows(list, target.rows)).filter(fits);
  if (target.from === 'row' || meant.length === 1) return meant[0];
  return pickOne(services, meant.length > 0 ? meant : await newestTasks(list.history, fits, MAX_OFFERED));
}

/** The tasks of the clicked or selected rows that fit. Without a clicked row and a selected one that fits, the user picks one. */
export async function pickTasks(
  services: PickServices,
  target: CommandTarget<TasksRow>,
  fits: (task: TrackedTask) => boolean = () => true,
): Promise<TrackedTask[]> {
  const { list } = services;
  const meant = (await tasksOfRows(list, target.rows)).filter(fits);
  if (target.from === 'row' || meant.length > 0) return meant;
  const picked = await pickOne(services, await newestTasks(list.history, fits, MAX_OFFERED));
  return picked === undefined ? [] : [picked];
}

/** The tasks of rows, each once. */
export async function tasksOfRows(list: TaskList, rows: readonly TasksRow[]): Promise<TrackedTask[]> {
  await list.loaded();
  const tasks = (await Promise.all(rows.map((row) => tasksOf(list, row)))).flat();
  return [...new Map(tasks.map((task) => [task.key, task])).values()];
}

/** The tasks in these states that the view shows. */
export async function shownTasks(
  { list, arrangement }: Pick<Services, 'list' | 'arrangement'>,
  states: readonly TaskState[],
): Promise<readonly TrackedTask[]> {
  const { filter } = arrangement.current;
  const wanted = filter?.states === undefined ? states : states.filter((state) => filter.states?.includes(state));
  const tasks: TrackedTask[] = [];
  for await (const some of pagesOf(list.history, { filter: { ...filter, states: wanted } })) tasks.push(...some);
  return tasks;
}

/** How many of the tasks each dataset has, a line each. */
export function countsByDataset(tasks: readonly TrackedTask[]): string {
  const byDataset = [...Map.groupBy(tasks, ({ dataset }) => dataset)];
  return byDataset.map(([dataset, its]) => l10n.t('{0}: {1}', dataset, formatCount(its.length))).join('\n');
}

async function pickOne({ picks }: PickServices, tasks: readonly TrackedTask[]): Promise<TrackedTask | undefined> {
  const now = Date.now();
  const items = tasks.map((task): QuickPickItem & { task: TrackedTask } => ({
    label: taskLabel(task),
    description: [formatState(taskState(task), task), task.dataset, formatAge(task.createdMs, now)].join(' · '),
    task,
  }));
  const placeHolder = items.length > 0 ? l10n.t('Select a task') : l10n.t('No matching tasks');
  return (await picks.one(items, { placeHolder, matchOnDescription: true }))?.task;
}

async function tasksOf(list: TaskList, row: TasksRow): Promise<readonly TrackedTask[]> {
  if (isBatchNode(row)) return tasksOfGroup(list.history, groupOf('batch', row.batchId), row.filter);
  if (!isTaskNode(row)) return tasksOfGroup(list.history, groupOf(row.groupBy, row.value), row.filter);
  const task = await list.find(row.taskKey);
  return task === undefined ? [] : [task];
}
