import { l10n, window } from 'vscode';
import type { TaskList } from '../../tasks/taskList';
import { taskState } from '../../tasks/trackedTask';
import { pickTasks } from '../pickTasks';
import { taskLabel } from '../taskItem';
import { UserError } from '../userError';

/** Takes tasks out of the view, after asking; the service keeps them. @throws UserError where one is being sent */
export async function stopTracking(deps: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  const tasks = await pickTasks(deps.list, target, selected);
  const [first] = tasks;
  if (first === undefined) return;
  const sending = tasks.find((task) => taskState(task) === 'sending');
  if (sending !== undefined) {
    throw new UserError(
      l10n.t("'{0}' is being sent. Cancel the import first, or wait for its end.", taskLabel(sending)),
    );
  }
  const stop = l10n.t('Stop Tracking');
  const question =
    tasks.length === 1
      ? l10n.t("Stop tracking '{0}'?", taskLabel(first))
      : l10n.t('Stop tracking {0} tasks?', tasks.length);
  const detail = l10n.t('The record goes from the view, its task ID with it. The service keeps what it has.');
  const answer = await window.showWarningMessage(question, { modal: true, detail }, stop);
  if (answer === stop) await deps.list.remove(tasks.map(({ key }) => key));
}
