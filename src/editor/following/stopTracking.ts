import { l10n } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { hasFailed, isOpen, type TrackedTask } from '../../tasks/trackedTask';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { pickTasks } from '../tree/pickTasks';
import { taskLabel } from '../tree/taskItem';
import type { TasksView } from '../tree/tasksView';

/** Removes finished imports from the view, after asking. @throws UserError where none is finished */
export async function stopTracking(deps: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  const wanted = await pickTasks(deps.list, target, selected);
  const tasks = wanted.filter(({ phase }) => !isOpen(phase));
  const [first] = tasks;
  if (first === undefined) return assertEnded(wanted[0]);
  const question =
    tasks.length === 1
      ? l10n.t("Stop tracking '{0}'?", taskLabel(first))
      : l10n.t('Stop tracking {0} tasks?', tasks.length);
  const staying = wanted.length - tasks.length;
  const detail = [
    ...(staying === 0 ? [] : [l10n.t('{0} that have not been imported yet stay.', staying)]),
    l10n.t('The record goes from the view, its task ID with it. The service keeps what it has.'),
    ...formatUnconfirmed(tasks),
  ].join(' ');
  if (await window.confirm(question, detail, l10n.t('Stop Tracking'))) await remove(deps.list, tasks);
}

/** The Delete key: VS Code passes the focused row, which need not be selected, or nothing. */
export async function stopTrackingFocused(
  deps: { list: TaskList; tasksView: TasksView },
  focused: unknown,
): Promise<void> {
  const { selection } = deps.tasksView;
  const row = focused ?? selection[0];
  if (row !== undefined) await stopTracking(deps, row, selection);
}

/** Removes failed imports from the view, after asking where the service may have received one. */
export async function dismissImport(deps: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  const tasks = await pickTasks(deps.list, target, selected, ({ phase }) => hasFailed(phase));
  const unconfirmed = tasks.filter(({ phase }) => phase.kind === 'unconfirmed');
  const [first] = unconfirmed;
  if (tasks.length === 0) return;
  if (first === undefined) return remove(deps.list, tasks);
  const question =
    tasks.length === 1
      ? l10n.t("'{0}' may have taken '{1}'. Dismiss it?", first.dataset, taskLabel(first))
      : l10n.t('The service may have taken {0} of {1} files. Dismiss them all?', unconfirmed.length, tasks.length);
  const detail = l10n.t('Nothing in the view will tell of it any more.');
  if (await window.confirm(question, detail, l10n.t('Dismiss'))) await remove(deps.list, tasks);
}

/** @throws UserError where one was queued again meanwhile */
async function remove(list: TaskList, tasks: readonly TrackedTask[]): Promise<void> {
  const [staying] = await list.remove(tasks.map(({ key }) => key));
  assertEnded(staying);
}

function assertEnded(open: TrackedTask | undefined): void {
  if (open === undefined) return;
  throw new UserError(
    l10n.t("'{0}' has not been imported yet. Cancel the import first, or wait for its end.", taskLabel(open)),
  );
}

function formatUnconfirmed(tasks: readonly TrackedTask[]): string[] {
  const { length } = tasks.filter(({ phase }) => phase.kind === 'unconfirmed');
  if (length === 0) return [];
  return [
    length === 1
      ? l10n.t('The service may have taken one that is unconfirmed; nothing in the view will tell of it any more.')
      : l10n.t('The service may have taken {0} that are unconfirmed; nothing in the view will tell of them.', length),
  ];
}
