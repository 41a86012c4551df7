import { l10n } from 'vscode';
import { isSameDestination } from '../../tasks/destination';
import { destinationStates, whyWaits } from '../../tasks/serving/whyNotAsked';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import type { Action } from '../platform/userError';
import { taskLabel } from '../rows/taskItem';
import { formatHelp, type HelpCommand, neededCommands, usefulCommands } from '../rows/taskNeeds';
import { isTaskNode } from '../rows/tasksNode';
import type { Services } from '../services/services';
import { pickTask } from './pickTasks';

/**
 * The task for which a command helps: that of the clicked row or link, or one that the user picks. Says so where
 * the command no longer helps that one.
 * @throws UserError where the task's dataset is gone or has moved
 */
export async function pickTaskFor(
  services: Services,
  command: HelpCommand,
  target: unknown,
): Promise<TrackedTask | undefined> {
  const whyOf = (task: TrackedTask) => whyWaits(destinationStates(services), task);
  if (!isTaskNode(target))
    return pickTask(services.list, target, (task) => usefulCommands(task, whyOf(task)).includes(command));
  const task = await services.list.find(target.taskKey);
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
export function sayNothingToChoose({ messages }: Pick<Services, 'messages'>, task: TrackedTask): void {
  // Without a response nothing can be chosen, and nothing has been.
  const message =
    task.lastQueryError === undefined
      ? l10n.t("There is nothing left to choose for '{0}'.", taskLabel(task))
      : l10n.t("The last status check of '{0}' failed. Retry after the next status check.", taskLabel(task));
  void messages.done(message);
}

/**
 * The button of a message about a task, which may be pressed long after: it runs for that task, or for another one of the
 * same destination, as long as one needs it.
 */
export function helpAction(
  services: Services,
  command: HelpCommand,
  asked: TrackedTask,
  run: (task: TrackedTask) => unknown,
  needs: (task: TrackedTask) => boolean = (task) => neededCommands(task, undefined).includes(command),
): Action {
  return {
    label: formatHelp(command),
    run: async () => {
      datasetAt(services, asked);
      const task = await services.list.find(asked.key);
      const others = services.list.held.filter((other) => isSameDestination(other, asked));
      const needing = task !== undefined && needs(task) ? task : others.find(needs);
      if (needing === undefined) sayNothingToChoose(services, task ?? asked);
      else await run(needing);
    },
  };
}
