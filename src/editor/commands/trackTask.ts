import { l10n } from 'vscode';
import { newTask } from '../../tasks/trackedTask';
import { askTaskId } from '../askTaskId';
import { chooseDataset, readyDestination } from '../chooseDataset';
import type { TasksView } from '../tasksView';
import { type RefreshDeps, refreshTask } from './refreshTask';

/** Begins to follow a task that was made elsewhere, by its id. */
export async function trackTask(
  deps: RefreshDeps & { tasksView: TasksView; now: () => number },
  target: unknown,
): Promise<void> {
  const title = l10n.t('Track Task by ID');
  const dataset = await chooseDataset(deps, target, title);
  if (dataset === undefined || (await readyDestination(deps, dataset)) === undefined) return;
  const taskId = await askTaskId(
    title,
    l10n.t("The ID of a task of dataset '{0}', as the service gave it.", dataset.name),
  );
  if (taskId === undefined) return;
  await deps.list.sync();
  const known = deps.list.tasks.find((task) => task.dataset === dataset.name && task.taskId === taskId);
  const [task] =
    known === undefined
      ? await deps.list.add([
          newTask({
            dataset: dataset.name,
            createdMs: deps.now(),
            taskId,
            phase: { kind: 'accepted', report: undefined },
          }),
        ])
      : [known];
  if (task === undefined) return;
  await deps.tasksView.reveal(task.key);
  await refreshTask(deps, { taskKey: task.key }, undefined);
}
