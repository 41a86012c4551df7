import { l10n, type QuickPickItem, window } from 'vscode';
import { couldBeNumber, type TaskId, typedTaskId } from '../../service/taskId';
import { newTask } from '../../tasks/trackedTask';
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
  await deps.list.loaded();
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

async function askTaskId(title: string, prompt: string): Promise<TaskId | undefined> {
  const typed = await window.showInputBox({
    title,
    prompt,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter the ID of a task.') : undefined),
  });
  if (typed === undefined) return undefined;
  const as = couldBeNumber(typed) ? await askType(title, typed.trim()) : 'string';
  return as && typedTaskId(typed, as);
}

/** Digits alone may be either; the service takes only the one in which it gives ids. */
async function askType(title: string, digits: string): Promise<'string' | 'number' | undefined> {
  const items: (QuickPickItem & { as: 'string' | 'number' })[] = [
    { label: `"${digits}"`, description: l10n.t('as text: the service gives its IDs in quotes'), as: 'string' },
    { label: digits, description: l10n.t('as a number: the service gives its IDs without quotes'), as: 'number' },
  ];
  const placeHolder = l10n.t('How does the service write this ID in its JSON?');
  return (await window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.as;
}
