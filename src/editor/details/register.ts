import type { Messages } from '../platform/messages';
import type { Commands } from '../start/commands';
import { pickTask } from '../tree/pickTasks';
import type { TaskDetails, TaskDetailsDeps } from './taskDetails';

/** Registers the command that shows the details of a task: what Enter or a click on its row does. */
export function registerDetails(
  deps: Pick<TaskDetailsDeps, 'list'> & {
    readonly details: TaskDetails;
    readonly messages: Messages;
    readonly commands: Commands;
  },
): void {
  const show = async (target: unknown) => {
    const task = await pickTask(deps.list, target, () => true);
    if (task !== undefined) await deps.details.show(task.key);
  };
  deps.commands.handle({ 'datasetImport.showDetails': show }, deps.messages);
}
