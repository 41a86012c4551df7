import { l10n } from 'vscode';
import { mayBeBadKey } from '../../service/response/outcome';
import { destinationKey } from '../../tasks/destination';
import { failureOf, isUnfinished, type TrackedTask } from '../../tasks/trackedTask';
import { ensureAccessKey, replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetAt, datasetNamed } from '../datasets/findDataset';
import { formatCount } from '../platform/formatNumbers';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import { TASKS_VIEW } from '../start/views';
import type { CommandTarget } from '../targets';
import { taskLabel } from '../taskItems/taskItem';
import { pickTasks, type TasksRow } from '../tree/pickTasks';

/** Checks the status of the chosen tasks. */
export async function refreshTask(services: Services, target: CommandTarget<TasksRow>): Promise<void> {
  const tasks = await pickTasks(services, target, ({ taskId }) => taskId !== undefined);
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
    const isBadKey = outcome.kind === 'rejected' && mayBeBadKey(outcome);
    const message = l10n.t("The status check of '{0}' failed: {1}", taskLabel(task), reason);
    throw new UserError(message, isBadKey ? [replaceKey(task)] : []);
  }
}

function formatProgressTitle(tasks: readonly TrackedTask[]): string {
  const [task] = tasks;
  return task !== undefined && tasks.length === 1
    ? l10n.t("Checking the status of '{0}'", taskLabel(task))
    : l10n.t('Checking the status of {0} tasks', formatCount(tasks.length));
}

/**
 * Those of the tasks whose dataset exists at the same origin and has an access key; asks for missing keys. `firstError` is
 * why others are not reachable; undefined where the user only canceled the input of a key.
 */
export async function reachableTasks(
  services: Services,
  tasks: readonly TrackedTask[],
): Promise<{ readonly tasks: readonly TrackedTask[]; readonly firstError: unknown }> {
  const reachable = new Set<string>();
  let firstError: unknown;
  for (const [key, [task]] of Map.groupBy(tasks, destinationKey)) {
    try {
      if (task !== undefined && (await ensureAccessKey(services, datasetAt(services, task))) !== undefined)
        reachable.add(key);
    } catch (error) {
      firstError ??= error;
    }
  }
  return { tasks: tasks.filter((task) => reachable.has(destinationKey(task))), firstError };
}
