import { l10n } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { isOpen, isUnfinished, type TaskState, type TrackedTask } from '../../tasks/trackedTask';
import { formatSentences } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { taskLabel } from '../taskItems/taskItem';
import { pickTasks, type TasksRow, tasksOfRows } from '../tree/pickTasks';

/**
 * Removes tasks from the list: one at once, with Undo; several after a question. Unfinished imports stay.
 * @throws UserError if all of them stay
 */
export async function removeTask(services: Services, target: CommandTarget<TasksRow>): Promise<void> {
  const isRemovable = ({ phase }: TrackedTask) => !isOpen(phase);
  const wanted =
    target.from === 'row'
      ? await tasksOfRows(services.list, target.rows)
      : await pickTasks(services, target, isRemovable);
  const [task] = wanted;
  const removable = wanted.filter(isRemovable);
  if (task === undefined) return;
  if (removable.length === 0) throw stays(task);
  if (wanted.length === 1) await removeOne(services, task);
  else await removeSeveral(services, removable, wanted.length - removable.length);
}

/**
 * Removes tasks, of which those stay that `TaskList.remove` leaves: they are returned. Where it takes long, a progress shows,
 * and canceling it leaves the rest.
 */
export async function removeAll(
  list: TaskList,
  keys: readonly number[],
  state?: TaskState,
): Promise<readonly TrackedTask[]> {
  const title =
    keys.length === 1
      ? l10n.t('Removing 1 task from the list')
      : l10n.t('Removing {0} tasks from the list', formatCount(keys.length));
  return (await withDelayedProgress(title, (signal) => list.remove(keys, { state, signal }))) ?? [];
}

async function removeOne({ list, sources, messages }: Services, task: TrackedTask): Promise<void> {
  const { key, dataset, phase, source } = task;
  const text = source && (await sources.read(source));
  const removed = await list.removeForUndo(key);
  const staying = removed === undefined ? await list.find(key) : undefined;
  if (staying !== undefined) throw stays(staying);
  if (removed === undefined) return;
  await sources.delete([source]);
  const name = taskLabel(task);
  const undo = async () => {
    if (!(await list.putBack(removed))) throw new UserError(l10n.t("'{0}' is already in the list.", name));
    if (source !== undefined && text !== undefined) await sources.write(source, text);
  };
  const message =
    phase.kind === 'unconfirmed'
      ? l10n.t(
          "Removed '{0}' from the list. {1} may have received it. Nothing is deleted on the service.",
          name,
          dataset,
        )
      : l10n.t("Removed '{0}' from the list. Nothing is deleted on the service.", name);
  await messages.done(message, { label: l10n.t('Undo'), run: undo });
}

async function removeSeveral(services: Services, tasks: readonly TrackedTask[], stayingCount: number): Promise<void> {
  const [first] = tasks;
  if (first === undefined) return;
  const question =
    tasks.length === 1
      ? l10n.t("Remove '{0}' from the list?", taskLabel(first))
      : l10n.t('Remove {0} tasks from the list?', formatCount(tasks.length));
  if (!(await window.confirm(question, formatRemoval(tasks, stayingCount), l10n.t('Remove')))) return;
  const [staying] = await removeTasks(services, tasks);
  if (staying !== undefined) throw stays(staying);
}

/** Removes tasks as {@link removeAll} does, with their texts. */
export async function removeTasks(
  { list, sources }: Pick<Services, 'list' | 'sources'>,
  tasks: readonly TrackedTask[],
): Promise<readonly TrackedTask[]> {
  const keys = tasks.map(({ key }) => key);
  const staying = await removeAll(list, keys);
  const removed = tasks.map(({ source }) => source);
  await sources.deleteUnneeded(removed, list.history);
  return staying;
}

/** What it means to remove tasks, while others stay. */
export function formatRemoval(tasks: readonly TrackedTask[], stayingCount: number): string {
  const unconfirmed = tasks.filter(({ phase }) => phase.kind === 'unconfirmed').length;
  const running = tasks.filter(isUnfinished).length;
  return formatSentences([
    l10n.t('Nothing is deleted on the service.'),
    ...(unconfirmed > 0 ? [formatUnconfirmed(unconfirmed)] : []),
    ...(running > 0 ? [formatRunning(running)] : []),
    ...(stayingCount > 0 ? [formatStaying(stayingCount)] : []),
  ]);
}

/** How many of several imports may have been received. */
export function formatUnconfirmed(count: number): string {
  return count === 1
    ? l10n.t('1 is unconfirmed: the service may have received it.')
    : l10n.t('{0} are unconfirmed: the service may have received them.', formatCount(count));
}

function formatRunning(count: number): string {
  return count === 1
    ? l10n.t('1 is still running, and will no longer be checked.')
    : l10n.t('{0} are still running, and will no longer be checked.', formatCount(count));
}

function formatStaying(count: number): string {
  return count === 1
    ? l10n.t('1 is still being imported, and stays in the list.')
    : l10n.t('{0} are still being imported, and stay in the list.', formatCount(count));
}

function stays(task: TrackedTask): UserError {
  return new UserError(
    l10n.t("'{0}' is still being imported. Cancel the import first, or wait until it ends.", taskLabel(task)),
  );
}
