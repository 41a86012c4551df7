import { l10n } from 'vscode';
import { destinationStates, whyWaits } from '../../tasks/serving/whyNotAsked';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import type { Action } from '../platform/userError';
import type { Services } from '../services/services';
import { type CommandTarget, clicked } from '../targets';
import { taskLabel } from '../taskItems/taskItem';
import { formatHelp, type HelpCommand, usefulCommands } from '../taskItems/taskNeeds';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTask } from './pickTasks';

/**
 * The task for which a command helps: of the clicked row or link, or one that the user picks. Shows a message if the
 * command no longer helps the clicked one.
 * @throws UserError if the task's dataset was removed or has moved
 */
export async function pickTaskFor(
  services: Services,
  command: HelpCommand,
  target: CommandTarget<TaskNode>,
): Promise<TrackedTask | undefined> {
  const whyOf = (task: TrackedTask) => whyWaits(destinationStates(services), task);
  const [row] = target.rows;
  if (target.from !== 'row' || row === undefined)
    return pickTask(services, target, (task) => usefulCommands(task, whyOf(task)).includes(command));
  const task = await services.list.find(row.taskKey);
  if (task === undefined) {
    void services.messages.done(l10n.t('This task is no longer in the list.'));
    return undefined;
  }
  datasetAt(services, task);
  if (usefulCommands(task, whyOf(task)).includes(command)) return task;
  sayNothingToChoose(services, task);
  return undefined;
}

/** Says why there is nothing to choose; does not wait until that message is closed. */
function sayNothingToChoose({ messages }: Pick<Services, 'messages'>, task: TrackedTask): void {
  // Without a response nothing can be chosen, and nothing has been.
  const message =
    task.lastQueryError === undefined
      ? l10n.t("There is nothing left to choose for '{0}'.", taskLabel(task))
      : l10n.t("The last status check of '{0}' failed. Retry after the next status check.", taskLabel(task));
  void messages.done(message);
}

/** The button of a message about a task that does what the command does on its row, however late it is pressed. */
export function helpAction(
  command: HelpCommand,
  { key }: TrackedTask,
  run: (target: CommandTarget<TaskNode>) => unknown,
): Action {
  return { label: formatHelp(command), run: () => run(clicked({ taskKey: key })) };
}
