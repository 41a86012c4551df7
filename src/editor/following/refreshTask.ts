import { l10n } from 'vscode';
import type { Paused } from '../../tasks/following/destinationQueries';
import type { Refreshed, Refresher } from '../../tasks/following/refresher';
import { failureOf, isUnfinished, type TrackedTask } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import { formatSentences } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import { taskLabel } from '../rows/taskItem';
import type { Services } from '../services/services';
import { TASKS_VIEW } from '../start/views';
import { pickTasks } from '../tree/pickTasks';
import { reachableTasks } from './reachableTasks';

/** Checks the status of the chosen tasks. */
export async function refreshTask(services: Services, target: unknown, selected: unknown): Promise<void> {
  const tasks = await pickTasks(services.list, target, selected, ({ taskId }) => taskId !== undefined);
  await refreshTasks(
    services,
    tasks.map(({ key }) => key),
  );
}

/** Checks the status of every unfinished task. */
export async function refreshAllTasks(services: Services): Promise<void> {
  await services.list.loaded();
  await refreshTasks(
    services,
    services.list.unfinished.filter(isUnfinished).map(({ key }) => key),
  );
}

/** Checks the status of tasks, with the progress bar of the view. @throws UserError for the first check that fails */
export async function refreshTasks(services: Services, keys: readonly number[]): Promise<void> {
  const tasks = await services.list.findAll(keys);
  const { tasks: reachable, firstError } = await reachableTasks(services, tasks);
  const outcomes = await window.withProgress({ location: { viewId: TASKS_VIEW } }, () =>
    withDelayedProgress(formatProgressTitle(reachable), (signal) => services.refresher.refreshAll(reachable, signal)),
  );
  if (outcomes === undefined) return;
  if (firstError !== undefined) throw firstError;
  const replaceKey = ({ dataset }: TrackedTask) =>
    replaceAccessKey(
      services,
      () => datasetNamed(services, dataset),
      () => refreshTasks(services, keys),
    );
  for (const [index, task] of reachable.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.kind === 'accepted' || outcome.kind === 'paused') continue;
    const reason =
      outcome.kind === 'rejected' ? formatRefusal(outcome.refusal) : formatFailure(failureOf(outcome.cause));
    const isBadKey = outcome.kind === 'rejected' && outcome.badKey;
    const message = l10n.t("The status check of '{0}' failed: {1}", taskLabel(task), reason);
    const pauses = formatPause(services.refresher, task, outcomes);
    throw new UserError(formatSentences([message, ...pauses]), isBadKey ? [replaceKey(task)] : []);
  }
}

/** How many tasks were not checked, and when the next check of the task's destination is. */
function formatPause(refresher: Refresher, task: TrackedTask, outcomes: readonly Refreshed[]): string[] {
  const seconds = Math.ceil(refresher.pauseMs(task) / 1000);
  const unchecked = outcomes.filter((outcome): outcome is Paused => outcome?.kind === 'paused').length;
  return [
    ...(unchecked > 0 ? [formatUnchecked(unchecked)] : []),
    ...(seconds > 0 ? [l10n.t('The next status check at {0} is in {1} s.', task.dataset, seconds)] : []),
  ];
}

function formatUnchecked(count: number): string {
  return count === 1
    ? l10n.t('1 other task was not checked.')
    : l10n.t('{0} other tasks were not checked.', formatCount(count));
}

function formatProgressTitle(tasks: readonly TrackedTask[]): string {
  const [task] = tasks;
  return task !== undefined && tasks.length === 1
    ? l10n.t("Checking the status of '{0}'", taskLabel(task))
    : l10n.t('Checking the status of {0} tasks', formatCount(tasks.length));
}
