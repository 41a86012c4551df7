import { l10n } from 'vscode';
import { isOf } from '../../tasks/destination';
import { tasksById } from '../../tasks/history/walk';
import { taskIdsOf } from '../../tasks/severalTasks';
import { newTask } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import type { Services } from '../services/services';
import type { TasksView } from '../tree/tasksView';
import { askTaskId } from './askTaskId';
import { refreshTasks } from './refreshTask';

/** Tracks a task that was created elsewhere, by its ID. */
export async function trackTask(
  services: Services & { readonly tasksView: TasksView },
  target: unknown,
): Promise<void> {
  const title = l10n.t('Track Task by ID');
  const dataset = await chooseDataset(services, target, title);
  if (dataset === undefined || (await ensureAccessKey(services, dataset)) === undefined) return;
  const taskId = await askTaskId(services, title, l10n.t("Enter the ID of a task of dataset '{0}'.", dataset.name));
  if (taskId === undefined) return;
  await services.list.sync();
  const withId = await tasksById(services.list.history, [taskId]);
  let task = withId.find((known) => isOf(known, dataset) && taskIdsOf(known).includes(taskId));
  if (task === undefined) {
    const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
    const phase = { kind: 'accepted', report: undefined } as const;
    [task] = await services.list.add([newTask({ ...destination, createdMs: services.clock.now(), taskId, phase })]);
  }
  if (task === undefined) return;
  await services.tasksView.reveal(task.key);
  await refreshTasks(services, [task.key]);
}
