import { l10n, window } from 'vscode';
import type { TaskList } from '../../tasks/taskList';
import { hasFailed, isOpen } from '../../tasks/trackedTask';
import { pickTasks } from '../pickTasks';
import { taskLabel } from '../taskItem';
import { UserError } from '../userError';

/** Takes tasks out of the view, after asking; the service keeps them. @throws UserError where one has not ended */
export async function stopTracking(deps: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  const tasks = await pickTasks(deps.list, target, selected);
  const [first] = tasks;
  if (first === undefined) return;
  const open = tasks.find(({ phase }) => isOpen(phase));
  if (open !== undefined) {
    throw new UserError(
      l10n.t("'{0}' has not been imported yet. Cancel the import first, or wait for its end.", taskLabel(open)),
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

/** Takes imports that failed out of the view. Asks first where the service may have taken one. */
export async function dismissImport(deps: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  const tasks = await pickTasks(deps.list, target, selected, ({ phase }) => hasFailed(phase));
  const unconfirmed = tasks.filter(({ phase }) => phase.kind === 'unconfirmed');
  const [first] = unconfirmed;
  const keys = tasks.map(({ key }) => key);
  if (keys.length === 0) return;
  if (first === undefined) return deps.list.remove(keys);
  const question =
    tasks.length === 1
      ? l10n.t("'{0}' may have taken '{1}'. Dismiss it?", first.dataset, taskLabel(first))
      : l10n.t('The service may have taken {0} of {1} files. Dismiss them all?', unconfirmed.length, tasks.length);
  const detail = l10n.t('Nothing in the view will tell of it any more.');
  const dismiss = l10n.t('Dismiss');
  const answer = await window.showWarningMessage(question, { modal: true, detail }, dismiss);
  if (answer === dismiss) await deps.list.remove(keys);
}
