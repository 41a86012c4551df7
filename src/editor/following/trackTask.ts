import { l10n } from 'vscode';
import { isOf } from '../../tasks/destination';
import { newTask } from '../../tasks/trackedTask';
import { ensureAccessKey } from '../accessKeys/enterAccessKey';
import { chooseDataset } from '../datasets/chooseDataset';
import type { TasksView } from '../tree/tasksView';
import { askTaskId } from './askTaskId';
import { type RefreshDeps, refreshTasks } from './refreshTask';

/** Begins to follow a task that was made elsewhere, by its id. */
export async function trackTask(
  deps: RefreshDeps & { tasksView: TasksView; now: () => number },
  target: unknown,
): Promise<void> {
  const title = l10n.t('Track Task by ID');
  const dataset = await chooseDataset(deps, target, title);
  if (dataset === undefined || (await ensureAccessKey(deps.keys, dataset)) === undefined) return;
  const taskId = await askTaskId(
    title,
    l10n.t("The ID of a task of dataset '{0}', as the service gave it.", dataset.name),
  );
  if (taskId === undefined) return;
  await deps.list.sync();
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const known = deps.list.tasks.find((task) => isOf(task, dataset) && task.taskId === taskId);
  const [task] =
    known === undefined
      ? await deps.list.add([
          newTask({
            ...destination,
            createdMs: deps.now(),
            taskId,
            phase: { kind: 'accepted', report: undefined },
          }),
        ])
      : [known];
  if (task === undefined) return;
  await deps.tasksView.reveal(task.key);
  await refreshTasks(deps, [task.key]);
}
