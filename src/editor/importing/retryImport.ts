import { l10n } from 'vscode';
import { destinationKey, isAt } from '../../tasks/destination';
import type { TaskList } from '../../tasks/store/taskList';
import { hasFailed, type Phase, type TrackedTask, wasNotAccepted } from '../../tasks/trackedTask';
import { hostOf } from '../datasets/findDataset';
import { reachableTasks } from '../following/reachableTasks';
import { formatCount } from '../platform/formatNumbers';
import { type Action, UserError } from '../platform/userError';
import { window } from '../platform/window';
import { taskLabel } from '../rows/taskItem';
import type { Services } from '../services/services';
import { pickTasks, tasksOfRows } from '../tree/pickTasks';

/** Retries imports that the service certainly did not accept. */
export async function retryImport(services: Services, target: unknown, selected: unknown): Promise<void> {
  await retry(services, await pickTasks(services.list, target, selected, ({ phase }) => wasNotAccepted(phase)));
}

/** Retries imports that the service may have received, after asking. */
export async function retryAnyway(services: Services, target: unknown, selected: unknown): Promise<void> {
  await askAndRetry(services, await pickTasks(services.list, target, selected, isUnconfirmed));
}

/**
 * Retries the imports of groups that the service may have received, or all such imports where no row was clicked, after
 * asking. @throws UserError where there are none
 */
export async function retryUnconfirmed(services: Services, target: unknown, selected: unknown): Promise<void> {
  const tasks = (await tasksOfRows(services.list, target, selected)) ?? (await allUnconfirmed(services.list));
  const unconfirmed = tasks.filter(isUnconfirmed);
  if (unconfirmed.length === 0) throw new UserError(l10n.t('There are no unconfirmed imports.'));
  await askAndRetry(services, unconfirmed);
}

async function allUnconfirmed(list: TaskList): Promise<readonly TrackedTask[]> {
  return list.findAll(await list.history.keysInState('unconfirmed'));
}

/** The button that retries imports that the service may have received, after asking. */
export function retryAnywayAction(services: Services, keys: readonly number[]): Action {
  const run = async () => askAndRetry(services, (await services.list.findAll(keys)).filter(isUnconfirmed));
  return { label: keys.length === 1 ? l10n.t('Retry Anyway…') : l10n.t('Retry Unconfirmed…'), run };
}

async function askAndRetry(services: Services, tasks: readonly TrackedTask[]): Promise<void> {
  const [first] = tasks;
  if (first === undefined) return;
  const [question, detail] =
    tasks.length === 1
      ? [
          l10n.t("Import '{0}' again?", taskLabel(first)),
          l10n.t(
            '{0} may have received it. Importing again may create a duplicate. If possible, check the dataset first.',
            first.dataset,
          ),
        ]
      : [
          l10n.t('Import {0} unconfirmed files again?', formatCount(tasks.length)),
          l10n.t(
            'The service may have received them. Importing again may create duplicates. If possible, check the dataset first.',
          ),
        ];
  if (await window.confirm(question, detail, l10n.t('Retry Anyway'))) await retry(services, tasks, hasFailed);
}

/**
 * Queues imports again whose phase `maySend` allows at that time.
 * @throws UserError for the first one that is not queued, except where it was accepted or is queued already
 */
export async function retry(
  services: Services,
  wanted: readonly TrackedTask[],
  maySend: (phase: Phase) => boolean = wasNotAccepted,
): Promise<void> {
  const { tasks, firstError } = await reachableTasks(services, await confirmMoved(services, wanted));
  const queued: TrackedTask[] = [];
  for (const group of Map.groupBy(tasks, destinationKey).values()) {
    const keys = group.map(({ key }) => key);
    queued.push(...(await services.queue.retry(keys, maySend, group[0]?.origin)));
  }
  if (firstError !== undefined) throw firstError;
  const now = await services.list.findAll(tasks.map(({ key }) => key));
  const unconfirmed = now.find(isUnconfirmed);
  if (unconfirmed === undefined || queued.some(({ key }) => key === unconfirmed.key)) return;
  throw new UserError(
    l10n.t(
      "'{0}' was not retried. {1} may have received it in the meantime.",
      taskLabel(unconfirmed),
      unconfirmed.dataset,
    ),
    [retryAnywayAction(services, [unconfirmed.key])],
  );
}

function isUnconfirmed(task: TrackedTask | undefined): task is TrackedTask {
  return task?.phase.kind === 'unconfirmed';
}

/**
 * Asks once per dataset whether imports whose dataset has another origin now are to be sent there. Resolves to the
 * tasks that may be sent, with their new origins.
 */
async function confirmMoved(
  { datasets }: Pick<Services, 'datasets'>,
  wanted: readonly TrackedTask[],
): Promise<TrackedTask[]> {
  const confirmed: TrackedTask[] = [];
  for (const [name, tasks] of Map.groupBy(wanted, ({ dataset }) => dataset)) {
    const baseUrl = datasets.find(name)?.baseUrl;
    const moved = baseUrl === undefined ? [] : tasks.filter((task) => !isAt(task, baseUrl));
    const [first] = moved;
    confirmed.push(...tasks.filter((task) => !moved.includes(task)));
    if (baseUrl === undefined || first === undefined) continue;
    const question =
      moved.length === 1
        ? l10n.t("Dataset '{0}' moved to {1}. Send '{2}' there?", name, baseUrl.host, taskLabel(first))
        : l10n.t("Dataset '{0}' moved to {1}. Send {2} files there?", name, baseUrl.host, formatCount(moved.length));
    const detail = l10n.t('The import was started for {0}.', hostOf(first.origin));
    if (await window.confirm(question, detail, l10n.t('Send to {0}', baseUrl.host)))
      confirmed.push(...moved.map((task) => ({ ...task, origin: baseUrl.origin })));
  }
  return confirmed;
}
