import { l10n } from 'vscode';
import { destinationKey, isAt } from '../../tasks/destination';
import type { TaskList } from '../../tasks/store/taskList';
import { isUndecided, type Source, type TaskState, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { hostOf } from '../datasets/findDataset';
import { formatSentences } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { type Action, UserError } from '../platform/userError';
import { window } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { reachableTasks } from '../taskCommands/refreshTask';
import { formatUnconfirmed } from '../taskCommands/removeTask';
import { canImportAgain, RETRIED } from '../taskItems/nextCommands';
import { taskLabel } from '../taskItems/taskItem';
import { countsByDataset, pickTasks, shownTasks, type TasksRow, tasksOfRows } from '../tree/pickTasks';

/** Imports the files of rows again, in their rows. Asks once about what their dataset has, or may have. */
export async function importAgain(services: Services, target: CommandTarget<TasksRow>): Promise<void> {
  await askAndImport(services, await pickTasks(services, target, canImportAgain));
}

/**
 * Imports the rejected, failed and not uploaded files of rows again. If no row is meant, all of them, after a question.
 * @throws UserError if there are none
 */
export async function retryFailed(services: Services, target: CommandTarget<TasksRow>): Promise<void> {
  const retried = (tasks: readonly TrackedTask[]) =>
    tasks.filter((task) => RETRIED.includes(taskState(task)) && canImportAgain(task));
  const failed = retried(await tasksOfRows(services.list, target.rows));
  if (failed.length > 0) return importInRows(services, failed);
  const all = target.from === 'row' ? [] : retried(await tasksIn(services.list, RETRIED));
  if (all.length === 0) throw new UserError(l10n.t('There are no failed imports.'));
  const question = l10n.t('Import {0} failed files again?', formatCount(all.length));
  if (await window.confirm(question, countsByDataset(all), l10n.t('Import Again'))) await importInRows(services, all);
}

/**
 * Imports the unconfirmed files of rows again, after a question. If no row is meant, all of them; from the title bar, those
 * that the view shows.
 * @throws UserError if there are none
 */
export async function retryUnconfirmed(services: Services, target: CommandTarget<TasksRow>): Promise<void> {
  const inRows = (await tasksOfRows(services.list, target.rows)).filter(isUnconfirmed);
  const elsewhere = async () => {
    if (target.from === 'row') return [];
    const states = ['unconfirmed'] as const;
    return target.from === 'title' ? shownTasks(services, states) : tasksIn(services.list, states);
  };
  const unconfirmed = inRows.length > 0 ? inRows : await elsewhere();
  if (unconfirmed.length === 0) throw new UserError(l10n.t('There are no unconfirmed imports.'));
  await askAndImport(services, unconfirmed, target.from === 'nothing' ? [countsByDataset(unconfirmed)] : []);
}

/** The button that imports again what the service may have received, after asking. */
export function importAgainAction(services: Services, keys: readonly number[]): Action {
  const run = async () => askAndImport(services, (await services.list.findAll(keys)).filter(isUnconfirmed));
  return { label: keys.length === 1 ? l10n.t('Import Again…') : l10n.t('Retry Unconfirmed…'), run };
}

async function tasksIn(list: TaskList, states: readonly TaskState[]): Promise<readonly TrackedTask[]> {
  const keys = await Promise.all(states.map((state) => list.history.keysInState(state)));
  return list.findAll(keys.flat());
}

/** Asks if something speaks against it; `facts` come first in the question. */
async function askAndImport(
  services: Services,
  tasks: readonly TrackedTask[],
  facts: readonly string[] = [],
): Promise<void> {
  const doubts = await withDelayedProgress(l10n.t('Checking files'), (signal) => doubtsAbout(services, tasks, signal));
  if (doubts === undefined) return;
  const [first] = tasks;
  if (first === undefined) return;
  const question =
    tasks.length === 1
      ? l10n.t("Import '{0}' again?", taskLabel(first))
      : l10n.t('Import {0} files again?', formatCount(tasks.length));
  if (
    doubts.length > 0 &&
    !(await window.confirm(question, [...facts, formatSentences(doubts)].join('\n'), l10n.t('Import Again')))
  )
    return;
  await importInRows(services, tasks);
}

/** What speaks against importing these files again: that their dataset has them, may have them, or is working on them. */
async function doubtsAbout(
  { sources }: Services,
  tasks: readonly TrackedTask[],
  signal: AbortSignal,
): Promise<string[]> {
  const unconfirmed = tasks.filter(isUnconfirmed);
  const undecided = tasks.filter((task) => isUndecided(task) || taskState(task) === 'withoutId');
  const unchanged: TrackedTask[] = [];
  for (const task of tasks) {
    signal.throwIfAborted();
    if (taskState(task) === 'succeeded' && task.source && (await isUnchanged(sources, task.source)))
      unchanged.push(task);
  }
  const [first] = tasks;
  if (first === undefined || unconfirmed.length + undecided.length + unchanged.length === 0) return [];
  if (tasks.length === 1) return [aboutOne(first, unconfirmed.length > 0, undecided.length > 0)];
  return [
    ...(unconfirmed.length === 0 ? [] : [formatUnconfirmed(unconfirmed.length)]),
    ...(undecided.length === 0 ? [] : [formatUndecided(undecided.length)]),
    ...(unchanged.length === 0 ? [] : [formatUnchanged(unchanged.length)]),
    l10n.t('Importing again may create duplicates. If possible, check the dataset first.'),
  ];
}

/** Whether a file still has the content that was uploaded. */
async function isUnchanged({ files }: Services['sources'], { from, path, sha256 }: Source): Promise<boolean> {
  return from === 'disk' && sha256 !== undefined && (await files.sha256(path)) === sha256;
}

function formatUndecided(count: number): string {
  return count === 1
    ? l10n.t('1 is still being processed: its present task will not be checked any more.')
    : l10n.t('{0} are still being processed: their present tasks will not be checked any more.', formatCount(count));
}

function formatUnchanged(count: number): string {
  return count === 1
    ? l10n.t('1 is in the dataset and has not changed since.')
    : l10n.t('{0} are in the dataset and have not changed since.', formatCount(count));
}

function aboutOne({ dataset }: TrackedTask, mayBeThere: boolean, isInProgress: boolean): string {
  if (mayBeThere) {
    return l10n.t(
      '{0} may have received it. Importing again may create a duplicate. If possible, check the dataset first.',
      dataset,
    );
  }
  return isInProgress
    ? l10n.t(
        '{0} has accepted it. Importing again may create a duplicate, and its present task will not be checked any more.',
        dataset,
      )
    : l10n.t('It is in {0} and has not changed since. Importing again may create a duplicate.', dataset);
}

/**
 * Imports files again in their rows, unless they were imported since the user saw them as in `wanted`.
 * @throws UserError if a dataset cannot be reached
 */
export async function importInRows(services: Services, wanted: readonly TrackedTask[]): Promise<void> {
  const { tasks, firstError } = await reachableTasks(services, await confirmMoved(services, wanted));
  for (const group of Map.groupBy(tasks, destinationKey).values()) await services.queue.retry(group);
  if (firstError !== undefined) throw firstError;
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
